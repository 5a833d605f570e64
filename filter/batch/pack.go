package batch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/filter/child"
)

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
	try := child.Process{Folder: folder}
	err = try.Pipeline(s.host.Context(), []any{"point.txt", writer.to("point.laz")})
	can := err == nil
	if err != nil && !child.RefusedToPack(err) {
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
	err := w.Pipeline(w.host.Context(), []any{raw, writer.to(packed)})
	if child.RefusedToPack(err) {
		return raw, nil
	}
	return packed, err
}

// writeUnpacked puts LAS beside the name that was wanted, unless that is another's.
func (w *work) writeUnpacked(written string) error {
	to := w.unpacked()
	if old := madeOf(to); w.isForeign(to) || old != nil && old.Source != w.made.Source {
		return fmt.Errorf("%s, and %s is there, made from another input; name another output", child.CannotPack, to)
	}
	beside, err := w.files.Output(to)
	if err == nil {
		err = beside.File(func(temporary string) error { return whole.Move(written, temporary) })
	}
	if err != nil {
		return err
	}
	w.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", filepath.Base(w.input), child.CannotPack, to))
	return errElsewhere
}

// removeFormer removes the former result of the same input that has the other name.
func (t task) removeFormer(written string) error {
	for _, name := range t.names() {
		if m := madeOf(name); name != written && m != nil && m.Source == t.made.Source {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
