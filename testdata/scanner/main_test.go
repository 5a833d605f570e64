// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
	"superpoint/testdata/scan"
)

func scanner(t *testing.T, args ...string) error {
	t.Helper()
	var log strings.Builder
	err := run(t.Context(), args, &log)
	t.Log(log.String())
	return err
}

func TestLAS(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.las")
	must.OK(t, scanner(t, "-points", "20000", "-o", path))
	p := must.Get(las.ReadFile(path))(t)
	must.Need(t, p.Len() == 20_000, "p.Len() is %v, want 20_000", p.Len())
	must.Hold(t, p.X[0] >= 600_000, "p.X[0] is %v, want at least 600_000", p.X[0])
	must.Say(t, p.WKT, "32632")
	must.Hold(t, p.Red != nil, "p.Red is nil")
}

// TestRaw: the points are as from a supplier, and their truth is that of the labelled scan.
func TestRaw(t *testing.T) {
	dir := t.TempDir()
	labelled, raw := filepath.Join(dir, "a.las"), filepath.Join(dir, "b.las")
	must.OK(t, scanner(t, "-points", "20000", "-o", labelled))
	must.OK(t, scanner(t, "-points", "20000", "-raw", "-o", raw))
	want, p := must.Get(las.ReadFile(labelled))(t), must.Get(las.ReadFile(raw))(t)
	for i := range want.X {
		if p.X[i] != want.X[i] || p.Classification[i] != 0 ||
			p.Extra[scan.TrueClass][i] != float64(want.Classification[i]) ||
			p.Extra[scan.TrueObject][i] != float64(want.PointSourceID[i]) {
			t.Fatalf("point %d: class %d, true class %v of %d", i, p.Classification[i],
				p.Extra[scan.TrueClass][i],
				want.Classification[i])
		}
	}
}

func TestLAZThroughPDAL(t *testing.T) {
	if _, err := realdata.PDAL(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	laz, back := filepath.Join(dir, "a.laz"), filepath.Join(dir, "b.las")
	must.OK(t, scanner(t, "-scene", "room", "-points", "5000", "-o", laz))
	must.OK(t, realdata.Translate(laz, back, "all"))
	p := must.Get(las.ReadFile(back))(t)
	classes := map[uint8]int{}
	for i, c := range p.Classification {
		classes[c]++
		if p.PointSourceID[i] == 0 && c != 7 {
			must.Need(t, c == 18, "point %d of class %d has no object: c is not 18", i, c)
		}
	}
	must.Equal(t, p.Len(), 5000, "points")
	must.Hold(t, classes[22] != 0, "classes[22] is 0")
	must.Hold(t, classes[21] != 0, "classes[21] is 0")
	// of the record length in the header; bytes of a point without extra dimensions
	const lengthAt, format7 = 105, 36
	for _, c := range []struct {
		args  []string
		extra uint16
	}{{nil, 0}, {[]string{"-raw"}, 3}} {
		must.OK(t, scanner(t, append(c.args, "-points", "5000", "-o", laz)...))
		header := must.Get(os.ReadFile(laz))(t)
		must.Equal(t, binary.LittleEndian.Uint16(header[lengthAt:]), format7+c.extra,
			"%v: bytes a point", c.args)
	}
}

func TestErrorsLeaveNoFiles(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"unknown scene":      {"-scene", "castle"},
		"indoor":             {"-scene", "room", "-mode", "aerial"},
		"name a .las or .":   {"-o", filepath.Join(dir, "x.ply")},
		"unexpected argumen": {"village"},
		"points 0":           {"-points", "0"},
	} {
		must.Fail(scanner(t, append([]string{"-o", filepath.Join(dir, "x.las")}, args...)...))(t, want)
	}
	left, _ := os.ReadDir(dir)
	must.Hold(t, len(left) == 0, "%d files left", len(left))
}

// TestKindsScript compares small clouds of every kind, of two seeds, with the digests of kinds.txt: recipes
// and cells of evidence are of these bytes. An unknown kind is an error.
func TestKindsScript(t *testing.T) {
	dir, want := t.TempDir(), string(must.Get(os.ReadFile("kinds.txt"))(t))
	args := []string{dir, "2", "5", "3000"}
	for line := range strings.Lines(want) {
		if kind, even := strings.CutSuffix(strings.Fields(line)[0], "_6.las"); even {
			args = append(args, strings.TrimPrefix(kind, "sim_"))
		}
	}
	out, err := exec.Command("./kinds.sh", args...).CombinedOutput()
	must.Need(t, err == nil, "%v: %s", err, out)
	var got strings.Builder
	for _, path := range must.Get(filepath.Glob(filepath.Join(dir, "*.las")))(t) {
		fmt.Fprintf(&got, "%s %x\n", filepath.Base(path), sha256.Sum256(must.Get(os.ReadFile(path))(t)))
	}
	must.Hold(t, got.String() == want, "kinds.txt has\n%s\nnow\n%s", want, got.String())
	out, err = exec.Command("./kinds.sh", dir, "1", "5", "3000", "castle").CombinedOutput()
	must.Hold(t, err != nil, "kind castle: no error")
	must.Hold(t, strings.Contains(string(out), "castle"),
		"kind castle: got %q, want %q in it", string(out), "castle")
}
