// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// Solver is the local solver.
type Solver struct{}

// Solve implements problem.Solver.
func (Solver) Solve(run parallel.Run, p *problem.Problem) (r *problem.Result, err error) {
	defer parallel.Catch(&err)
	parallel.Check(p.Validate(run))
	progress := run.Progress
	run = run.Quiet()
	g := newGraph(run, p)
	label, part := partitionPoints(run, g, p.MinSize, progress)
	if r = finish(run, g, p, part, label, pointMoves(p.MinSize)); len(label) <= smallProblem {
		r = best(run, g, p, r)
	}
	return r, nil
}

// best returns the partition of least energy among r, that of cut pursuit, and that of cut
// pursuit after boundary refinement.
func best(run parallel.Run, g *reduced.Graph, p *problem.Problem, r *problem.Result) *problem.Result {
	other, err := cutpursuit.Solver{}.Solve(run, p)
	parallel.Check(err)
	part, up, _ := contractExact(run, p, g, other.Component, other.Count)
	reduced.Relabel(run, other.Component, up)
	label := slices.Clone(other.Component)
	options := moveOptions{least: p.MinSize, passes: passes, keep: true}
	moved := finish(run, g, p, part, label, options)
	for _, x := range []*problem.Result{other, moved} {
		if x.Energy < r.Energy {
			r = x
		}
	}
	return r
}

// partitionPoints returns the component of every vertex after coarsening and the global merge,
// and the components' reduced graph.
func partitionPoints(run parallel.Run, g *reduced.Graph, minSize int, report func(float64)) ([]uint32,
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

// pointMoves returns the options of boundary refinement on points.
func pointMoves(minSize int) moveOptions {
	return moveOptions{least: minSize, passes: finePasses, keep: true, static: true}
}

// finish refines the boundaries of the components label, the vertices of part, and merges
// their connected components. The numbers of the result are those of the reduced graph of
// these: it is in canonical order, so its partition is numbered by first points. The energy is
// that of p by its definition: means and weights of the reduced graph are rounded to float32.
func finish(run parallel.Run, g *reduced.Graph, p *problem.Problem, part *reduced.Graph, label []uint32,
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

// newGraph is reduced.New with weights rounded to multiples of 1/quanta. Their sums are exact
// in float32 between components of up to maxInitial points, which have at most 16 × 16 = 256
// edges in common.
func newGraph(run parallel.Run, p *problem.Problem) *reduced.Graph {
	g := reduced.New(p)
	g.Weight = p.Rounded(run)
	return g
}

const quanta = problem.ContrastSteps
