package pdalprocess

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/sources"
)

// PDAL unpacks and packs records of LAS as they are: their extra bytes go through it as integers, without their
// descriptions, because it changes scaled and array dimensions, and refuses some names.

// Lattice sets scale and offset of a writer.
func Lattice(writer map[string]any, l las.Lattice) {
	for k, axis := range []string{"x", "y", "z"} {
		writer["scale_"+axis], writer["offset_"+axis] = Number(l.Scale[k]), Number(l.Offset[k])
	}
}

// opaque returns extra bytes as integers, in the form of ExtraDims.
func opaque(bytes int) string {
	var all []Field
	for ; bytes >= 8; bytes -= 8 {
		all = append(all, Field{fmt.Sprintf("superpoint_%d", len(all)), "uint64"})
	}
	for ; bytes > 0; bytes-- {
		all = append(all, Field{fmt.Sprintf("superpoint_%d", len(all)), "uint8"})
	}
	return ExtraDims(all)
}

// repack writes the records of a file, LAS or LAZ, as the name of the other says: LAS, LAZ or COPC.
func (c Process) repack(ctx context.Context, l *las.File, from, to string) error {
	for k := range 3 {
		const exact = 1 << 50 // steps that survive the two conversions
		if s := l.Scale[k]; !(s != 0) || math.Abs(l.Offset[k]/s) > exact {
			return fmt.Errorf("scale %v and offset %v of the header: coordinates would be moved; rewrite the file with a "+
				"scale that fits", s, l.Offset[k])
		}
	}
	extra := opaque(l.ExtraBytes())
	r := map[string]any{"type": "readers.las", "filename": from, "ignore_vlr": "LASF_Spec/4"}
	w := Writer(to, l.Format(), extra)
	if Lattice(w, las.Lattice{Scale: l.Scale, Offset: l.Offset}); extra != "" {
		r["extra_dims"] = extra
	}
	return c.Pipeline(ctx, []any{r, w})
}

// Unpack returns a file of the records of a LAS or LAZ file: itself, or a temporary one at to.
func (c Process) Unpack(ctx context.Context, l *las.File, from, to string) (*las.File, error) {
	if !l.Packed() {
		return l, nil
	}
	if err := c.repack(ctx, l, from, to); err != nil {
		return nil, err
	}
	raw, err := las.Read(filepath.Join(c.Folder, to))
	if err == nil && (raw.Count != l.Count || raw.Length != l.Length) {
		err = fmt.Errorf("%d of %d points could be read: the file is damaged, or the disk is full", raw.Count, l.Count)
	}
	return raw, err
}

// Pack writes a LAS file in the folder as LAZ or COPC beside it and returns its name, which is that of the LAS
// file itself if the ending is that of LAS, or if PDAL cannot pack the points.
func (c Process) Pack(ctx context.Context, raw, ending string) (string, error) {
	if strings.EqualFold(ending, ".las") {
		return raw, nil
	}
	l, err := las.Read(filepath.Join(c.Folder, raw))
	if err != nil {
		return "", err
	}
	ending = strings.ToLower(ending)
	packed, complete := "packed"+ending, "complete"+ending
	if err := c.repack(ctx, l, raw, packed); err != nil {
		if RefusedToPack(err) && !sources.IsCOPC(packed) {
			return raw, nil
		}
		return "", err
	}
	if err := las.CheckLAZ(filepath.Join(c.Folder, packed), int64(l.Count)); err != nil {
		return "", err
	}
	return complete, las.Repack(filepath.Join(c.Folder, packed), filepath.Join(c.Folder, complete), l)
}
