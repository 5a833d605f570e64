package partition_test

import (
	"math"
	"strings"
	"testing"

	"superpoint/partition"
	"superpoint/partition/local"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

func TestSearchTargetReaches(t *testing.T) {
	p := oracle.Grid(100, 1, 0)
	for _, size := range []float64{8, 50, 400} {
		f, err := partition.SearchTarget(parallel.Run{}, local.Solver{}, p, size, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Reached || math.Abs(f.Mean/size-1) > .05 || f.MinSize != int(math.Max(1, math.Round(size/10))) {
			t.Errorf("size %g: mean %g, λ̃ %g, smallest %d, %d solves", size, f.Mean, f.Normalized, f.MinSize, f.Solves)
		}
		if f.Solves > 8 {
			t.Errorf("size %g: %d solves", size, f.Solves)
		}
		again, _ := partition.SearchTarget(parallel.Run{Threads: 1}, local.Solver{}, p, size, nil)
		if again.Normalized != f.Normalized || again.Energy != f.Energy {
			t.Errorf("size %g: another search found λ̃ %g, the first %g", size, again.Normalized, f.Normalized)
		}
	}
}

func TestSearchTargetSaysWhenItCannot(t *testing.T) {
	p := oracle.Grid(20, 1, 0)
	f, err := partition.SearchTarget(parallel.Run{}, local.Solver{}, p, 5000, nil)
	if err != nil || f.Reached || f.Count != 1 || f.Mean != 400 {
		t.Errorf("400 vertices into components of 5000: %+v, %v", f, err)
	}
	empty := &partition.Problem{Graph: oracle.Graph(0, nil), Dim: 1}
	if f, err := partition.SearchTarget(parallel.Run{}, local.Solver{}, empty, 5, nil); err != nil || f.Reached ||
		f.Count != 0 {
		t.Errorf("no vertices: %+v, %v", f, err)
	}
	for _, size := range []float64{0, .5, -3, math.NaN(), math.Inf(1)} {
		if _, err := partition.SearchTarget(parallel.Run{}, local.Solver{}, p, size, nil); err == nil ||
			!strings.Contains(err.Error(), "mean size") {
			t.Errorf("size %g: %v", size, err)
		}
	}
}
