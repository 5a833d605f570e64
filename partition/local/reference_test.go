// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
	"superpoint/testdata/must"
)

// referenceSolve solves a problem on one graph, without the steps of a tile: no core components, no sums of
// tiles. Solver and tiles share these steps, so that only this shows that the steps are right.
func referenceSolve(run parallel.Run, p *problem.Problem) *problem.Result {
	g := newGraph(run, p)
	label, part := referencePoints(run, g, p.MinSize, func(float64) {})
	r := referenceFinish(run, g, p, part, label, pointMoves(p.MinSize))
	if len(label) > smallProblem {
		return r
	}
	other, err := cutpursuit.Solver{}.Solve(run, p)
	parallel.Check(err)
	part, up, _ := contractExact(run, p, g, other.Component, other.Count)
	reduced.Relabel(run, other.Component, up)
	options := moveOptions{least: p.MinSize, passes: passes, keep: true}
	moved := referenceFinish(run, g, p, part, slices.Clone(other.Component), options)
	for _, x := range []*problem.Result{other, moved} {
		if x.Energy < r.Energy {
			r = x
		}
	}
	return r
}

// referencePoints returns the component of every vertex after coarsening and the global merge,
// and the components' reduced graph.
func referencePoints(run parallel.Run, g *reduced.Graph, minSize int, report func(float64)) ([]uint32,
	*reduced.Graph) {
	label, initial := coarsen(run, g)
	arrays.Collect()
	report(.35)
	up, part := globalMerge(run, initial, minSize)
	arrays.Collect()
	report(.6)
	reduced.Relabel(run, label, up)
	return label, part
}

// referenceFinish refines the boundaries of the components label, the vertices of part, and merges
// their connected components. The result has the numbers that the partition of their reduced graph
// has: this graph is in canonical order, so its partition is numbered by first points. The energy
// is computed from p by its definition, because means and weights of the reduced graph are rounded
// to float32.
func referenceFinish(run parallel.Run, g *reduced.Graph, p *problem.Problem, part *reduced.Graph,
	label []uint32,
	t moveOptions) *problem.Result {
	moveLabels(run, g, part, label, t)
	arrays.Collect()
	between := *g // without the rows of vertices whose edges are all inside components, most of them
	between.End = make([]uint32, len(label))
	count := g.ConnectedComponents(run, label, between.End)
	connected, up, of := contractExact(run, p, &between, label, count)
	coarse, merged := mergeComponents(run, connected, p.MinSize)
	reduced.Relabel(run, up, coarse)
	reduced.Relabel(run, label, up)
	count = merged.Vertices()
	return &problem.Result{Component: label, Count: count,
		Energy: p.EnergyOf(run, label, between.End, of.merged(up, count).means())}
}

// TestSolverEqualsTheReference: components and energies have equal bits on clouds with and without weights
// and an order of vertices, above and below the size that cut pursuit solves too, on one thread and on three.
func TestSolverEqualsTheReference(t *testing.T) {
	for _, c := range []struct {
		points     int
		normalized float64
		weighted   bool
		ordered    bool
	}{
		{16000, 1, false, true},
		{16000, 4, true, true},
		{16000, 1, true, false},
		{16000, 0.1, false, false},
		{3000, 1, true, true},
		{3000, 2, false, false},
		{40, 1, true, true},
	} {
		p := newSurvey(t, c.points, c.normalized, c.weighted).full
		if !c.ordered {
			p.Order = nil
		}
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprint(c, threads), func(t *testing.T) {
				want := referenceSolve(parallel.Run{Threads: threads}, p)
				got := must.Get(Solver{}.Solve(parallel.Run{Threads: threads}, p))(t)
				must.Equal(t, got.Count, want.Count, "components")
				must.Equal(t, got.Energy, want.Energy, "energy")
				must.Hold(t, slices.Equal(got.Component, want.Component), "the component of a point differs")
			})
		}
	}
	grids := map[string]*problem.Problem{"grid": oracle.Grid(150, 1, 10), "small grid": oracle.Grid(20, 1, 3)}
	for name, p := range grids {
		t.Run(name, func(t *testing.T) {
			want := referenceSolve(parallel.Run{}, p)
			got := must.Get(Solver{}.Solve(parallel.Run{}, p))(t)
			must.Equal(t, got.Energy, want.Energy, "energy")
			must.Hold(t, slices.Equal(got.Component, want.Component), "the component of a vertex differs")
		})
	}
}
