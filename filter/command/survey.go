package command

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inspected is what pdal tells about a file without reading its points.
type inspected struct {
	source
	wkt        string
	dimensions []field
	las        bool
	format     int
	scale      [3]float64
	offset     [3]float64
}

// sourceFiles lists the point clouds that arguments name: files, folders of LAS
// and LAZ, virtual point clouds (.vpc), EPT (ept.json or its folder), and patterns
// that no shell has expanded.
func sourceFiles(args []string) ([]string, error) {
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
		case strings.EqualFold(filepath.Ext(arg), ".vpc"):
			files, err := virtual(arg)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		case err != nil && !strings.Contains(arg, "://"):
			matches, _ := filepath.Glob(arg) // a wrong pattern names no file
			if len(matches) == 0 {
				return nil, err
			}
			files, err := sourceFiles(matches)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		default:
			all = append(all, arg)
		}
	}
	for i, path := range all {
		if !strings.Contains(path, "://") {
			var err error
			if all[i], err = filepath.Abs(path); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// folderFiles lists the LAS and LAZ files of a folder, or the EPT that it is.
func folderFiles(folder string) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == eptName {
			return []string{filepath.Join(folder, eptName)}, nil
		}
		if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".las" || ext == ".laz") && !strings.HasPrefix(e.Name(), ".") {
			all = append(all, filepath.Join(folder, e.Name()))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("folder %s has no .las or .laz file", folder)
	}
	return all, nil
}

// eptName is what the first file of an Entwine point tile set is called.
const eptName = "ept.json"

// virtual lists the files of a virtual point cloud, a STAC feature collection
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

// inspect asks pdal about a file.
func inspect(ctx context.Context, path string) (*inspected, error) {
	text, err := pdal(ctx, nil, "info", "--summary", path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var s struct {
		Reader  string
		Summary struct {
			Bounds struct{ MinX, MinY, MaxX, MaxY, MinZ float64 }
			Points int64 `json:"num_points"`
			SRS    struct{ WKT string }
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s: pdal info: %w", path, err)
	}
	m, err := child{}.schema(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := s.Summary.Bounds
	i := &inspected{
		source: source{Path: path, Points: s.Summary.Points, Bounds: [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}, Direct: s.Reader == "readers.copc" || s.Reader == "readers.ept"},
		wkt:    s.Summary.SRS.WKT, las: s.Reader == "readers.las" || s.Reader == "readers.copc",
	}
	i.dimensions = m.dimensions
	i.header(m.metadata, [3]float64{b.MinX, b.MinY, b.MinZ})
	if !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) || math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		return nil, fmt.Errorf("%s: its header has bounds %v", path, i.Bounds)
	}
	return i, nil
}

// header takes scale, offset and point format of a LAS file; other files get
// millimetres and a format by their dimensions.
func (i *inspected) header(m map[string]any, least [3]float64) {
	number := func(key string) float64 { v, _ := m[key].(float64); return v }
	for k, axis := range []string{"x", "y", "z"} {
		i.scale[k], i.offset[k] = number("scale_"+axis), number("offset_"+axis)
		if i.scale[k] == 0 {
			i.scale[k], i.offset[k] = 0.001, math.Floor(least[k]/1000)*1000
		}
	}
	i.format = -1
	if i.las {
		i.format = int(number("dataformat_id"))
	}
}
