package pdaltest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// Every output of segment belongs to one input: what could become one file is refused
// before any work, and another input of the same name does not keep the former result.
func TestOutputsBelongToOneInput(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in"), filepath.Join(folder, "out")+"/"
	must.OK(t, os.Mkdir(in, 0o777))
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	move(t, path, filepath.Join(in, "a.las"))
	segment(t, filepath.Join(in, "a.las"), out).ok(t)
	pdal(t, nil, "translate", filepath.Join(in, "a.las"), filepath.Join(in, "a.laz")).ok(t)
	refused(t, segment(t, in, filepath.Join(folder, "both")), filepath.Join(folder, "both"), "may both become", "a.laz")

	// another file of the same name, older than the result
	path, p := houseFile(t, 752_000, 5_412_000, 2)
	move(t, path, filepath.Join(in, "a.las"))
	must.OK(t, os.Chtimes(filepath.Join(in, "a.las"), time.Time{}, time.Now().Add(-24*time.Hour)))
	segment(t, filepath.Join(in, "a.las"), out).ok(t)
	if got := read(t, filepath.Join(out, "a.las")); got.X[0] != p.X[0] {
		t.Errorf("the result begins at %v and its input at %v", got.X[0], p.X[0])
	}
	o := segment(t, filepath.Join(in, "a.las"), out)
	if o.stdout != "" || o.code != 0 || !strings.Contains(o.stderr, "1 of 1 output of the same inputs") {
		t.Errorf("done again: exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	if o := segment(t, "--knn", "9", filepath.Join(in, "a.las"), out).ok(t); o.stdout == "" {
		t.Error("with another option the former result stays")
	}
	// what segment did not make is not written over unless that is asked for
	path, _ = houseFile(t, 652_000, 5_412_000, 3)
	move(t, path, filepath.Join(out, "a.las"))
	refused(t, segment(t, filepath.Join(in, "a.las"), out), "", "was not made by segment", "--force")
	segment(t, "--force", filepath.Join(in, "a.las"), out).ok(t)
}

func move(t *testing.T, from, to string) {
	t.Helper()
	must.OK(t, os.Rename(from, to))
}

// Pipes are neither read, which would wait for ever, nor replaced by files.
func TestPipesAreRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in, pipe := filepath.Join(folder, "in.las"), filepath.Join(folder, "pipe.las")
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	move(t, path, in)
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"segment", "--model", "geometric", pipe, filepath.Join(folder, "out.las")},
		{"segment", "--model", "geometric", in, pipe}, {"survey", "plan", "--output", filepath.Join(folder, "s"), pipe}} {
		refused(t, pdal(t, nil, append([]string{"superpoint"}, args...)...), "", "is a pipe or a device")
		if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Fatalf("%q: the pipe is gone: %v", args, err)
		}
	}
}

// A survey that is planned again has none of the former tiles, and one whose model was
// replaced, or whose sources are one file twice, is refused.
func TestSurveysDoNotMix(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for k, name := range []string{"a.las", "b.las"} {
		must.OK(t, las.WriteFile(at(name), house(652_000+24*float64(k), 5_412_000, uint64(k+1)), 0.001))
	}
	model := must.Get(os.ReadFile("../../embed/models/aerial.safetensors"))(t)
	must.OK(t, os.WriteFile(at("model"), model, 0o666))
	plan := func(args ...string) outcome {
		return pdal(t, nil, append([]string{"superpoint", "survey", "plan", "--output", at("s"), "--model", at("model")},
			args...)...)
	}
	run := func() outcome { return pdal(t, nil, "superpoint", "survey", "run", at("s")) }
	must.OK(t, os.Symlink("a.las", at("link.las")))
	refused(t, plan(at("a.las"), at("link.las")), "", "the same points", at("link.las"))
	must.OK(t, os.Remove(at("link.las")))
	plan("--tile", "24", "--results", "tiles", at("a.las"), at("b.las")).ok(t)
	run().ok(t)
	first := tilesOf(t, at("s"))
	o := plan("--tile", "5000", "--results", "tiles", at("a.las"), at("b.las")).ok(t)
	if !strings.Contains(o.stderr, "are removed: tile_000_000.laz") || len(tilesOf(t, at("s"))) != 0 {
		t.Errorf("%v stay of %v\n%s", tilesOf(t, at("s")), first, o.stderr)
	}
	must.OK(t, os.WriteFile(filepath.Join(at("s"), "out", "other.laz"), []byte("x"), 0o666))
	refused(t, run(), "", "holds other.laz")
	must.OK(t, os.Remove(filepath.Join(at("s"), "out", "other.laz")))
	run().ok(t)
	if now := tilesOf(t, at("s")); len(first) < 2 || len(now) != 1 {
		t.Errorf("%v after %v", now, first)
	}
	must.OK(t, os.WriteFile(at("model"), append(model, 0), 0o666))
	refused(t, run(), "", "has changed since the survey was planned")
}

func tilesOf(t *testing.T, survey string) []string {
	t.Helper()
	all := must.Get(filepath.Glob(filepath.Join(survey, "out", "*.la[sz]")))(t)
	return all
}
