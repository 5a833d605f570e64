package survey

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/records"
	"superpoint/filter/sources"
)

// errElsewhere is returned if the result is written under another name.
var errElsewhere = errors.New("the result is written elsewhere")

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
	for _, name := range possibleNames(result) { // checkForeign has checked that they are of this plan
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
	result := v.plan.Results[n]
	to, err := v.output(v.Path("out", result))
	if err != nil {
		return err
	}
	m.File = result
	err = to.File(func(temporary string) error {
		if child.UnpackedName(result) == result {
			if err := v.recordProvenance(n, raw); err != nil {
				return err
			}
			return atomicfile.Move(raw, temporary)
		}
		packed := filepath.Join(work, "packed"+sources.Ending(result)) // by which pdal knows the format
		err := child.Pipeline(v.host.Context(), raw, v.plan.Layout.writer(packed, "all"))
		if child.RefusedToPack(err) {
			m.File = child.UnpackedName(result)
			return v.writeUnpacked(n, raw)
		}
		if err != nil {
			return err
		}
		if err := records.CheckLAZ(packed, m.Points); err != nil {
			return err
		}
		if err := v.recordProvenance(n, packed); err != nil {
			return err
		}
		return atomicfile.Move(packed, temporary)
	})
	if errors.Is(err, errElsewhere) {
		return nil
	}
	return err
}

// writeUnpacked writes a result as LAS, and returns errElsewhere.
func (v *Survey) writeUnpacked(n int, raw string) error {
	result := v.plan.Results[n]
	name := child.UnpackedName(result)
	to, err := v.output(v.Path("out", name))
	if err == nil {
		err = to.File(func(temporary string) error {
			if err := v.recordProvenance(n, raw); err != nil {
				return err
			}
			return atomicfile.Move(raw, temporary)
		})
	}
	if err != nil {
		return err
	}
	v.host.Log(filter.LogWarning, fmt.Sprintf("%s: %s; the result is %s", result, child.CannotPack, name))
	return errElsewhere
}

// copyTile writes the points of tile n to raw.
func (v *Survey) copyTile(n int, raw string, m *Mark) error {
	labelled, err := v.mark("label", n)
	if err != nil || labelled.Points == 0 {
		return err
	}
	l, err := records.Read(v.tileLabels(n))
	if err != nil {
		return err
	}
	sum, count, err := l.Copy(raw, func(int, []byte) (bool, error) { return true, nil })
	m.Sum, m.Points = uint32(sum), int64(count)
	return err
}
