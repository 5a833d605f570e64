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
//
// It solves on the graph of the finer partition, whose vertices are its components: only the labels and the
// energy of the result need a pass over the points.
type nested struct {
	component []uint32 // of each vertex, which is the vertex of part
	part      *reduced.Graph
	of        *totals
}

// Above implements problem.NestingSolver. Its partitions equal those that Finish returns: both partition the
// same reduced graph, which is computed from sums of integers.
//
// The reduced graph is made from p and r again, and not kept from Solve: r may be the partition of cut
// pursuit (best), and a graph that is kept for a level would raise the peak of memory even if no level
// is wanted.
func (Solver) Above(run parallel.Run, p *problem.Problem, r *problem.Result) (_ problem.Solver, err error) {
	defer parallel.Catch(&err)
	run = run.Quiet()
	s := &nested{component: slices.Clone(r.Component)}
	arrays.Number(s.component, r.Count) // by first vertex; r has them by first in Order
	// canonical renumbers the vertices by their first points in Order; up leads from the old numbers to the
	// new ones, by which labels and totals follow.
	part, up, of := contractExact(run, p, newGraph(run, p), s.component, r.Count)
	reduced.Relabel(run, s.component, up)
	s.part = part
	s.of = of.merged(up, r.Count)
	return s, nil
}

// Solve implements problem.Solver.
//
// It leaves s unchanged and can be called again with another λ, as a search for a mean size does. Of p it
// reads λ and the smallest size, and the values for the energy; p must have the points and edges of the
// problem given to Above.
func (s *nested) Solve(run parallel.Run, p *problem.Problem) (r *problem.Result, err error) {
	defer parallel.Catch(&err)
	run = run.Quiet()
	up, count := mergeAbove(run, s.part, p.Lambda, p.MinSize)
	r = &problem.Result{Component: slices.Clone(s.component), Count: count}
	reduced.Relabel(run, r.Component, up)
	r.Energy = p.EnergyOf(run, r.Component, nil, s.of.merged(up, count).means())
	return r, nil
}
