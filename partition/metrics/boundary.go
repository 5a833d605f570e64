package metrics

import (
	"sync/atomic"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Marks of a vertex: it ends a true or a predicted transition.
const (
	trueMark = 1 << iota
	predMark
)

// transitions fills the boundary counts. An edge belongs to expand(S) when one
// of its vertices ends an edge of S, so a first pass marks vertices and a second
// one counts edges.
func transitions(run parallel.Run, g *neighbor.Graph, object []int32, component []uint32, c *Counts) error {
	if object == nil {
		return nil
	}
	marks := make([]uint32, g.Vertices())
	err := run.For(g.Vertices(), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			if object[u] < 0 {
				continue
			}
			for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
				if m := kind(object, component, uint32(u), v); m != 0 {
					mark(marks, uint32(u), m)
					mark(marks, v, m)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	var isTrue, isPred, found, good atomic.Int64
	err = run.For(g.Vertices(), block, func(lo, hi int) {
		var t, p, f, b int64
		for u := lo; u < hi; u++ {
			if object[u] < 0 || marks[u] == 0 { // both ends of a transition are marked
				continue
			}
			for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
				m, near := kind(object, component, uint32(u), v), marks[u]|marks[v]
				if m&trueMark != 0 {
					t++
					f += int64(near & predMark / predMark)
				}
				if m&predMark != 0 {
					p++
					b += int64(near & trueMark / trueMark)
				}
			}
		}
		isTrue.Add(t)
		isPred.Add(p)
		found.Add(f)
		good.Add(b)
	})
	c.TrueEdges, c.Predicted, c.TrueFound, c.PredictedGood = isTrue.Load(), isPred.Load(), found.Load(), good.Load()
	return err
}

// kind says which transitions an edge is. The caller has checked that u's
// object is not ignored.
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
