// SPDX-License-Identifier: BSD-3-Clause

// Package sources lists the point clouds of arguments: files, folders, patterns and virtual point clouds.
package sources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/message"
)

// Files returns the point clouds of arguments: files, folders of LAS and LAZ, virtual point clouds
// (.vpc) and patterns. Their paths are absolute and sorted. warn
// receives what is skipped; it may be nil.
func Files(args []string, warn func(text string)) ([]string, error) {
	all, err := Members(args, warn)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if _, err := os.Stat(all[i]); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: no such file or folder; correct the path", all[i])
		} else if err != nil {
			return nil, err
		}
		if all[i], err = filepath.Abs(all[i]); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Members replaces folders, patterns and virtual point clouds in names by their files, in the order
// of the names; names of files are kept.
func Members(names []string, warn func(text string)) (all []string, err error) {
	for _, name := range names {
		files, err := members(name, warn)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasPrefix(file, "~") || strings.HasPrefix(file, "-") { // to pdal a home, or an option
				file = "." + string(filepath.Separator) + file
			}
			all = append(all, file)
		}
	}
	return all, nil
}

func members(name string, warn func(text string)) (files []string, err error) {
	if err := checkReadable(name); err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return folderFiles(name, warn)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf(
			"%s is a pipe or a device, and clouds are read more than once; write it to a file first",
			name)
	case err == nil && IsVirtual(name):
		return virtual(name, warn)
	case err == nil:
		return []string{name}, nil
	}
	// a malformed pattern matches no file
	matches, _ := filepath.Glob(name)
	matches = slices.DeleteFunc(matches, func(match string) bool { // a link to nothing
		return match == name || isHidden(name, match)
	})
	switch {
	case len(matches) > 0:
		return Members(matches, warn)
	case strings.ContainsAny(name, "*?["):
		return nil, fmt.Errorf("%s: no file has a name of this pattern", name)
	}
	return []string{name}, nil // reading it fails with the reason
}

// isHidden reports whether a match of a pattern has a name that begins with a dot where the pattern has none,
// as in a shell.
func isHidden(pattern, match string) bool {
	separator := string(filepath.Separator)
	wanted, has := strings.Split(pattern, separator), strings.Split(match, separator)
	for k := 1; k <= min(len(wanted), len(has)); k++ { // from the end: a match is without "./"
		if strings.HasPrefix(has[len(has)-k], ".") && !strings.HasPrefix(wanted[len(wanted)-k], ".") {
			return true
		}
	}
	return false
}

// IsVirtual reports whether a name has the suffix of a virtual point cloud.
func IsVirtual(name string) bool { return strings.EqualFold(filepath.Ext(name), ".vpc") }

// folderFiles returns the LAS and LAZ files of a folder.
func folderFiles(folder string, warn func(text string)) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var others []string // subfolders with clouds, and clouds in other formats
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.Name() == ept:
			return members(path, warn) // fails
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if files, err := folderFiles(path, nil); err == nil && len(files) > 0 {
				others = append(others, path)
			}
		case slices.Contains([]string{".ply", ".pcd", ".xyz", ".pts", ".e57"},
			strings.ToLower(filepath.Ext(path))):
			others = append(others, path)
		case IsLAS(path) || IsCOPC(path):
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				return members(path, warn) // fails
			}
			all = append(all, path)
		}
	}
	skipped := ""
	if len(others) > 0 {
		skipped = "of a folder only .las and .laz files are read; name these, too: " +
			strings.Join(others, " ")
	}
	if len(all) == 0 {
		text := fmt.Sprintf("folder %s has no .las or .laz file; %s", folder, skipped)
		return nil, errors.New(strings.TrimSuffix(text, "; "))
	}
	if skipped != "" && warn != nil {
		warn(skipped)
	}
	return all, nil
}

// feature is an item of a virtual point cloud.
type feature struct {
	ID     string
	Assets map[string]struct {
		Href  string
		Roles []string
	}
}

// virtual returns the files of a virtual point cloud, a STAC feature collection
// (https://github.com/PDAL/wrench/blob/main/vpc-spec.md).
func virtual(path string, warn func(text string)) (files []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var collection struct{ Features []feature }
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &collection); err != nil {
		return nil, fmt.Errorf(
			"%s is not a virtual point cloud, a collection of STAC features: %w; make it again", path, err)
	}
	for k := range collection.Features {
		some, err := collection.Features[k].files(filepath.Dir(path), warn)
		if err != nil {
			return nil, fmt.Errorf("%s: feature %q: %w", path, collection.Features[k].ID, err)
		}
		files = append(files, some...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no features", path)
	}
	return files, nil
}

// files returns the file of a feature, or the files of its folder.
func (f *feature) files(folder string, warn func(text string)) (files []string, err error) {
	var data []string
	for name, a := range f.Assets {
		if a.Href != "" && (name == "data" || slices.Contains(a.Roles, "data")) {
			data = append(data, a.Href)
		}
	}
	if slices.Sort(data); len(data) != 1 {
		return nil, fmt.Errorf("it has %s, and must have one; make a feature for each file: %s",
			message.Count(len(data), "data asset"), strings.Join(data, ", "))
	}
	href := data[0]
	if u, err := url.Parse(href); err == nil && u.Scheme == "file" {
		href = u.Path
	}
	if !strings.Contains(href, "://") {
		if !filepath.IsAbs(href) {
			href = filepath.Join(folder, href)
		}
		// it is a reference
		if plain, err := url.PathUnescape(href); err == nil && !exists(href) && exists(plain) {
			href = plain
		}
		if !exists(href) {
			return nil, fmt.Errorf(
				"there is no file %s; move it there, or make the virtual point cloud again", href)
		}
	}
	if IsVirtual(href) { // perhaps itself
		return nil, fmt.Errorf("%s is a virtual point cloud, too; name its files instead", href)
	}
	return members(href, warn)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// IsLAS reports whether readers.las reads a file of this name.
func IsLAS(path string) bool {
	name := strings.ToLower(path)
	return (strings.HasSuffix(name, ".las") || strings.HasSuffix(name, ".laz")) && !IsCOPC(name)
}

// COPC is the ending of a cloud-optimized file, which is no LAS to PDAL.
const COPC = ".copc.laz"

// IsCOPC reports whether a file of this name is COPC.
func IsCOPC(path string) bool { return strings.HasSuffix(strings.ToLower(path), COPC) }

// Ending returns the ending of a name by which pdal knows the format.
func Ending(path string) string {
	switch {
	case IsCOPC(path):
		return COPC
	case IsText(path):
		return textEnding
	}
	return filepath.Ext(path)
}

// COPCName returns the name of a result in COPC, for that in another format.
func COPCName(name string) string {
	return strings.TrimSuffix(name, Ending(name)) + COPC
}

// ResultName returns the name of the result of an input: its own name, with .laz where it is no LAS.
func ResultName(input string) string {
	name := path.Base(filepath.ToSlash(input))
	switch strings.ToLower(filepath.Ext(name)) {
	case ".las", ".laz":
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".laz"
}
