package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kept are the cells of the page.
func kept(t *testing.T) cells {
	t.Helper()
	c, err := readCells("cells.csv")
	if err != nil || len(c) == 0 {
		t.Fatal(len(c), err)
	}
	return c
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPageIsOfItsCells: the tables of README.md are what its cells say.
func TestPageIsOfItsCells(t *testing.T) {
	text := readText(t, "README.md")
	made, err := kept(t).page(text)
	if err != nil {
		t.Fatal(err)
	}
	if made != text {
		t.Error("the tables are not those of cells.csv; run go run ./filter/compare/classes -cells CELLS -page PAGE")
	}
}

// TestMeansAreOfTheClasses: the mean IoU of a cell is the mean of its classes.
func TestMeansAreOfTheClasses(t *testing.T) {
	c, checked := kept(t), 0
	for _, k := range c.sorted() {
		if k.measure != meanIoU {
			continue
		}
		sum, n := 0.0, 0.0
		for o, v := range c {
			if strings.HasPrefix(o.measure, iouOf) && o.set == k.set && o.file == k.file && o.method == k.method {
				sum, n = sum+v, n+1
			}
		}
		if checked++; math.Abs(sum/n-c[k]) > 0.0006 {
			t.Errorf("%v is %g, its %g classes' mean %g", k, c[k], n, sum/n)
		}
	}
	if checked == 0 {
		t.Error("no means")
	}
}

// TestTheWalkHasTheCells: the numbers of pipelines/classes.md are those of the cells,
// and others are found.
func TestTheWalkHasTheCells(t *testing.T) {
	c, text := kept(t), readText(t, filepath.Join("..", "..", "..", "pipelines", "classes.md"))
	made, err := c.walk(text)
	if err != nil || made != text {
		t.Errorf("pipelines/classes.md is not of cells.csv (%v); run measure.sh", err)
	}
	c[key{"val", walked, own, iouOf + "vegetation"}] = 0.125
	if made, err = c.walk(text); err != nil || made == text || len(made) != len(text) {
		t.Errorf("another number changed nothing: %v", err)
	}
	if _, err = c.walk("On this tile all is right"); err == nil {
		t.Error("a walk without numbers was taken")
	}
}

// TestCellsComeBack: what is written is read, other methods stay, and what is broken
// is refused.
func TestCellsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.csv")
	c := cells{{"val", "a", own, accuracy}: 0.5, {"val", "a", own, "IoU water"}: 0.25, {"val", "a", rival, accuracy}: 0.75}
	c.replace(cells{{"val", "a", own, accuracy}: 0.625})
	if err := c.write(path); err != nil {
		t.Fatal(err)
	}
	got, err := readCells(path)
	if err != nil || len(got) != 2 || got[key{"val", "a", own, accuracy}] != 0.625 ||
		got[key{"val", "a", rival, accuracy}] != 0.75 {
		t.Errorf("%v %v", got, err)
	}
	for _, broken := range []string{"", "a,b\n", "set,file,method,measure,value\nval,a,b,c,x\n",
		"set,file,method,measure,value\nval,a,b,c,1\nval,a,b,c,2\n"} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readCells(path); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

// TestScoreByHand: two classes that labels do not tell apart count as one, and a rare
// one is in no mean.
func TestScoreByHand(t *testing.T) {
	s := &score{names: []string{"ground", "vegetation", "other", "water"}, merged: []int{0, 1, 1, 3},
		count: [][]int{{300, 100, 0, 0}, {0, 200, 0, 0}, {0, 0, 0, 0}, {50, 0, 0, 0}}}
	c := s.cells("val", "a", own)
	want := cells{{"val", "a", own, accuracy}: 500. / 650, {"val", "a", own, "IoU ground"}: 300. / 450,
		{"val", "a", own, "IoU vegetation+other"}: 200. / 300, {"val", "a", own, meanIoU}: 2. / 3}
	for _, k := range want.sorted() {
		if math.Abs(c[k]-want[k]) > 1e-12 {
			t.Errorf("%v is %g, want %g", k, c[k], want[k])
		}
	}
	if len(c) != len(want) || !slices.Equal(c.sorted(), want.sorted()) {
		t.Errorf("%v", c)
	}
}
