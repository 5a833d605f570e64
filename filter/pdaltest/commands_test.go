package pdaltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommandErrors(t *testing.T) {
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
	for _, args := range [][]string{{"superpoint"}, {"superpoint", "--help"}, {"superpoint", "help"}} {
		if o := pdal(t, nil, args...).ok(t); !strings.Contains(o.stdout, "compare") {
			t.Errorf("%v says %q", args, o.stdout)
		}
	}
	if o := pdal(t, nil, "superpoint", "eval", "--help").ok(t); !strings.Contains(o.stdout, "--truth") {
		t.Errorf("eval --help says %q", o.stdout)
	}
}

// TestEvalReadsAnyFile evaluates a LAZ file; -truth with one dash is what pdal
// takes apart into -t -r -u -t -h.
func TestEvalReadsAnyFile(t *testing.T) {
	in, _ := houseFile(t, 400000, 6000000, 1)
	laz := filepath.Join(t.TempDir(), "house.laz")
	pipeline(t, nil, reader(in), writer(laz)).ok(t)
	for _, dash := range []string{"-", "--"} {
		o := pdal(t, nil, "superpoint", "eval", dash+"model", "geometric", dash+"truth", "Classification", dash+"format", "json", laz).ok(t)
		if !json.Valid([]byte(o.stdout)) || !strings.Contains(strings.ToLower(o.stdout), "ooa") {
			t.Errorf("eval says %q", o.stdout)
		}
	}
}

func TestRenderWritesAPicture(t *testing.T) {
	in, _ := houseFile(t, 0, 0, 1)
	png := filepath.Join(t.TempDir(), "house.png")
	pdal(t, nil, "superpoint", "render", "--model", "geometric", "--width", "200", in, png).ok(t)
	data, err := os.ReadFile(png)
	if err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
