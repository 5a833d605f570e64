package segment

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"superpoint/embed/atomicfile"
	"superpoint/filter/host"
	"superpoint/filter/records"
	"superpoint/pipelines/files/child"
)

// Annotate writes a copy of a point cloud with a dimension whose value of point i is values[i]. All else,
// also the provenance record, is copied.
func Annotate(h host.Host, input string, to *atomicfile.Output, dimension string, values []uint32) error {
	input, err := filepath.Abs(input) // pdal runs in another folder
	if err != nil {
		return err
	}
	w := &work{segmenter: &segmenter{host: h}, task: task{input: input, output: to.Path(), to: to}}
	if err := records.CheckWhole(input); err != nil {
		return err
	}
	return to.File(func(temporary string) error {
		w.Process = child.Process{Folder: filepath.Dir(temporary), Warn: w.warnOnce()}
		written, err := w.annotate(dimension, values)
		if err != nil {
			return err
		}
		if made := new(json.RawMessage); records.Made(input, made) {
			if err := records.SetMade(written, made); err != nil {
				return err
			}
		}
		return atomicfile.Move(written, temporary)
	})
}

// annotate writes the copy in the working folder and returns its path.
func (w *work) annotate(dimension string, values []uint32) (string, error) {
	from, err := w.plainName()
	if err != nil {
		return "", err
	}
	about, err := w.Schema(w.host.Context(), from)
	if err != nil {
		return "", err
	}
	l, raw, err := w.source(from, about)
	if err != nil {
		return "", err
	}
	if raw.Count != len(values) {
		return "", fmt.Errorf("%d points were read, and %d of them again (is the disk full?)", len(values), raw.Count)
	}
	e := records.Edit{Add: []records.Column{{Name: dimension, Type: "uint32"}}, WKT: about.WKT()}
	written, err := w.write(l, raw, e, func(c *records.Edited, i int, record []byte) error {
		binary.LittleEndian.PutUint32(record[c.At[0]:], values[i])
		return nil
	})
	if err == nil && isUnpacked(written) && !isUnpacked(w.output) {
		err = errors.New(child.CannotPack)
	}
	return written, err
}
