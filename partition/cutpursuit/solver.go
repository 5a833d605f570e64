// SPDX-License-Identifier: BSD-3-Clause

// Package cutpursuit solves the generalized minimal partition problem by the
// ℓ0 cut pursuit of Landrieu and Obozinski (2017, doi:10.1137/17M1113436,
// section 3) with the two changes of Landrieu and Boussaha (2019,
// "Implementation details"). It starts from the graph's connected components.
// In an iteration
//
//   - every component is cut in two: two values a and b from k-means, then
//     alternately the minimum cut for a and b, and the optimal a and b for the cut,
//     with a regularization that increases by a factor 1/0.7 from step to step up to
//     λ; the connected components of the two sides become components if that lowers
//     the energy;
//   - neighbouring components are merged if that lowers the energy.
//
// At the end components below the smallest size are merged. Until then the energy never
// increases. Graphs of a few thousand vertices are also solved from the partition of the
// greedy merge, which finds optima that cuts in two do not. Components are cut in
// parallel; random numbers are seeded by the component's first vertex, so the result
// does not depend on the number of threads.
package cutpursuit

import (
	"cmp"
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// Solver holds the settings of cut pursuit; the zero value means the defaults.
type Solver struct {
	Restarts   int // starts of k-means, of which the best is used; 10, as in the authors' code
	Iterations int // maximum number of iterations; 30

	tolerance float64              // stop when an iteration lowers the energy by less than this share; 1e-4
	observe   func(energy float64) // called after every iteration, by tests
}

func (s Solver) withDefaults() Solver {
	s.Restarts = cmp.Or(s.Restarts, 10)
	s.Iterations = cmp.Or(s.Iterations, 30)
	s.tolerance = cmp.Or(s.tolerance, 1e-4)
	return s
}

// Solve implements problem.Solver.
func (s Solver) Solve(run parallel.Run, p *problem.Problem) (r *problem.Result, err error) {
	defer parallel.Catch(&err)
	parallel.Check(p.Validate(run))
	g := reduced.New(p)
	label := make([]uint32, g.Vertices())
	label, count := s.Improve(run, g, label, g.ConnectedComponents(run, label, nil), p.MinSize)
	if r = p.NewResult(run, label, count); len(label) <= secondStartLimit {
		r = s.secondStart(run, p, g, r)
	}
	return r, nil
}

// secondStartLimit is the number of vertices up to which there is a second start, from the
// greedy merge: cuts in two do not find some optima of small graphs.
const secondStartLimit = 4096

// secondStart returns the better of r and the partition of cut pursuit that starts from the
// greedy merge.
func (s Solver) secondStart(run parallel.Run, p *problem.Problem, g *reduced.Graph,
	r *problem.Result) *problem.Result {
	run = run.Quiet()
	m := newMerger(g)
	m.merge(run)
	label, count := s.Improve(run, g, m.Labels(run, g.Vertices()), m.Graph.Vertices(), p.MinSize)
	if other := p.NewResult(run, label, count); other.Energy < r.Energy {
		return other
	}
	return r
}

// Improve partitions a graph into components of at least minSize original vertices, smaller only if a
// connected component of the graph is. It begins with a partition into count connected components, whose ids
// are dense and numbered by first vertex, and returns the component of every vertex, numbered alike, and
// their number. It changes label. If it is cancelled, it ends the computation of the caller, see
// parallel.Catch.
func (s Solver) Improve(run parallel.Run, g *reduced.Graph, label []uint32, count,
	minSize int) ([]uint32, int) {
	state := newPursuit(s.withDefaults(), g, label, count)
	progress := run.Progress
	run = run.Quiet()
	energy := math.Inf(1)
	for i := range state.Iterations {
		if state.split(run) == 0 {
			break
		}
		state.merge(run)
		progress(float64(i+1) / float64(state.Iterations))
		before := energy
		energy = g.Energy(run, state.label, state.count)
		if s.observe != nil {
			s.observe(energy)
		}
		if before-energy < state.tolerance*energy {
			break
		}
	}
	state.mergeSmall(run, minSize)
	return state.label, state.count
}

// pursuit is the state of cut pursuit between two iterations.
type pursuit struct {
	Solver
	graph      *reduced.Graph
	label      []uint32 // component of each vertex, numbered by first vertex
	count      int
	done       []bool        // components whose best cut did not lower the energy
	members    arrays.Groups // of every component
	local      []uint32      // index of each vertex among its component's members
	connected  []uint32      // index of each vertex's new component in its component's cut
	splitters  []splitter
	contractor reduced.Contractor
}

func newPursuit(s Solver, g *reduced.Graph, label []uint32, count int) *pursuit {
	n := g.Vertices()
	return &pursuit{Solver: s, graph: g, label: label, count: count, done: make([]bool, count),
		local: make([]uint32, n), connected: make([]uint32, n)}
}

// group lists the members of every component, in the order of the vertices.
func (p *pursuit) group() {
	arrays.GroupInto(&p.members, p.label, p.count)
	for c := range p.count {
		for k, u := range p.members.Of(c) {
			p.local[u] = uint32(k)
		}
	}
}

// split cuts every component that is not done and returns the number that were cut.
func (p *pursuit) split(run parallel.Run) int {
	p.group()
	for len(p.splitters) < run.Workers() {
		p.splitters = append(p.splitters, splitter{pursuit: p, run: run})
	}
	parts := make([]uint32, p.count)
	parallel.Check(run.ForWorker(p.count, 1, func(worker, c, _ int) {
		parts[c] = 1
		members := p.members.Of(c)
		if !p.done[c] {
			parts[c] = p.splitters[worker].split(members)
		}
		if parts[c] == 1 {
			p.done[c] = true
			for _, u := range members {
				p.connected[u] = 0
			}
		}
	}))
	return p.applyCuts(parts)
}

// applyCuts replaces components by the connected components of their cuts.
func (p *pursuit) applyCuts(parts []uint32) (split int) {
	base := make([]uint32, p.count)
	var total uint32
	var done []bool
	for c, k := range parts {
		base[c] = total
		total += k
		if k > 1 {
			split++
		}
		for range k {
			done = append(done, k == 1)
		}
	}
	for u, c := range p.label {
		p.label[u] = base[c] + p.connected[u]
	}
	p.done = p.renumber(done)
	return split
}

// renumber numbers components by first vertex and returns their flags.
func (p *pursuit) renumber(done []bool) []bool {
	before := append([]uint32(nil), p.label...)
	p.count = arrays.Number(p.label, len(done))
	flags := make([]bool, p.count)
	for u, c := range p.label {
		flags[c] = done[before[u]]
	}
	return flags
}

// merge merges components while that lowers the energy. Merged components may be cut
// again.
func (p *pursuit) merge(run parallel.Run) {
	m := newMerger(p.contractor.Contract(run, p.graph, p.label, p.count, nil))
	m.merge(run)
	p.apply(run, m)
}

func (p *pursuit) apply(run parallel.Run, m *merger) {
	merged := m.Labels(run, p.count)
	count := m.Graph.Vertices()
	parts := make([]int, count)
	for _, c := range merged {
		parts[c]++
	}
	done := make([]bool, count)
	for old, c := range merged {
		done[c] = parts[c] == 1 && p.done[old]
	}
	for u, c := range p.label {
		p.label[u] = merged[c]
	}
	p.count, p.done = count, done
}

func (p *pursuit) mergeSmall(run parallel.Run, minSize int) {
	m := newMerger(p.contractor.Contract(run, p.graph, p.label, p.count, nil))
	m.mergeSmall(run, minSize)
	p.apply(run, m)
}
