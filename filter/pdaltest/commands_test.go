package pdaltest

import (
	"strings"
	"testing"
)

func TestCommandErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		words []string
	}{
		{[]string{"nonsense"}, []string{"nonsense", "eval", "render"}},
		{[]string{"info", "/nowhere/a.laz"}, []string{"/nowhere/a.laz"}},
		{[]string{"eval", "--nonsense", "a.laz"}, []string{"nonsense", "--help"}},
		{[]string{"train", "--output", "m.safetensors"}, []string{"train", "--input"}},
	} {
		refused(t, pdal(t, nil, append([]string{"superpoint"}, c.args...)...), "", c.words...)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"superpoint"}, {"superpoint", "--help"}, {"superpoint", "help"}} {
		if o := pdal(t, nil, args...).ok(t); !strings.Contains(o.stdout, "compare") {
			t.Errorf("%v says %q", args, o.stdout)
		}
	}
	if o := pdal(t, nil, "superpoint", "eval", "--help").ok(t); !strings.Contains(o.stdout, "--truth") {
		t.Errorf("eval --help says %q", o.stdout)
	}
}

// TestOneDash writes options with one dash, which pdal takes apart into -t -r -u -t
// and keeps -h of.
func TestOneDash(t *testing.T) {
	t.Parallel()
	for wrong, right := range map[string]string{"-truth": "--truth", "-target_size": "--target_size",
		"-output": "--output"} {
		refused(t, pdal(t, nil, "superpoint", "eval", wrong, "Classification", "a.laz"), "", "two dashes: "+right)
	}
	refused(t, pdal(t, nil, "superpoint", "render", "--tilt", "-30", "a.laz", "a.png"), "",
		"equals sign, as in --tilt=-30")
}
