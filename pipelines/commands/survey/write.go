// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"superpoint/filter"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// write writes result n.
func (v *Survey) write(n int, m *Mark) error {
	result := v.plan.Results[n]
	if err := v.checkForeign([]string{result}); err != nil {
		return err
	}
	if err := os.MkdirAll(v.Path("out"), 0o755); err != nil {
		return err
	}
	if err := v.writeResult(n, m); err != nil {
		return err
	}
	if m.Points == 0 {
		return nil
	}
	return v.addFile(m, v.Path("out", m.File))
}

// writeResult writes the points of a result to a file of the format that its name says.
func (v *Survey) writeResult(n int, m *Mark) error {
	work, clean, err := atomicfile.Workspace(v.Path("write"))
	if err != nil {
		return err
	}
	defer clean()
	const raw = "all.las"
	in := pdalprocess.Process{Folder: work}
	of, parts := []int{n}, []las.Part(nil)
	if v.plan.Of == Sources {
		parts, err = v.sourceParts(n, in)
	} else {
		of = v.plan.Tiles[n].Sources
		parts, err = v.tileParts(n)
	}
	if err != nil || len(parts) == 0 {
		return err
	}
	replaced := slices.ContainsFunc(of, func(k int) bool { return v.plan.Sources[k].SRS != "" })
	rows, err := v.labelled(of[0])
	if err != nil {
		return err
	}
	defer rows.close()
	if v.plan.Of == Tiles {
		rows.tile = n
	} else {
		tiles, l := v.tilesOf(n), parts[0].Records
		parts[0].Keep = func(_ int, record []byte) (bool, error) {
			column, row := v.plan.Grid.At(l.Position(las.XYZ(record)))
			rows.tile = tiles[[2]int{column, row}]
			return true, nil
		}
	}
	e := las.Edit{Add: v.plan.Outputs, WKT: v.plan.SRS, Force: replaced, Modern: v.plan.COPC}
	if e.Values, err = las.Rows(e.Add); err != nil {
		return err
	}
	sum, count, err := e.Copy(filepath.Join(work, raw), rows.next, parts...)
	if err != nil {
		return err
	}
	if v.plan.Of == Tiles && count != int64(rows.from[n].File.Count) {
		return fmt.Errorf("%d points of the tile are in its slices, and %d are labelled; remove the folder cut and rerun",
			count,
			rows.from[n].File.Count)
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
	err = to.File(func(temporary string) error { return atomicfile.Move(made, temporary) })
	if err == nil && v.plan.Of == Tiles {
		err = v.removeSlices(n)
	}
	return err
}

// sourceParts returns the points of source k.
func (v *Survey) sourceParts(k int, in pdalprocess.Process) ([]las.Part, error) {
	if err := v.plan.Sources[k].unchanged(); err != nil {
		return nil, err
	}
	l, err := v.plan.open(v.host, k, in)
	if err != nil {
		return nil, err
	}
	return []las.Part{{File: v.plan.Sources[k].head(l), Records: l}}, nil
}

// tileParts returns the points of the core of tile n, by source.
func (v *Survey) tileParts(n int) (parts []las.Part, err error) {
	if m, err := v.mark("label", n); err != nil || m.Points == 0 {
		return nil, err
	}
	t := &v.plan.Tiles[n]
	if err := v.cutFor(t); err != nil {
		return nil, err
	}
	core := v.plan.Grid.Core(t.Column, t.Row)
	for _, k := range t.Sources {
		l, err := v.readSlice(n, k)
		if err != nil {
			return nil, err
		}
		if l != nil {
			parts = append(parts, las.Part{File: v.plan.Sources[k].head(l), Records: l, Keep: func(_ int, r []byte) (bool,
				error) {
				return core.Contains(l.Position(las.XYZ(r))), nil
			}})
		}
	}
	return parts, nil
}

// head returns the file with the header of a source: itself or, if it is no LAS, the one with its records.
func (s *source) head(records *las.File) *las.File {
	if l, err := pdalprocess.Header(s.Path); err == nil && l.Length == records.Length {
		return l
	}
	return records
}
