package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"superpoint/embed/whole"
	"superpoint/filter"
)

// The LASzip that PDAL 2.2 has refuses points whose class is above 31 unless it
// is a multiple of 32: such clouds can be had as LAS only.
const (
	packRefused = "legacy classification"
	cannotPack  = "this PDAL cannot write the file's classes to LAZ"
)

// unpackedName is the name of a result that LAZ cannot hold.
func unpackedName(name string) string {
	stem := name[:len(name)-len(filepath.Ext(name))]
	return strings.TrimSuffix(stem, ".copc") + ".las"
}

// canPackClasses tells whether this PDAL writes LAZ with all classes. It tries it
// once, on one point.
func (s *segmenter) canPackClasses() (bool, error) {
	if s.packs != nil {
		return *s.packs, nil
	}
	folder, done, err := whole.Workspace(os.TempDir())
	if err != nil {
		return false, err
	}
	defer done()
	err = whole.Write(filepath.Join(folder, "point.txt"), func(w io.Writer) error {
		_, err := io.WriteString(w, "X,Y,Z,Classification\n0,0,0,66\n")
		return err
	})
	if err != nil {
		return false, err
	}
	writer := lasWriter{"type": "writers.las", "minor_version": 4, "dataformat_id": 6}
	err = child{folder: folder}.pipeline(s.host.Context(), []any{"point.txt", writer.to("point.laz")})
	can := err == nil
	if err != nil && !strings.Contains(err.Error(), packRefused) {
		return false, err
	}
	s.packs = &can
	return can, nil
}

// pack makes LAZ of a LAS file where that is wanted, and returns which of them
// is the result.
func (w *work) pack(writer lasWriter, raw string) (string, error) {
	if !isUnpacked(raw) || isUnpacked(w.output) {
		return raw, nil
	}
	const packed = "output.laz"
	err := w.pipeline(w.host.Context(), []any{raw, writer.to(packed)})
	if err != nil && strings.Contains(err.Error(), packRefused) {
		return raw, nil
	}
	return packed, err
}

// writeUnpacked puts LAS beside the name that was wanted.
func (w *work) writeUnpacked(written string) error {
	to := w.unpacked()
	beside, err := w.files.Output(to)
	if err == nil {
		err = beside.File(func(temporary string) error { return whole.Move(written, temporary) })
	}
	if err != nil {
		return err
	}
	w.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", filepath.Base(w.input), cannotPack, to))
	return errElsewhere
}
