// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"superpoint/filter/host"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// Annotate writes a copy of a point cloud with a dimension whose value of point i is values[i]. All else,
// also the provenance record, is copied.
func Annotate(h host.Host, input string, to *atomicfile.Output, dimension string, values []uint32) error {
	input, err := filepath.Abs(input) // pdal runs in another folder
	if err != nil {
		return err
	}
	w := &work{segmenter: &segmenter{host: h}, task: task{input: input, output: to.Path(), to: to}}
	if err := las.CheckWhole(input); err != nil {
		return err
	}
	return to.File(func(temporary string) error {
		w.Process = pdalprocess.Process{Folder: filepath.Dir(temporary), Warn: w.warnOnce()}
		written, err := w.annotate(dimension, values)
		if err != nil {
			return err
		}
		if made := new(json.RawMessage); las.Made(input, made) {
			if err := las.SetMade(written, made); err != nil {
				return err
			}
		}
		return atomicfile.Move(written, temporary)
	})
}

// annotate writes the copy in the working folder and returns its path.
func (w *work) annotate(dimension string, values []uint32) (string, error) {
	from, about, stated, err := w.inspect()
	if err != nil {
		return "", err
	}
	l, records, err := w.open(from, about)
	if err != nil {
		return "", err
	}
	if records.Count != len(values) {
		return "", fmt.Errorf("%d points were read, and %d of them again (is the disk full?)", len(values), records.Count)
	}
	e := las.Edit{Add: []las.Column{{Name: dimension, Type: "uint32"}}, WKT: stated.WKT, Force: w.override != ""}
	if e.Values, err = las.Rows(e.Add); err != nil {
		return "", err
	}
	row, at := make([]byte, e.Values.Length), e.Values.Find(dimension).At
	written, err := w.write(l, records, e, func() ([]byte, error) {
		binary.LittleEndian.PutUint32(row[at:], values[0])
		values = values[1:]
		return row, nil
	})
	if err == nil && isUnpacked(written) && !isUnpacked(w.output) {
		err = errors.New(pdalprocess.CannotPack)
	}
	return written, err
}
