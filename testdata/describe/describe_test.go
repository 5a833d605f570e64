package main

import (
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// TestRow describes a grid whose lines are 0.5 m apart, with points 0.1 m apart
// along them: 20 points a square metre, flat.
func TestRow(t *testing.T) {
	p := &las.Points{}
	for i := range 200 {
		for j := range 41 {
			p.X, p.Y, p.Z = append(p.X, float64(i)*.1), append(p.Y, float64(j)*.5), append(p.Z, 3)
		}
	}
	line, err := row("grid", p)
	if err != nil {
		t.Fatal(err)
	}
	// nearest 0.1 m, fifth 0.3 m or 0.5 m; no thickness
	if !strings.HasPrefix(line, "| grid | 8200 | ") || !strings.Contains(line, "| 0.100, 0.300 |") ||
		!strings.Contains(line, "| 0.0000, 0.0000 |") {
		t.Errorf("described as %s", line)
	}
	if _, err := row("few", &las.Points{X: p.X[:5], Y: p.Y[:5], Z: p.Z[:5]}); err == nil {
		t.Error("5 points were described")
	}
}
