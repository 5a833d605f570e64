// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/filter"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// write writes result n.
func (v *Survey) write(n int, m *Mark) error {
	if err := os.MkdirAll(v.Path("out"), 0o755); err != nil {
		return err
	}
	if err := v.writeResult(n, m); err != nil {
		return err
	}
	return v.addFile(m, v.Path("out", m.File))
}

// writeResult writes the points of a source to a file of the format that the name of the result says.
func (v *Survey) writeResult(n int, m *Mark) error {
	work, clean, err := atomicfile.Workspace(v.Path("write"))
	if err != nil {
		return err
	}
	defer clean()
	s, in := &v.plan.Sources[n], pdalprocess.Process{Folder: work}
	if err := s.unchanged(); err != nil {
		return err
	}
	l, err := v.plan.open(v.host.Context(), n, in)
	if err != nil {
		return err
	}
	head, err := las.Read(s.Path)
	if err != nil {
		return err
	}
	rows, err := v.labelled(n)
	if err != nil {
		return err
	}
	defer rows.close()
	tiles := v.tilesOf(n)
	e := las.Edit{Add: v.plan.Outputs, WKT: v.plan.SRS, Force: s.SRS != ""}
	if e.Values, err = las.Rows(e.Add); err != nil {
		return err
	}
	const raw = "all.las"
	sum, count, err := e.Copy(filepath.Join(work, raw), head, l, func(record []byte) ([]byte, bool, error) {
		column, row := v.plan.Grid.At(l.Position(las.XYZ(record)))
		values, err := rows.next(tiles[[2]int{column, row}])
		return values, true, err
	})
	if err != nil {
		return err
	}
	m.Sum, m.Points, m.File = uint32(sum), count, v.plan.Results[n]
	made, err := in.Pack(v.host.Context(), raw, sources.Ending(m.File))
	if err != nil {
		return err
	}
	if made == raw && pdalprocess.UnpackedName(m.File) != m.File {
		m.File = pdalprocess.UnpackedName(m.File)
		v.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", v.plan.Results[n], pdalprocess.CannotPack,
			m.File))
	}
	made = filepath.Join(work, made)
	if err := v.recordProvenance(n, made); err != nil {
		return err
	}
	to, err := v.output(v.Path("out", m.File))
	if err != nil {
		return err
	}
	return to.File(func(temporary string) error { return atomicfile.Move(made, temporary) })
}
