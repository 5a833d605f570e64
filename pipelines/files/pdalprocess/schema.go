// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// Schema has the metadata that pdal reports of a file without reading its points.
type Schema struct {
	Reader     string
	Points     int64 // sources.Unknown if only reading them tells
	Dimensions []Field
	Metadata   map[string]any
	Lattice    *las.Lattice // of LAS; nil for other formats
	Bounds     *Bounds      // of LAS, and of other formats by Summarise if they have a header; else nil
}

// Bounds is the bounding box of a file.
type Bounds struct{ MinX, MinY, MaxX, MaxY, MinZ, MaxZ float64 }

// Summarise returns the metadata of a file with its bounds, and, if the format has a header, the number of
// points.
func Summarise(ctx context.Context, path string) (*Schema, error) {
	if err := sources.CheckCloud(path); err != nil {
		return nil, err
	}
	s, err := Process{}.Schema(ctx, path)
	if err != nil || s.Bounds != nil {
		return s, err
	}
	text, err := Process{}.info(ctx, path, "--summary")
	if err != nil && strings.Contains(err.Error(), "No summary data") { // of a format without a header
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var m struct {
		Summary struct {
			Bounds *Bounds
			Points int64 `json:"num_points"`
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("pdal info: %w", err)
	}
	if s.Bounds = m.Summary.Bounds; s.Bounds == nil { // PDAL does not know the number
		return s, nil
	}
	points := s.Points
	s.Points = m.Summary.Points
	return s, sources.CheckCount(s.Points, points)
}

// Schema returns the metadata of a file.
func (c Process) Schema(ctx context.Context, path string) (*Schema, error) {
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
	if l, err := las.Read(c.path(path)); err == nil {
		on := l.Lattice // without the header
		s.Lattice = &on
		least, most := l.Bounds()
		s.Bounds = &Bounds{least[0], least[1], most[0], most[1], least[2], most[2]}
		if l.Count == 0 {
			s.Bounds = new(Bounds)
		}
	}
	if names := s.Names(); !slices.Contains(names, "X") || !slices.Contains(names, "Y") {
		return nil, errors.New(message.Explain(message.NoPositions))
	}
	return s, nil
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

// Widen returns fields with types that hold their values and the values of an existing dimension of
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
	types := []string{"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
		"float", "double"}
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

// WKT returns the spatial reference that PDAL reads, or "".
func (s *Schema) WKT() string {
	reference, _ := s.Metadata["srs"].(map[string]any)
	wkt, _ := reference["compoundwkt"].(string) // with heights; "wkt" is the horizontal part
	return wkt
}

// Reference returns the spatial reference that a file's metadata state, as the host understands it.
func (s *Schema) Reference(h host.Host) (georef.Reference, error) {
	text, err := base64.StdEncoding.DecodeString(s.projection("2112"))
	if wkt := strings.TrimSpace(strings.TrimRight(string(text), "\x00")); s.WKT() == "" &&
		wkt != "" && err == nil {
		return h.Reference(wkt) // PDAL could not read it
	}
	r, err := h.Reference(s.WKT())
	r.GeoKeys = s.GeoKeys()
	return r, err
}

// HasWKT reports whether a LAS file has a record of its reference as well-known text.
func (s *Schema) HasWKT() bool { return s.projection("2112") != "" }

// GeoKeys returns the GeoTIFF keys of a LAS file, "" if well-known text replaces them.
func (s *Schema) GeoKeys() (keys string) {
	if s.WKT() != "" && s.projection("2112") != "" {
		return ""
	}
	return s.projection("34735")
}

// projection returns a record of a LAS file about the projection (base64).
func (s *Schema) projection(id string) string {
	for name, value := range s.Metadata {
		vlr, _ := value.(map[string]any)
		if strings.HasPrefix(name, "vlr_") && vlr["user_id"] == "LASF_Projection" &&
			fmt.Sprint(vlr["record_id"]) == id {
			data, _ := vlr["data"].(string)
			return data
		}
	}
	return ""
}
