package oracle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"superpoint/partition"
	"superpoint/partition/parallel"
)

// Path is the path 0–1–2–3 with values 0, 0.2, 1, 1.2 and unit contrasts. The
// pairs {0, 1} and {2, 3} have a fidelity of ½·0.04 = 0.02 each; joining all
// four costs 2·2/4·1 = 1 more.
func Path(lambda float64) *partition.Problem {
	return &partition.Problem{
		Graph: Graph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), Dim: 1,
		Values: []float32{0, .2, 1, 1.2}, Contrast: []float32{1, 1, 1}, Lambda: lambda, MinSize: 1,
	}
}

// Suite returns what is wrong with a solver, one error a finding: hand-worked
// and degenerate problems, random graphs (every property of Check, energy not
// above that of the trivial partitions), translation, cancellation, and equal
// results for any threads on a grid of side × side vertices.
func Suite(s partition.Solver, side int) (findings []error) {
	fail := func(format string, a ...any) { findings = append(findings, fmt.Errorf(format, a...)) }
	handWorked(s, fail)
	degenerate(s, fail)
	randomGraphs(s, fail)
	translation(s, fail)
	threads(s, side, fail)
	cancellation(s, fail)
	return findings
}

type failer func(format string, a ...any)

func handWorked(s partition.Solver, fail failer) {
	for _, c := range []struct {
		lambda, energy float64
		ids            []uint32
	}{
		{.01, .03, []uint32{0, 1, 2, 3}},
		{.5, .54, []uint32{0, 0, 1, 1}},
		{1.1, 1.04, []uint32{0, 0, 0, 0}},
	} {
		r := Solve(s, Path(c.lambda), 1)
		if !slices.Equal(r.Component, c.ids) || math.Abs(r.Energy-c.energy) > 1e-6 {
			fail("path, λ %g: ids %v, energy %g; want %v, %g", c.lambda, r.Component, r.Energy, c.ids, c.energy)
		}
	}
	bad := Path(.5)
	bad.Lambda = -1
	if _, err := s.Solve(parallel.Run{}, bad); err == nil {
		fail("λ = −1 is accepted")
	}
}

func degenerate(s partition.Solver, fail failer) {
	type problem = partition.Problem
	same, free, joined := Path(.5), Path(.5), Path(.5)
	same.Values = []float32{3, 3, 3, 3}
	free.Contrast, joined.Contrast = []float32{0, 0, 0}, []float32{0, 0, 0}
	joined.MinSize = 3
	two := &problem{Graph: Graph(5, [][2]int{{0, 1}, {2, 3}, {3, 4}}), Dim: 1,
		Values: []float32{0, 9, 0, 0, 9}, Contrast: []float32{1, 1, 1}, Lambda: .1, MinSize: 3}
	for _, c := range []struct {
		what  string
		p     *problem
		count int
	}{
		{"no vertices", &problem{Graph: Graph(0, nil), Dim: 2, Lambda: 1}, 0},
		{"one vertex", &problem{Graph: Graph(1, nil), Dim: 1, Values: []float32{4}, Lambda: 1, MinSize: 9}, 1},
		{"no edges", &problem{Graph: Graph(3, nil), Dim: 1, Values: []float32{1, 1, 1}, Lambda: 1, MinSize: 5}, 3},
		{"identical values", same, 1},
		{"zero weights", free, 4},
		{"zero weights, smallest size 3", joined, 1},
		{"an isolated part below the smallest size", two, 2},
	} {
		r := Solve(s, c.p, 2)
		if err := Check(c.p, r); err != nil || r.Count != c.count {
			fail("%s: %d components, want %d; %v", c.what, r.Count, c.count, err)
		}
	}
}

func randomGraphs(s partition.Solver, fail failer) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		p := Random(random, 1+random.IntN(60), 1+random.IntN(8), .02+.3*random.Float64())
		p.Sphere = random.IntN(p.Dim + 1)
		p.MinSize = random.IntN(6)
		r := Solve(s, p, 1)
		if err := Check(p, r); err != nil {
			fail("%d vertices, smallest size %d: %v", len(r.Component), p.MinSize, err)
		}
		single, whole := Trivial(p)
		if r.Energy > whole*(1+1e-5) && p.MinSize > 1 || p.MinSize <= 1 && r.Energy > min(single, whole)*(1+1e-5) {
			fail("energy %g, single vertices have %g, connected parts %g", r.Energy, single, whole)
		}
	}
}

// translation moves values by a constant that float32 adds without error.
func translation(s partition.Solver, fail failer) {
	p, q := Grid(40, 1, 5), Grid(40, 1, 5)
	for i := range p.Values {
		p.Values[i] = float32(math.Round(float64(p.Values[i])*1024) / 1024)
		q.Values[i] = p.Values[i] + 8
	}
	a, b := Solve(s, p, 1), Solve(s, q, 1)
	if math.Abs(a.Energy-b.Energy) > 2e-3*a.Energy {
		fail("energy %g after a translation, %g before", b.Energy, a.Energy)
	}
}

func threads(s partition.Solver, side int, fail failer) {
	for _, sphere := range []int{0, 4} {
		p := Grid(side, 2, 10)
		p.Sphere = sphere
		want := Solve(s, p, 1)
		if err := Check(p, want); err != nil {
			fail("grid: %v", err)
		}
		for _, k := range []int{2, 5} {
			got := Solve(s, p, k)
			if got.Energy != want.Energy || !slices.Equal(got.Component, want.Component) {
				fail("%d columns on the sphere: another partition with %d threads", sphere, k)
			}
		}
	}
}

func cancellation(s partition.Solver, fail failer) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var reports atomic.Int32
	run := parallel.Run{Context: ctx, Threads: 2, Report: func(f float64) {
		if f < 0 || f > 1 {
			fail("progress %g", f)
		}
		reports.Add(1)
		cancel()
	}}
	if _, err := s.Solve(run, Grid(60, 1, 10)); !errors.Is(err, context.Canceled) {
		fail("cancelled at the first of %d reports, but: %v", reports.Load(), err)
	}
}

// Benchmark times a solver on one thread on a grid of 202,500 vertices with 6.5
// edges each.
func Benchmark(b *testing.B, s partition.Solver) {
	p := Grid(450, 1, 10)
	n := float64(p.Graph.Vertices())
	b.ReportAllocs()
	for b.Loop() {
		r := Solve(s, p, 1)
		b.ReportMetric(n/float64(r.Count), "size")
		b.ReportMetric(r.Energy/n, "energy/point")
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
}
