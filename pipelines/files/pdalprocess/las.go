// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"superpoint/filter/host"
	"superpoint/filter/lasformat"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// PDAL unpacks and packs records of LAS as they are: their extra bytes go through it as integers, without their
// descriptions, because it changes scaled and array dimensions, and refuses some names.

// Lattice sets scale and offset of a writer.
func Lattice(writer Stage, l las.Lattice) {
	for k, axis := range []string{"x", "y", "z"} {
		writer["scale_"+axis], writer["offset_"+axis] = Number(l.Scale[k]), Number(l.Offset[k])
	}
}

// opaque returns the extra bytes of a file as integers.
func opaque(l *las.File) (all []Field) {
	bytes := l.ExtraBytes()
	for _, size := range []int{8, 4, 2, 1} {
		for ; bytes >= size; bytes -= size {
			all = append(all, Field{Name: fmt.Sprintf("%s%d", OpaquePrefix, len(all)), Type: fmt.Sprintf("uint%d", 8*size)})
		}
	}
	return all
}

// OpaquePrefix is the beginning of their names.
const OpaquePrefix = "superpoint_"

// RawReader returns the stage that reads a LAS or LAZ file with the extra bytes of l, which it is or is alike.
func RawReader(path string, l *las.File) Stage {
	r := Stage{"type": "readers.las", "filename": path, "ignore_vlr": "LASF_Spec/4"}
	if extra := opaque(l); extra != nil {
		r["extra_dims"] = ExtraDims(extra)
	}
	return r
}

// RawWriter returns the stage that writes the records of l with more dimensions as the name of the file says: LAS, LAZ
// or COPC.
func RawWriter(l *las.File, path string, more ...Field) (Stage, error) {
	for k := range 3 {
		const exact = 1 << 50 // steps that survive the two conversions
		if s := l.Scale[k]; !(s != 0) || math.Abs(l.Offset[k]/s) > exact {
			return nil, fmt.Errorf("scale %v and offset %v of the header: coordinates would be moved; rewrite the file with a "+
				"scale that fits", s, l.Offset[k])
		}
	}
	w := Writer(path, l.Format(), ExtraDims(append(opaque(l), more...)))
	delete(w, "forward")
	Lattice(w, l.Lattice)
	return w, nil
}

// repack writes the records of a file, LAS or LAZ, with the header and the variable length records of l.
func (c Process) repack(ctx context.Context, l *las.File, from, to string) error {
	w, err := RawWriter(l, to)
	if err != nil {
		return err
	}
	if err := c.Pipeline(ctx, []Stage{RawReader(from, l), w}); err != nil {
		return err
	}
	return l.Restore(c.path(to))
}

// Unpack returns a LAS file with all of a LAS or LAZ file: itself, or a temporary one at to.
func (c Process) Unpack(ctx context.Context, from, to string) (*las.File, error) {
	l, err := las.Read(c.path(from))
	if err != nil || !l.Packed() {
		return l, err
	}
	if err := c.repack(ctx, l, from, to); err != nil {
		return nil, err
	}
	return las.Read(c.path(to))
}

// Pack writes a LAS file in the folder as LAZ or COPC beside it and returns its name, which is that of the LAS
// file itself if the ending is that of LAS, or if PDAL cannot pack the points.
func (c Process) Pack(ctx context.Context, raw, ending string) (string, error) {
	if strings.EqualFold(ending, ".las") {
		return raw, nil
	}
	l, err := las.Read(c.path(raw))
	if err != nil {
		return "", err
	}
	packed := "packed" + strings.ToLower(ending)
	if err := c.repack(ctx, l, raw, packed); err != nil {
		if RefusedToPack(err) && !sources.IsCOPC(packed) {
			return raw, nil
		}
		return "", err
	}
	return packed, nil
}

// Anywhere is a lattice for files whose coordinates nobody reads.
func Anywhere() las.Lattice { return las.Lattice{Scale: [3]float64{1e6, 1e6, 1e6}} }

// Convert writes what stages read of a file that is no LAS as LAS in the folder, with a scale and an offset that hold
// its coordinates.
func (c Process) Convert(h host.Host, about *Schema, reading []Stage) (*las.File, error) {
	names, ferry := [3]string{"superpoint_x", "superpoint_y", "superpoint_z"}, []string{}
	var kept []Field
	for k, name := range names {
		if axis := string(rune('X' + k)); slices.Contains(about.Names(), axis) { // pictures have no Z
			ferry = append(ferry, axis+"=>"+name)
			kept = append(kept, Field{Name: name, Type: "double"})
		}
	}
	fractional := []string{"X", "Y", "Z", "GpsTime", "ScanAngleRank"} // the fields of LAS that hold fractions
	for _, d := range about.Dimensions {
		if d.Type != "float" && d.Type != "double" || !lasformat.Holds(about.Format(), d.Name) ||
			slices.Contains(fractional, d.Name) || about.Reader == "readers.text" { // sources.Inspect refuses fractions
			continue
		}
		name := d.Name + "_value"
		ferry = append(ferry, d.Name+"=>"+name)
		kept = append(kept, Field{Name: name, Type: d.Type})
		if c.Warn != nil {
			c.Warn(fmt.Sprintf("%s is of type %s, which LAS rounds; all of it is in %s", d.Name, d.Type, name))
		}
	}
	const decoded, placed = "decoded.las", "converted.las"
	w := Writer(decoded, about.Format(), about.extraDims(kept))
	Lattice(w, Anywhere())
	stages := append(slices.Clone(reading), Stage{"type": "filters.ferry", "dimensions": strings.Join(ferry, ",")}, w)
	if err := c.Pipeline(h.Context(), stages); err != nil {
		return nil, err
	}
	l, err := las.Read(c.path(decoded))
	if err != nil {
		return nil, err
	}
	defer os.Remove(l.Path)
	err = l.Place(c.path(placed), names, func(p [][3]float64) (las.Lattice, error) {
		reference, err := h.Reference(l.WKT())
		if err != nil {
			return las.Lattice{}, err
		}
		metres, degrees, err := reference.Unit()
		if err != nil {
			return las.Lattice{}, err
		}
		if degrees {
			metres = 1 // of heights
		}
		return las.LatticeFor(p, metres, degrees)
	})
	if err != nil {
		return nil, err
	}
	return las.Read(c.path(placed))
}

// Format returns the point format of a result: that of a LAS file, or the one with all dimensions of another.
func (s *Schema) Format() int {
	if v, ok := s.Number("dataformat_id"); ok {
		return int(v)
	}
	return lasformat.For(s.Names())
}

// extraDims returns the option extra_dims of a writer: the dimensions that are not in the point format, or "all" if a
// name contains a separator of the option.
func (s *Schema) extraDims(more []Field) string {
	all := append(slices.Clone(more), s.Dimensions...)
	all = slices.DeleteFunc(all, func(f Field) bool { return lasformat.Holds(s.Format(), f.Name) })
	for _, f := range all {
		if f.Name != strings.TrimSpace(f.Name) || strings.ContainsAny(f.Name, "=,") {
			return "all"
		}
	}
	return ExtraDims(all)
}
