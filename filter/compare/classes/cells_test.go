package main

import (
	"fmt"
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

// TestTheWalkHasTheCells: the numbers of pipelines/classes.md are those of the cells.
func TestTheWalkHasTheCells(t *testing.T) {
	c := kept(t)
	walk := strings.Join(strings.Fields(readText(t, filepath.Join("..", "..", "..", "pipelines", "classes.md"))), " ")
	of := func(measure string) float64 { return c[key{"val", "lidarhd_77055_627760", own, measure}] }
	for _, want := range []string{
		fmt.Sprintf("On this tile %.0f %% of the points get the class that IGN gives them", 100*of(accuracy)),
		fmt.Sprintf("ground has an IoU of %.2f, building %.2f, vegetation %.2f, and other things (cars, fences, walls) %.2f",
			of("IoU ground"), of("IoU building"), of("IoU vegetation"), of("IoU other")),
		fmt.Sprintf("50 labels that the tool chose reach %.0f %% and more of the accuracy", math.Floor(100*c.leastShare(50))),
	} {
		if !strings.Contains(walk, want) {
			t.Errorf("pipelines/classes.md lacks: %s", want)
		}
	}
}

// leastShare is the least share of a file.
func (c cells) leastShare(labels int) float64 {
	least := math.Inf(1)
	for _, file := range c.files("val", byTool, labelled+allOf) {
		least = min(least, c.share(file, labels))
	}
	return least
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
