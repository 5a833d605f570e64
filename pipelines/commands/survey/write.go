package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

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
	if v.plan.Of == Sources {
		err = v.writeSourceOrder(n, in, raw, m)
	} else {
		err = v.copyTile(n, filepath.Join(work, raw), m)
	}
	if err != nil || m.Points == 0 {
		return err
	}
	m.File = v.plan.Results[n]
	made, err := in.Pack(v.host.Context(), raw, sources.Ending(m.File))
	if err != nil {
		return err
	}
	if made == raw && pdalprocess.UnpackedName(m.File) != m.File {
		m.File = pdalprocess.UnpackedName(m.File)
		v.host.Log(
			filter.LogWarning,
			fmt.Sprintf("%s: %s; the result is %s", v.plan.Results[n], pdalprocess.CannotPack, m.File),
		)
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

// copyTile writes the points of tile n to raw.
func (v *Survey) copyTile(n int, raw string, m *Mark) error {
	labelled, err := v.mark("label", n)
	if err != nil || labelled.Points == 0 {
		return err
	}
	l, err := las.Read(v.file("label", n, "las"))
	if err != nil {
		return err
	}
	created := v.plan.Layout.Created
	if created[1] == 0 {
		created = [2]int{time.Now().YearDay(), time.Now().Year()}
	}
	c, err := l.Neutral(created).Edit(raw, v.edit(nil))
	if err != nil {
		return err
	}
	defer c.Discard()
	err = l.Each(func(_ int, record []byte) error { return c.Append(c.Record(record)) })
	if err != nil {
		return err
	}
	sum, count := c.Sum()
	m.Sum, m.Points = uint32(sum), int64(count)
	return c.Close()
}

// edit returns how results differ from the records they are made of, but for the outputs. s is their source; nil = a tile.
func (v *Survey) edit(s *source) las.Edit {
	return las.Edit{WKT: v.plan.SRS, Force: s != nil && s.SRS != "", Modern: v.plan.COPC}
}
