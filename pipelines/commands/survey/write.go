package survey

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/records"
	"superpoint/pipelines/files/child"
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
	if m.Points > 0 {
		if err := v.addFile(m, v.Path("out", m.File)); err != nil {
			return err
		}
	}
	for _, name := range child.ResultNames(result) { // checkForeign has checked that they are of this plan
		if name == m.File {
			continue
		}
		if err := os.Remove(v.Path("out", name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// writeResult writes the points of a result to a compressed file.
func (v *Survey) writeResult(n int, m *Mark) error {
	work, clean, err := atomicfile.Workspace(v.Path("write"))
	if err != nil {
		return err
	}
	defer clean()
	raw := filepath.Join(work, "all.las")
	if v.plan.Of == Sources {
		err = v.writeSourceOrder(n, raw, m)
	} else {
		err = v.copyTile(n, raw, m)
	}
	if err != nil || m.Points == 0 {
		return err
	}
	m.File = v.plan.Results[n]
	made := raw
	if child.UnpackedName(m.File) != m.File {
		made = filepath.Join(work, "packed"+sources.Ending(m.File)) // by which pdal knows the format
		err := child.Pipeline(v.host.Context(), raw, v.plan.Layout.writer(made, "all"))
		switch {
		case child.RefusedToPack(err):
			made, m.File = raw, child.UnpackedName(m.File)
			v.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", v.plan.Results[n], child.CannotPack, m.File))
		case err != nil:
			return err
		default:
			if err := records.CheckLAZ(made, m.Points); err != nil {
				return err
			}
		}
	}
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
	l, err := records.Read(v.file("label", n, "las"))
	if err != nil {
		return err
	}
	sum, count, err := l.Copy(raw, func(int, []byte) (bool, error) { return true, nil })
	m.Sum, m.Points = uint32(sum), int64(count)
	return err
}
