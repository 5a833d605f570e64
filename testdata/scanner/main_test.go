package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/realdata"
)

func scanner(t *testing.T, args ...string) error {
	t.Helper()
	var log strings.Builder
	err := run(t.Context(), args, &log)
	t.Log(log.String())
	return err
}

func TestSameBytesForAnyThreads(t *testing.T) {
	dir := t.TempDir()
	var first []byte
	for _, threads := range []string{"1", "3"} {
		path := filepath.Join(dir, threads+".las")
		if err := scanner(t, "-points", "20000", "-threads", threads, "-o", path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Error("3 threads write other bytes than 1")
		}
	}
	p, err := las.ReadFile(filepath.Join(dir, "1.las"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 20_000 || p.X[0] < 600_000 || !strings.Contains(p.WKT, "32632") || p.Red == nil {
		t.Errorf("%d points from x = %g, coordinate system %q", p.Len(), p.X[0], p.WKT)
	}
}

func TestLAZThroughPDAL(t *testing.T) {
	if _, err := realdata.PDAL(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	laz, back := filepath.Join(dir, "a.laz"), filepath.Join(dir, "b.las")
	if err := scanner(t, "-scene", "room", "-points", "5000", "-o", laz); err != nil {
		t.Fatal(err)
	}
	if err := realdata.Translate(laz, back); err != nil {
		t.Fatal(err)
	}
	p, err := las.ReadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	classes := map[uint8]int{}
	for i, c := range p.Classification {
		classes[c]++
		if p.PointSourceID[i] == 0 && c != 7 && c != 18 {
			t.Fatalf("point %d of class %d has no object", i, c)
		}
	}
	if p.Len() != 5000 || classes[22] == 0 || classes[21] == 0 {
		t.Errorf("%d points, classes %v", p.Len(), classes)
	}
}

func TestRefusalsLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"unknown scene":      {"-scene", "castle"},
		"indoor":             {"-scene", "room", "-mode", "aerial"},
		"name a .las, .l":    {"-o", filepath.Join(dir, "x.ply")},
		"unexpected argumen": {"village"},
		"points 0":           {"-points", "0"},
	} {
		if err := scanner(t, append([]string{"-o", filepath.Join(dir, "x.las")}, args...)...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: want an error with %q, got %v", args, want, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files left", len(left))
	}
}
