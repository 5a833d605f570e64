package pdaltest

import (
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/heights"
)

// TestClassCodesFitThePointFormat: formats below 6 have five bits for a class. A greater one is
// refused before points are read; the stage, which does not know the writer, warns. The campaign
// has both for every format and command.
func TestClassCodesFitThePointFormat(t *testing.T) {
	t.Parallel()
	high, low := heights.FileOf(t, 2, 64), heights.FileOf(t, 2, 31)
	folder := t.TempDir()
	in, out := cloudFile(t, folder, "in.las", 4, 3), filepath.Join(folder, "out.las")
	for _, c := range []struct{ option, classes, change string }{{"classes", high, "all"}, {"class_change", low, "0,41"}} {
		refused(t, segment(t, "--classes", c.classes, "--class_change", c.change, in, out), out, "option "+c.option,
			"point format 3 holds 0 to 31")
	}
	for format, warns := range map[int]bool{3: true, 6: false} {
		in := cloudFile(t, folder, "in.las", 4, format)
		o := pipeline(t, nil, in, superpoint(stage{"classes": high}), writer(out)).ok(t)
		if strings.Contains(o.stderr, "class 64 needs LAS point format 6") != warns {
			t.Errorf("format %d: the stage says\n%s", format, o.stderr)
		}
	}
}
