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
// and LAZ, virtual point clouds (.vpc), and EPT (ept.json).
func sourceFiles(args []string) ([]string, error) {
	var all []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.IsDir():
			entries, err := os.ReadDir(arg)
			if err != nil {
				return nil, err
			}
			before := len(all)
			for _, e := range entries {
				if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".las" || ext == ".laz") && !strings.HasPrefix(e.Name(), ".") {
					all = append(all, filepath.Join(arg, e.Name()))
				}
			}
			if len(all) == before {
				return nil, fmt.Errorf("folder %s has no .las or .laz file", arg)
			}
		case strings.EqualFold(filepath.Ext(arg), ".vpc"):
			files, err := virtual(arg)
			if err != nil {
				return nil, err
			}
			all = append(all, files...)
		case err != nil && !strings.Contains(arg, "://"):
			return nil, err
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
	if text, err = pdal(ctx, nil, "info", "--metadata", "--schema", path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var m struct {
		Schema struct {
			Dimensions []struct {
				Name, Type string
				Size       int
			}
		}
		Metadata map[string]any
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: pdal info: %w", path, err)
	}
	b := s.Summary.Bounds
	i := &inspected{
		source: source{Path: path, Points: s.Summary.Points, Bounds: [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}, Direct: s.Reader == "readers.copc" || s.Reader == "readers.ept"},
		wkt:    s.Summary.SRS.WKT, las: s.Reader == "readers.las" || s.Reader == "readers.copc",
	}
	for _, d := range m.Schema.Dimensions {
		i.dimensions = append(i.dimensions, field{d.Name, typeName(d.Type, d.Size)})
	}
	i.header(m.Metadata, [3]float64{b.MinX, b.MinY, b.MinZ})
	if !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) || math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		return nil, fmt.Errorf("%s: its header has bounds %v", path, i.Bounds)
	}
	return i, nil
}

func typeName(kind string, size int) string {
	switch kind {
	case "floating":
		return map[int]string{4: "float", 8: "double"}[size]
	case "signed":
		return fmt.Sprintf("int%d", 8*size)
	}
	return fmt.Sprintf("uint%d", 8*size)
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
