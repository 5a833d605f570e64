// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"superpoint/filter/host"
	"superpoint/filter/lasformat"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// PDAL unpacks and packs records of LAS as they are: their extra bytes go through it as integers, without
// their descriptions, because it changes scaled and array dimensions, and refuses some names.

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
			all = append(all, Field{Name: fmt.Sprintf("%s%d", OpaquePrefix, len(all)),
				Type: fmt.Sprintf("uint%d", 8*size)})
		}
	}
	return all
}

// OpaquePrefix is the beginning of their names.
const OpaquePrefix = "superpoint_"

// RawReader returns the stage that reads a LAS or LAZ file with the extra bytes of l, which it is or is
// alike.
func RawReader(path string, l *las.File) Stage {
	r := Stage{"type": "readers.las", "filename": path, "ignore_vlr": "LASF_Spec/4"}
	if extra := opaque(l); extra != nil {
		r["extra_dims"] = ExtraDims(extra)
	}
	return r
}

// RawWriter returns the stage that writes the records of l with more dimensions as the name of the file says:
// LAS, LAZ or COPC.
func RawWriter(l *las.File, path string, more ...Field) (Stage, error) {
	if k := movedAxis(l); k >= 0 {
		return nil, fmt.Errorf(
			"scale %v and offset %v of the header: coordinates would be moved; rewrite the file with a "+
				"scale that fits", l.Scale[k], l.Offset[k])
	}
	w := Writer(path, l.Format(), ExtraDims(append(opaque(l), more...)))
	delete(w, "forward")
	Lattice(w, l.Lattice)
	return w, nil
}

// KeepsCoordinates reports whether coordinates stay as they are if PDAL reads and writes them with the scale
// and offset of a file.
func KeepsCoordinates(l *las.File) bool { return movedAxis(l) < 0 }

// movedAxis returns an axis along which PDAL would move coordinates; −1 if there is none.
func movedAxis(l *las.File) int {
	const exact = 1 << 50 // steps that survive the two conversions
	for k, s := range l.Scale {
		if !(s != 0) || math.Abs(l.Offset[k]/s) > exact {
			return k
		}
	}
	return -1
}

// AnyReference is the spatial reference of files whose own nobody reads: writers.las writes none that
// well-known text 1 does not have, such as references in three dimensions.
const AnyReference = "EPSG:4326"

// repacking is a file, LAS or LAZ, whose records are written to another, with the header and the variable
// length records of l.
type repacking struct {
	l        *las.File
	from, to string
}

// repack repacks files one after another in one process.
func (c Process) repack(ctx context.Context, all []repacking) error {
	if len(all) == 0 {
		return nil
	}
	var stages []any
	var writers []string
	for k, r := range all {
		w, err := RawWriter(r.l, r.to)
		if err != nil {
			return err
		}
		in := RawReader(r.from, r.l)
		w["a_srs"] = AnyReference
		in["tag"], w["tag"] = fmt.Sprint("r", k), fmt.Sprint("w", k)
		w["inputs"] = in["tag"]
		stages, writers = append(stages, in, w), append(writers, w["tag"])
	}
	if len(all) > 1 { // PDAL runs one chain of stages, here through readers and writers one after another
		stages = append(stages, map[string]any{"type": "filters.merge", "inputs": writers})
	}
	if err := c.pipeline(ctx, stages); err != nil {
		return cmp.Or(atomicfile.Room(c.Folder), err)
	}
	for _, r := range all {
		if err := r.l.Restore(c.path(r.to)); err != nil {
			return cmp.Or(atomicfile.Room(c.Folder), err)
		}
	}
	return nil
}

// Written returns a LAS or LAZ file that pdal wrote into the folder. It fails if the file has less than its
// header counts: pdal may not report a full disk.
func (c Process) Written(name string) (*las.File, error) {
	path := c.path(name)
	_, is, err := las.Points(path)
	if err == nil && !is {
		err = errors.New("it is missing, or has no header")
	}
	var l *las.File
	if err == nil {
		l, err = las.Read(path)
	}
	if err != nil {
		err = fmt.Errorf(
			"pdal did not write all points; is the disk full, or the size of files limited (ulimit -f)? (%w)",
			err)
		return nil, cmp.Or(atomicfile.Room(c.Folder), err)
	}
	return l, nil
}

// Unpack returns LAS files with all of LAS or LAZ files: themselves, or temporary ones in the folder.
func (c Process) Unpack(ctx context.Context, from ...string) (all []*las.File, err error) {
	var packed []repacking
	for k, path := range from {
		l, err := las.Read(c.path(path))
		if err != nil {
			return nil, err
		}
		if all = append(all, l); l.Packed() {
			packed = append(packed, repacking{l, path, fmt.Sprintf("unpacked%d.las", k)})
		}
	}
	err = c.repack(ctx, packed)
	for k, l := range all {
		if err == nil && l.Packed() {
			all[k], err = las.Read(c.path(fmt.Sprintf("unpacked%d.las", k)))
		}
	}
	return all, err
}

// Pack writes LAS files in the folder as LAZ or COPC beside them and returns the names of these files. It
// returns the names of the LAS files themselves if the ending is .las, or if PDAL cannot pack the points of a
// single one.
func (c Process) Pack(ctx context.Context, raw, endings []string) (made []string, err error) {
	var all []repacking
	for k, path := range raw {
		if made = append(made, path); strings.EqualFold(endings[k], ".las") {
			continue
		}
		l, err := las.Read(c.path(path))
		if err != nil {
			return nil, err
		}
		made[k] = fmt.Sprintf("packed%d%s", k, strings.ToLower(endings[k]))
		all = append(all, repacking{l, path, made[k]})
	}
	err = c.repack(ctx, all)
	if len(raw) == 1 && RefusedToPack(err) && !sources.IsCOPC(made[0]) {
		return raw, nil
	}
	return made, err
}

// Anywhere is a lattice for files whose coordinates nobody reads.
func Anywhere() las.Lattice { return las.Lattice{Scale: [3]float64{1e6, 1e6, 1e6}} }

// Convert writes what stages read of a file that is no LAS as LAS in the folder, with a scale and an offset
// that hold its coordinates.
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
			// sources.Inspect refuses fractions
			slices.Contains(fractional, d.Name) || about.Reader == "readers.text" {
			continue
		}
		name := d.Name + "_value"
		ferry = append(ferry, d.Name+"=>"+name)
		kept = append(kept, Field{Name: name, Type: d.Type})
		if c.Warn != nil {
			c.Warn(fmt.Sprintf("%s is of type %s, which LAS rounds; all of it is in %s", d.Name,
				d.Type, name))
		}
	}
	const decoded, placed = "decoded.las", "converted.las"
	w := Writer(decoded, about.Format(), about.extraDims(kept))
	Lattice(w, Anywhere())
	stages := append(slices.Clone(reading), Stage{"type": "filters.ferry",
		"dimensions": strings.Join(ferry, ",")}, w)
	if err := c.Pipeline(h.Context(), stages); err != nil {
		return nil, err
	}
	l, err := c.Written(decoded)
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

// Format returns the point format of a result: the same for a LAS file, the one with all dimensions for
// others.
func (s *Schema) Format() int {
	n, _ := s.Metadata["dataformat_id"].(json.Number)
	if v, err := n.Int64(); err == nil {
		return int(v)
	}
	return lasformat.For(s.Names())
}

// extraDims returns the option extra_dims of a writer: the dimensions that are not in the point format, or
// "all" if a name contains a separator of the option.
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
