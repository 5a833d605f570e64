// SPDX-License-Identifier: BSD-3-Clause

package metrics

import (
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Marks of a vertex: it is an end of a true or a predicted transition.
const (
	trueMark = 1 << iota
	predMark
)

// transitions sets the boundary counts of c. An edge belongs to expand(S) if one
// of its vertices is an end of an edge of S, so a first pass marks vertices and
// a second one counts edges.
func transitions(run parallel.Run, g *neighbor.Graph, object []int32, component []uint32, c *Counts) {
	if object == nil {
		return
	}
	marks := make([]uint32, g.Vertices())
	run.Each(g.Vertices(), block, func(u int) {
		if object[u] < 0 {
			return
		}
		for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
			if m := kind(object, component, uint32(u), v); m != 0 {
				mark(marks, uint32(u), m)
				mark(marks, v, m)
			}
		}
	})
	blocks := parallel.Map(run, g.Vertices(), block, func(lo, hi int) (of Counts) {
		for u := lo; u < hi; u++ {
			if marks[u] != 0 { // both ends of a transition are marked, and none without object
				of.addTransitions(g, marks, object, component, u)
			}
		}
		return of
	})
	for _, of := range blocks {
		c.Add(of)
	}
}

// addTransitions counts the edges of a vertex that are transitions, and the transitions that are near one
// of the other kind.
func (c *Counts) addTransitions(g *neighbor.Graph, marks []uint32, object []int32, component []uint32,
	u int) {
	for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
		m := kind(object, component, uint32(u), v)
		near := marks[u] | marks[v]
		if m&trueMark != 0 {
			c.TrueEdges++
			c.TrueFound += int64(near & predMark / predMark)
		}
		if m&predMark != 0 {
			c.Predicted++
			c.PredictedGood += int64(near & trueMark / trueMark)
		}
	}
}

// kind returns the marks of an edge: trueMark if it is a true transition,
// predMark if it is a predicted one. The object of u must not be ignored.
func kind(object []int32, component []uint32, u, v uint32) (m uint32) {
	if object[v] < 0 {
		return 0
	}
	if object[u] != object[v] {
		m = trueMark
	}
	if component[u] != component[v] {
		m |= predMark
	}
	return m
}

func mark(marks []uint32, v, m uint32) {
	if atomic.LoadUint32(&marks[v])&m != m {
		atomic.OrUint32(&marks[v], m)
	}
}

// majority returns the number of points with the most frequent label of their
// group, and the number of labelled points. Both are 0 if label is nil.
func majority(run parallel.Run, g *arrays.Groups, label []int32) (most, labelled int64) {
	if label == nil {
		return 0, 0
	}
	label, distinct := compact(label)
	tallies := make([][]uint32, run.Workers())
	var sumMost, sumLabelled atomic.Int64
	parallel.Check(run.ForWorker(g.Len(), 256, func(worker, lo, hi int) {
		if tallies[worker] == nil {
			tallies[worker] = make([]uint32, distinct)
		}
		var m, l int64
		for s := lo; s < hi; s++ {
			best, known := groupMajority(g.Of(s), label, tallies[worker])
			m, l = m+int64(best), l+int64(known)
		}
		sumMost.Add(m)
		sumLabelled.Add(l)
	}))
	return sumMost.Load(), sumLabelled.Load()
}

// groupMajority returns the count of the most frequent label of one group and
// the number of its labelled points. tally is zero before and after the call.
func groupMajority(members []uint32, label []int32, tally []uint32) (best, known uint32) {
	for _, i := range members {
		if l := label[i]; l >= 0 {
			known++
			tally[l]++
			best = max(best, tally[l])
		}
	}
	for _, i := range members {
		if l := label[i]; l >= 0 {
			tally[l] = 0
		}
	}
	return best, known
}
