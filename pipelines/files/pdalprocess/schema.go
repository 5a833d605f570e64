// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// Field is a dimension and its PDAL type.
type Field = las.Column

// Schema has the metadata that pdal reports of a file without reading its points.
type Schema struct {
	Reader     string
	Points     int64 // sources.Unknown if only reading them tells
	Dimensions []Field
	Metadata   map[string]any
	Lattice    *las.Lattice // of LAS; nil for other formats
}

// Summary is what the header of a file says of its points.
type Summary struct {
	Reader string
	Points int64
	Bounds *Bounds // nil: the format has no header
	WKT    string
}

// Bounds is the bounding box of a file.
type Bounds struct{ MinX, MinY, MaxX, MaxY, MinZ, MaxZ float64 }

// Summarise returns the summary of a file.
func Summarise(ctx context.Context, path string) (*Summary, error) {
	if err := sources.CheckCloud(path); err != nil {
		return nil, err
	}
	points, err := sources.Inspect(path)
	if err != nil {
		return nil, err
	}
	text, err := Process{File: path}.info(ctx, path, "--summary")
	if err != nil {
		return nil, err
	}
	var m struct {
		Reader  string
		Summary struct {
			Bounds *Bounds
			Points int64                        `json:"num_points"`
			SRS    struct{ CompoundWKT string } // also of heights
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("pdal info: %w", err)
	}
	if m.Summary.Bounds == nil && strings.HasPrefix(m.Reader, "readers.las") { // without points
		m.Summary.Bounds = new(Bounds)
	}
	if m.Summary.Bounds != nil { // else PDAL does not know the number
		if err := sources.CheckCount(m.Summary.Points, points); err != nil {
			return nil, err
		}
	}
	return &Summary{m.Reader, m.Summary.Points, m.Summary.Bounds, m.Summary.SRS.CompoundWKT}, nil
}

// Schema returns the metadata of a file.
func (c Process) Schema(ctx context.Context, path string) (*Schema, error) {
	c.File = path
	points, err := sources.Inspect(c.path(path))
	if err != nil {
		return nil, err
	}
	args := []string{"--metadata", "--schema"}
	if sources.IsLAS(path) {
		args = append(args, "--readers.las."+DescribedBytes+"=true")
	}
	text, err := c.info(ctx, path, args...)
	if err != nil {
		return nil, err
	}
	var m struct {
		Reader string
		Schema struct {
			Dimensions []struct {
				Name, Type string
				Size       int
			}
		}
		Metadata map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // the bounds of a file without points, as PDAL writes them, exceed float64
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("pdal info: %w", err)
	}
	s := &Schema{Reader: m.Reader, Points: points, Metadata: m.Metadata}
	for _, d := range m.Schema.Dimensions {
		s.Dimensions = append(s.Dimensions, Field{Name: d.Name, Type: typeName(d.Type, d.Size)})
	}
	if l, err := Header(c.path(path)); err == nil {
		s.Lattice = &las.Lattice{Scale: l.Scale, Offset: l.Offset}
	}
	if names := s.Names(); !slices.Contains(names, "X") || !slices.Contains(names, "Y") {
		return nil, errors.New(message.Explain(message.NoPositions))
	}
	return s, nil
}

// path returns the path of a file that is named relative to the working folder.
func (c Process) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Folder, name)
}

// DescribedBytes is the option of readers.las that reads extra dimensions of files before LAS
// 1.4, if a record describes them.
const DescribedBytes = "use_eb_vlr"

func typeName(kind string, size int) string {
	switch kind {
	case "floating":
		return map[int]string{4: "float", 8: "double"}[size]
	case "signed":
		return fmt.Sprintf("int%d", 8*size)
	}
	return fmt.Sprintf("uint%d", 8*size)
}

// Widen returns fields with types that hold their values and those of an existing dimension of
// the same name, because points that are not processed keep their values.
func Widen(fields, present []Field) []Field {
	fields = slices.Clone(fields)
	for k, f := range fields {
		for _, p := range present {
			if p.Name == f.Name {
				fields[k].Type = wider(fields[k].Type, p.Type)
			}
		}
	}
	return fields
}

// wider returns the smallest PDAL type that holds all values of two types: int64 at most for
// integers of both signs, double for large integers with fractions.
func wider(a, b string) string {
	types := []string{"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float", "double"}
	i, j := slices.Index(types, a), slices.Index(types, b)
	i, j = min(i, j), max(i, j)
	const signed, floating = 4, 8
	switch {
	case i < 0:
		return cmp.Or(b, a)
	case i >= floating || j < signed || i >= signed && j < floating:
		return types[j]
	case j >= floating && i%signed <= 1: // up to 16 bits
		return types[j]
	case j >= floating:
		return types[floating+1]
	}
	return types[signed+min(max(i+1, j-signed), 3)]
}

// Names returns the names of the dimensions.
func (s *Schema) Names() (all []string) {
	for _, d := range s.Dimensions {
		all = append(all, d.Name)
	}
	return all
}

// Number returns a number of the metadata.
func (s *Schema) Number(key string) (v float64, ok bool) {
	n, ok := s.Metadata[key].(json.Number)
	v, err := n.Float64()
	return v, ok && err == nil
}

// WKT returns the spatial reference that PDAL reads, or "".
func (s *Schema) WKT() string {
	reference, _ := s.Metadata["srs"].(map[string]any)
	wkt, _ := reference["compoundwkt"].(string) // with heights; "wkt" is the horizontal part
	return wkt
}
