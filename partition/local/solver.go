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
//
// It has no state, and is deterministic: the partition depends on the problem alone, not on threads.
type Solver struct{}

// Solve implements problem.Solver.
//
// The steps and their order are as in a survey, with one tile that has no border. arrays.Collect frees the
// memory of a step before the next step allocates, so the peak is the memory of the largest step.
func (Solver) Solve(run parallel.Run, p *problem.Problem) (r *problem.Result, err error) {
	defer parallel.Catch(&err)
	progress := run.Progress
	run = run.Quiet()
	// All arrays of the tile that a survey would fill are nil, which each step takes as the full cloud.
	t := &Tile{Problem: p} // the full cloud
	initial, err := t.Coarsen(run)
	parallel.Check(err)
	arrays.Collect()
	progress(.35)
	j, err := Merge(run, p.Dim, p.Lambda, p.MinSize, []*InitialComponents{initial})
	parallel.Check(err)
	arrays.Collect()
	progress(.6)
	refined, err := t.refine(run, j)
	parallel.Check(err)
	r = finishFull(run, p, j, refined)
	if len(t.label) <= smallProblem {
		r = t.best(run, p, r)
	}
	return r, nil
}

// finishFull merges the core components of a full cloud. The energy is computed from p by its definition,
// because means and weights of the reduced graph are rounded to float32.
func finishFull(run parallel.Run, p *problem.Problem, j *Merged, from *refined) *problem.Result {
	levels, of, err := finish(run, j, []*CoreComponents{from.cores}, nil)
	parallel.Check(err)
	component := relabelled(run, from.connected, levels[0][0])
	return &problem.Result{
		Component: component,
		Count:     len(of.size),
		Energy:    p.EnergyOf(run, component, from.end, of.means()),
	}
}

// best returns the partition of least energy among three: r, the partition of cut pursuit, and the latter
// after boundary refinement. Claim: the result is never worse than the partition of cut pursuit. It is for
// small problems only, because cut pursuit reads all points at once: its result depends on the full cloud, so
// tiles could not reproduce it (see smallProblem).
func (t *Tile) best(run parallel.Run, p *problem.Problem, r *problem.Result) *problem.Result {
	other, err := cutpursuit.Solver{}.Solve(run, p)
	parallel.Check(err)
	// The refinement after cut pursuit may do what a tile may not: take any number of passes, and update
	// the means after each pass (static is false). The sums have the unit of its reduced graph.
	part, up, of := contractExact(run, p, t.graph, other.Component, other.Count)
	reduced.Relabel(run, other.Component, up)
	j := &Merged{part: part, unit: of.unit, moveOptions: moveOptions{least: p.MinSize,
		passes: passes, keep: true}}
	moved := finishFull(run, p, j, t.refineFull(run, j, slices.Clone(other.Component)))
	for _, x := range []*problem.Result{other, moved} {
		if x.Energy < r.Energy {
			r = x
		}
	}
	return r
}
