// SPDX-License-Identifier: BSD-3-Clause

// Package oracle has the reference implementations that tests of solvers use:
// random and grid problems, the optimum by enumeration of all partitions, and
// checks of results against their definitions. It favours simple code over
// speed, so that it can be verified by reading.
package oracle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
)

// Path is the path 0–1–2–3 with values 0, 0.2, 1, 1.2 and unit contrasts. The
// pairs {0, 1} and {2, 3} have a fidelity of ½·0.04 = 0.02 each; merging them
// adds 2·2/4·1 = 1.
func Path(lambda float64) *problem.Problem {
	return &problem.Problem{
		Graph: Graph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}), Dim: 1,
		Values: []float32{0, .2, 1, 1.2}, Contrast: []float32{1, 1, 1}, Lambda: lambda, MinSize: 1,
	}
}

// Suite tests a solver and returns one error for each failure. It tests problems with
// known solutions, degenerate problems, random graphs (Check, and an energy not above
// the energy of the trivial partitions), translation of the values, cancellation, and
// equal results for any number of threads on a grid of side × side vertices.
func Suite(s problem.Solver, side int) (findings []error) {
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

func handWorked(s problem.Solver, fail failer) {
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
			fail("path, λ %g: ids %v, energy %g; want %v, %g", c.lambda, r.Component, r.Energy,
				c.ids, c.energy)
		}
	}
	bad := Path(.5)
	bad.Lambda = -1
	if _, err := s.Solve(parallel.Run{}, bad); err == nil {
		fail("λ = −1 is accepted")
	}
}

func degenerate(s problem.Solver, fail failer) {
	same := Path(.5)
	free := Path(.5)
	joined := Path(.5)
	same.Values = []float32{3, 3, 3, 3}
	free.Contrast, joined.Contrast = []float32{0, 0, 0}, []float32{0, 0, 0}
	joined.MinSize = 3
	two := &problem.Problem{Graph: Graph(5, [][2]int{{0, 1}, {2, 3}, {3, 4}}), Dim: 1,
		Values: []float32{0, 9, 0, 0, 9}, Contrast: []float32{1, 1, 1}, Lambda: .1, MinSize: 3}
	for _, c := range []struct {
		what  string
		p     *problem.Problem
		count int
	}{
		{"no vertices", &problem.Problem{Graph: Graph(0, nil), Dim: 2, Lambda: 1}, 0},
		{"one vertex", &problem.Problem{Graph: Graph(1, nil), Dim: 1, Values: []float32{4}, Lambda: 1,
			MinSize: 9}, 1},
		{"no edges", &problem.Problem{Graph: Graph(3, nil), Dim: 1, Values: []float32{1, 1, 1}, Lambda: 1,
			MinSize: 5}, 3},
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

func randomGraphs(s problem.Solver, fail failer) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		p := Random(random, 1+random.IntN(60), 1+random.IntN(8), .02+.3*random.Float64())
		if p.Dim > 1 && random.IntN(2) == 0 {
			Weigh(random, p)
		}
		p.MinSize = random.IntN(6)
		r := Solve(s, p, 1)
		if err := Check(p, r); err != nil {
			fail("%d vertices, smallest size %d: %v", len(r.Component), p.MinSize, err)
		}
		single, whole := Trivial(p)
		if r.Energy > whole*(1+1e-5) && p.MinSize > 1 || p.MinSize <= 1 &&
			r.Energy > min(single, whole)*(1+1e-5) {
			fail("energy %g, single vertices have %g, connected parts %g", r.Energy, single, whole)
		}
	}
}

// translation adds a constant to the values. They are multiples of 2⁻¹⁰, so the
// float32 sums are exact.
func translation(s problem.Solver, fail failer) {
	p := Grid(40, 1, 5)
	q := Grid(40, 1, 5)
	for i := range p.Values {
		p.Values[i] = float32(math.Round(float64(p.Values[i])*1024) / 1024)
		q.Values[i] = p.Values[i] + 8
	}
	a := Solve(s, p, 1)
	b := Solve(s, q, 1)
	if math.Abs(a.Energy-b.Energy) > 2e-3*a.Energy {
		fail("energy %g after a translation, %g before", b.Energy, a.Energy)
	}
	far := Grid(70, 1, 5) // of values whose float32 means are too inaccurate for the energy
	for i := range far.Values {
		far.Values[i] = float32(math.Round(float64(far.Values[i])*1024)/1024) + 1024
	}
	if err := Check(far, Solve(s, far, 1)); err != nil {
		fail("values above 1000: %v", err)
	}
}

func threads(s problem.Solver, side int, fail failer) {
	for _, weighted := range []bool{false, true} {
		p := Grid(side, 2, 10)
		if weighted {
			Weigh(rand.New(rand.NewPCG(4, 4)), p)
		}
		want := Solve(s, p, 1)
		if err := Check(p, want); err != nil {
			fail("grid: %v", err)
		}
		for _, k := range []int{2, 5} {
			got := Solve(s, p, k)
			if got.Energy != want.Energy || !slices.Equal(got.Component, want.Component) {
				fail("weights %v: another partition with %d threads", weighted, k)
			}
		}
	}
}

func cancellation(s problem.Solver, fail failer) {
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

// Parts returns the connected components of the vertices that share an id,
// numbered by first vertex, and their number. Ids all equal give the connected
// components of the graph.
func Parts(p *problem.Problem, id []uint32) ([]uint32, int) {
	n := p.Graph.Vertices()
	part := arrays.Indices[uint32](n)
	for changed := true; changed; {
		changed = false
		for u := range n {
			for _, v := range p.Graph.Head[p.Graph.Start[u]:p.Graph.Start[u+1]] {
				if id[u] == id[v] && part[u] != part[v] {
					least := min(part[u], part[v])
					part[u] = least
					part[v] = least
					changed = true
				}
			}
		}
	}
	return part, arrays.Number(part, n)
}

// Check returns an error unless r is a valid result for p: ids are dense and numbered
// by first vertex, components are connected, none is below the smallest size unless it
// has no neighbour, and the energy equals its definition.
func Check(p *problem.Problem, r *problem.Result) error {
	n := p.Graph.Vertices()
	if len(r.Component) != n {
		return fmt.Errorf("%d ids for %d vertices", len(r.Component), n)
	}
	part, parts := Parts(p, r.Component)
	if parts != r.Count {
		return fmt.Errorf("%d components stated, %d connected ones found", r.Count, parts)
	}
	size := make([]int, parts)
	for u, id := range r.Component {
		if id != part[u] {
			return fmt.Errorf("vertex %d has id %d, by first vertex it is %d", u, id, part[u])
		}
		size[id]++
	}
	for u := range n {
		for _, v := range p.Graph.Head[p.Graph.Start[u]:p.Graph.Start[u+1]] {
			for _, c := range []uint32{r.Component[u], r.Component[v]} {
				if r.Component[u] != r.Component[v] && size[c] < p.MinSize {
					return fmt.Errorf("component %d has %d vertices and a neighbour; the smallest size is %d",
						c, size[c], p.MinSize)
				}
			}
		}
	}
	e := Energy(p, r.Component)
	if math.Abs(e-r.Energy) > 1e-9*(1+math.Abs(e)) {
		return fmt.Errorf("energy %.12g stated, %.12g computed", r.Energy, e)
	}
	return nil
}

// Energy computes the energy of a partition by its definition.
func Energy(p *problem.Problem, id []uint32) float64 {
	members := map[uint32][]int{}
	for u, c := range id {
		members[c] = append(members[c], u)
	}
	var e float64
	for c := range uint32(len(id)) {
		e += Fidelity(p, members[c])
	}
	for u := range id {
		for k := p.Graph.Start[u]; k < p.Graph.Start[u+1]; k++ {
			if id[u] != id[p.Graph.Head[k]] {
				e += p.Lambda * float64(p.Contrast[k])
			}
		}
	}
	return e
}

// Fidelity is min_f Σ_i b_ik (f_k − y_ik)², summed over the columns k, over the given vertices; b_ik is
// the weight of vertex i in the columns that have weights, else 1.
func Fidelity(p *problem.Problem, members []int) float64 {
	var total float64
	for k := range p.Dim {
		weight := func(u int) float64 {
			if k < p.Dim-p.Weighted() {
				return 1
			}
			return float64(p.Weight[u])
		}
		var s, b float64
		for _, u := range members {
			y := float64(p.Values[u*p.Dim+k])
			s += weight(u) * y
			b += weight(u)
		}
		for _, u := range members { // Σ b·y² − s²/b nearly cancels where the mean is large
			d := float64(p.Values[u*p.Dim+k]) - s/b
			total += weight(u) * d * d
		}
	}
	return total
}

// Trivial returns the energies of the partition into single vertices and of
// that into the graph's connected components.
func Trivial(p *problem.Problem) (single, whole float64) {
	n := p.Graph.Vertices()
	all, _ := Parts(p, make([]uint32, n))
	return Energy(p, arrays.Indices[uint32](n)), Energy(p, all)
}

// Solve runs a solver with the given number of threads and panics on errors.
func Solve(s problem.Solver, p *problem.Problem, threads int) *problem.Result {
	r, err := s.Solve(parallel.Run{Threads: threads}, p)
	if err != nil {
		panic(err)
	}
	return r
}

// Above compares a solver's energy with the optimum on random small graphs, with weights of the vertices if
// weighted. It returns the mean and the largest relative excess, and the number of graphs on which the excess
// is above 1 %.
func Above(solver problem.Solver, graphs int, weighted bool) (mean, worst float64, over int) {
	random := rand.New(rand.NewPCG(7, 7))
	for range graphs {
		p := Random(random, 2+random.IntN(8), 1+random.IntN(7), .15+.6*random.Float64())
		if weighted && p.Dim > 1 {
			Weigh(random, p)
		}
		best, _ := Optimum(p)
		if r := Solve(solver, p, 1); best > 0 {
			more := r.Energy/best - 1
			mean += more / float64(graphs)
			worst = max(worst, more)
			if more > .01 {
				over++
			}
		}
	}
	return mean, worst, over
}
