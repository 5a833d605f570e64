// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// nested solves problems on the reduced graph of a partition.
type nested struct {
	component []uint32 // of each vertex, which is the vertex of part
	part      *reduced.Graph
	of        *totals
}

// Above implements problem.NestingSolver. Its partitions are those of Finish: both partition the same reduced
// graph, which is computed from sums of integers.
func (Solver) Above(run parallel.Run, p *problem.Problem, r *problem.Result) (_ problem.Solver, err error) {
	defer parallel.Catch(&err)
	run = run.Quiet()
	s := &nested{component: slices.Clone(r.Component)}
	arrays.Number(s.component, r.Count) // by first vertex; those of r are by first in Order
	part, up, of := contractExact(run, p, newGraph(run, p), s.component, r.Count)
	reduced.Relabel(run, s.component, up)
	s.part = part
	s.of = of.merged(up, r.Count)
	return s, nil
}

// Solve implements problem.Solver.
func (s *nested) Solve(run parallel.Run, p *problem.Problem) (r *problem.Result, err error) {
	defer parallel.Catch(&err)
	run = run.Quiet()
	up, count := mergeAbove(run, s.part, p.Lambda, p.MinSize)
	r = &problem.Result{Component: slices.Clone(s.component), Count: count}
	reduced.Relabel(run, r.Component, up)
	r.Energy = p.EnergyOf(run, r.Component, nil, s.of.merged(up, count).means())
	return r, nil
}

// mergeAbove partitions the reduced graph of a partition. It returns the component of each vertex, numbered
// by first vertex, and their number.
//
// λ of a coarser level is larger, so edges that were worth their price are not any more, and components
// merge. No component is cut again: each vertex stays whole, which is what nested means.
func mergeAbove(run parallel.Run, part *reduced.Graph, lambda float64, minSize int) ([]uint32, int) {
	g := *part
	g.Scale = float32(lambda)
	up, merged := globalMerge(run, &g, minSize)
	return up, merged.Vertices()
}
