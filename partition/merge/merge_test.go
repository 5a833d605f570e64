package merge

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"slices"
	"sync/atomic"
	"testing"

	"superpoint/partition"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

// A path 0–1–2–3 with values 0, 0.2, 1, 1.2 and unit contrasts. The pairs {0,1}
// and {2,3} have loss ½·0.04 = 0.02 each; joining all four costs 2·2/4·1 = 1 more.
func path(lambda float64) *partition.Problem {
	return &partition.Problem{
		Graph: oracle.Graph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), Dim: 1,
		Values: []float32{0, .2, 1, 1.2}, Contrast: []float32{1, 1, 1}, Lambda: lambda, MinSize: 1,
	}
}

func TestMergeHandWorked(t *testing.T) {
	for _, c := range []struct {
		lambda, energy float64
		ids            []uint32
	}{
		{.01, .03, []uint32{0, 1, 2, 3}},
		{.5, .54, []uint32{0, 0, 1, 1}},
		{1.1, 1.04, []uint32{0, 0, 0, 0}},
	} {
		r := oracle.Solve(Solver{}, path(c.lambda), 1)
		if !slices.Equal(r.Component, c.ids) || math.Abs(r.Energy-c.energy) > 1e-6 {
			t.Errorf("λ %g: ids %v, energy %g; want %v, %g", c.lambda, r.Component, r.Energy, c.ids, c.energy)
		}
	}
}

func TestMergeRandomGraphs(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 300 {
		p := oracle.Random(random, 1+random.Intn(60), 1+random.Intn(8), .02+.3*random.Float64())
		p.Sphere = random.Intn(p.Dim + 1)
		p.MinSize = random.Intn(6)
		r := oracle.Solve(Solver{}, p, 1)
		if err := oracle.Check(p, r); err != nil {
			t.Fatal(err)
		}
		single, whole := oracle.Trivial(p)
		if p.MinSize <= 1 && r.Energy > single+1e-5 {
			t.Errorf("energy %g above that of single vertices, %g (whole %g)", r.Energy, single, whole)
		}
	}
}

func TestMergeIsTheSameForAnyThreads(t *testing.T) {
	for _, sphere := range []int{0, 4} {
		p := oracle.Grid(300, 1, 10)
		p.Sphere = sphere
		want := oracle.Solve(Solver{}, p, 1)
		if err := oracle.Check(p, want); err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 5} {
			got := oracle.Solve(Solver{}, p, threads)
			if got.Energy != want.Energy || !slices.Equal(got.Component, want.Component) {
				t.Fatalf("%d threads: another partition", threads)
			}
		}
	}
}

// The same values moved by a constant that float32 adds without error.
func TestMergeIsTranslationInvariant(t *testing.T) {
	p, q := oracle.Grid(60, 1, 5), oracle.Grid(60, 1, 5)
	for i := range p.Values {
		p.Values[i] = float32(math.Round(float64(p.Values[i])*1024) / 1024)
		q.Values[i] = p.Values[i] + 8
	}
	a, b := oracle.Solve(Solver{}, p, 1), oracle.Solve(Solver{}, q, 1)
	if math.Abs(a.Energy-b.Energy) > 1e-4*a.Energy {
		t.Errorf("energy %g moved, %g in place", b.Energy, a.Energy)
	}
}

func TestMergeDegenerate(t *testing.T) {
	empty := &partition.Problem{Graph: oracle.Graph(0, nil), Dim: 2, Lambda: 1}
	if r := oracle.Solve(Solver{}, empty, 2); r.Count != 0 || r.Energy != 0 {
		t.Errorf("no vertices: %+v", r)
	}
	lone := &partition.Problem{Graph: oracle.Graph(3, nil), Dim: 1, Values: []float32{1, 1, 1}, Lambda: 1, MinSize: 5}
	if r := oracle.Solve(Solver{}, lone, 2); r.Count != 3 {
		t.Errorf("no edges: %+v", r)
	}
	same := path(.5)
	same.Values = []float32{3, 3, 3, 3}
	if r := oracle.Solve(Solver{}, same, 2); r.Count != 1 || r.Energy != 0 {
		t.Errorf("identical values: %+v", r)
	}
	free := path(.5)
	free.Contrast = []float32{0, 0, 0}
	if r := oracle.Solve(Solver{}, free, 2); r.Count != 4 || r.Energy != 0 {
		t.Errorf("zero weights: %+v", r)
	}
	free.MinSize = 3
	if r := oracle.Solve(Solver{}, free, 2); r.Count != 1 {
		t.Errorf("smallest size 3 of 4 vertices: %+v", r)
	}
}

func TestMergeProgressAndCancel(t *testing.T) {
	p := oracle.Grid(100, 1, 10)
	ctx, cancel := context.WithCancel(context.Background())
	var reports atomic.Int32
	run := parallel.Run{Context: ctx, Threads: 2, Report: func(f float64) {
		if f < 0 || f > 1 {
			t.Errorf("progress %g", f)
		}
		reports.Add(1)
		cancel()
	}}
	if _, err := (Solver{}).Solve(run, p); !errors.Is(err, context.Canceled) || reports.Load() != 1 {
		t.Errorf("error %v after %d reports", err, reports.Load())
	}
}
