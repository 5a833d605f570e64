// Package sources lists the point clouds of arguments (files, folders, patterns, virtual point
// clouds and EPT) and identifies their content.
package sources

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Files returns the point clouds of arguments: files, folders of LAS and LAZ, virtual point clouds
// (.vpc), EPT (ept.json or its folder), and patterns.
func Files(args []string) ([]string, error) {
	var all []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.IsDir():
			files, err := folderFiles(arg)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		case IsVirtual(arg):
			files, err := virtual(arg)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		case err != nil && !strings.Contains(arg, "://"):
			matches, _ := filepath.Glob(arg) // a malformed pattern matches no file
			if len(matches) == 0 {
				return nil, err
			}
			files, err := Files(matches)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		default:
			all = append(all, arg)
		}
	}
	for i, path := range all {
		if strings.Contains(path, "://") {
			continue
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return nil, fmt.Errorf("%s is a pipe or a device, and clouds are read more than once; write it to a file first",
				path)
		}
		var err error
		if all[i], err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Members replaces folders and virtual point clouds in names by their files; other names are
// kept.
func Members(names []string) (all []string, err error) {
	for _, name := range names {
		members := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() || IsVirtual(name) {
			if members, err = Files([]string{name}); err != nil {
				return nil, err
			}
		}
		all = append(all, members...)
	}
	return all, nil
}

// IsVirtual reports whether a name has the suffix of a virtual point cloud.
func IsVirtual(name string) bool { return strings.EqualFold(filepath.Ext(name), ".vpc") }

// folderFiles returns the LAS and LAZ files of a folder, or its ept.json.
func folderFiles(folder string) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == EPT {
			return []string{filepath.Join(folder, EPT)}, nil
		}
		if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".las" || ext == ".laz") &&
			!strings.HasPrefix(e.Name(), ".") {
			all = append(all, filepath.Join(folder, e.Name()))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("folder %s has no .las or .laz file", folder)
	}
	return all, nil
}

// EPT is the name of the root file of an Entwine point tile set.
const EPT = "ept.json"

// virtual returns the files of a virtual point cloud, a STAC feature collection
// (https://github.com/PDAL/wrench/blob/main/vpc-spec.md).
func virtual(path string) (files []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var collection struct {
		Features []struct {
			ID     string
			Assets map[string]struct {
				Href  string
				Roles []string
			}
		}
	}
	if err := json.Unmarshal(text, &collection); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, f := range collection.Features {
		href := f.Assets["data"].Href
		for _, a := range f.Assets {
			if href == "" && slices.Contains(a.Roles, "data") {
				href = a.Href
			}
		}
		if href == "" {
			return nil, fmt.Errorf("%s: feature %q has no data asset", path, f.ID)
		}
		if u, err := url.Parse(href); err == nil && u.Scheme == "file" {
			href = u.Path
		}
		if !filepath.IsAbs(href) && !strings.Contains(href, "://") {
			href = filepath.Join(filepath.Dir(path), href)
		}
		files = append(files, href)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no features", path)
	}
	return files, nil
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
	if IsCOPC(path) {
		return COPC
	}
	return filepath.Ext(path)
}

// COPCName returns the name of a result in COPC, for that in another format.
func COPCName(name string) string {
	return strings.TrimSuffix(name, Ending(name)) + COPC
}

// ResultName returns the name of the result of an input: its own name, with .laz where it is no LAS.
func ResultName(input string) string {
	if u, err := url.Parse(input); err == nil && strings.Contains(input, "://") {
		input = u.Path
	}
	name := path.Base(filepath.ToSlash(input))
	if name == EPT {
		return path.Base(path.Dir(filepath.ToSlash(input))) + ".laz"
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".las", ".laz":
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".laz"
}

// Remote is the identity of all remote files, which are assumed not to change.
const Remote = "remote"

// Identity returns the SHA-256 of a file. It does not depend on name and times, so links and copies have the same
// identity. That of an EPT is of its ept.json and the stamp of all its files, because only some of them are read.
// A file whose stamp is unchanged is read once in a process.
func Identity(path string) (string, error) {
	if strings.Contains(path, "://") {
		return Remote, nil
	}
	stamp, err := Stamp(path)
	if err != nil {
		return "", err
	}
	if known, ok := identities.Load(path + " " + stamp); ok {
		return known.(string), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if filepath.Base(path) == EPT {
		io.WriteString(sum, stamp)
	}
	identity := fmt.Sprintf("%x", sum.Sum(nil))
	identities.Store(path+" "+stamp, identity)
	return identity, nil
}

var identities sync.Map // by path and stamp

// Stamp returns a text that changes whenever the content of a file does: its size, and the times of its last
// modification and, on Linux, of the last change of its attributes, which programs cannot set. It costs no reading, but
// an equal content can have another stamp. The stamp of an EPT is of all its files.
func Stamp(path string) (string, error) {
	if strings.Contains(path, "://") {
		return Remote, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if filepath.Base(path) != EPT {
		return stampOf(info), nil
	}
	sum := sha256.New()
	err = filepath.WalkDir(filepath.Dir(path), func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			fmt.Fprintln(sum, strings.TrimPrefix(at, filepath.Dir(path)), stampOf(info))
		}
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

func stampOf(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d%s", info.Size(), info.ModTime().UnixNano(), changed(info))
}
