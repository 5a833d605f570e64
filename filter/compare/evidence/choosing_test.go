package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChoosingHasTheCells: the tables of methods and of sizes of choosing.md are what
// the committed cells of val say, and its other figures are those of MEASURED.md.
// TestFloors reads its row of models in colour.
func TestChoosingHasTheCells(t *testing.T) {
	read := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("..", "..", "..", "pipelines", "choosing.md")
	all, err := readCells(filepath.Join("..", "cells", "val.csv"))
	if err != nil {
		t.Fatal(err)
	}
	const tile, table = "lidarhd_77055_627760", "mosd_test45"
	for method, settings := range map[string][]string{"ssp": nil, "geom-graph": nil, "lin": nil,
		"vccs": {"vccs+normal_importance=0.4"}} {
		systems := append([]string{method}, settings...)
		want := "| " + triple(t, all, tile, 100, systems) + " | " + triple(t, all, table, 100, systems) + " |"
		if !strings.Contains(page, want) || !strings.Contains(page, "\n| `"+method+"` |") {
			t.Errorf("choosing.md has no row of %s with %s", method, want)
		}
	}
	sizes := "| OOA / BR / BP |"
	for _, size := range []int{50, 100, 200, 400} {
		sizes += " " + triple(t, all, tile, size, []string{"ssp"}) + " |"
	}
	if !strings.Contains(page, sizes) {
		t.Errorf("choosing.md has no row %s", sizes)
	}
	measured := read("..", "..", "..", "embed", "train", "recipes", "MEASURED.md")
	for _, figures := range []string{"97.1 / 71 / 28.1", "95.4 / 61 / 23.6"} {
		if !strings.Contains(page, figures) || !strings.Contains(measured, figures) {
			t.Errorf("%s is not in both of choosing.md and MEASURED.md", figures)
		}
	}
}

// triple is OOA / BR as coded / BP of the system with the best OOA.
func triple(t *testing.T, all []cell, set string, size int, systems []string) (best string) {
	t.Helper()
	highest := -1.0
	for _, c := range all {
		for _, system := range systems {
			if c.set != set || c.size != size || c.system != system {
				continue
			}
			if s := c.Scores(); float64(s.OOA) > highest {
				highest = float64(s.OOA)
				best = fmt.Sprintf("%.1f / %.0f / %.1f", 100*s.OOA, 100*s.BRAsCoded, 100*s.BP)
			}
		}
	}
	if best == "" {
		t.Fatalf("no cell of %v on %s at N/%d", systems, set, size)
	}
	return best
}
