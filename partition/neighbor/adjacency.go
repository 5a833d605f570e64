package neighbor

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"superpoint/partition/parallel"
)

// maxEdges is the most edges of a graph, so that both directions of every edge
// can be counted in 32 bits.
const maxEdges = math.MaxInt32

// Adjacency returns the graph that joins every point with its first k
// neighbours (all when k > K), each unordered pair once. It fails for more than
// 2³¹−1 edges. Memory: 4 bytes a point and 4 an edge, about 3.2 edges a point
// for k = 5 on surfaces; nothing else is allocated.
func Adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: adjacency of %d neighbours; ask for at least 1", k)
	}
	return adjacency(l, min(k, l.K), run)
}

// adjacency counts the edges of each vertex, then places them. Point i names an
// edge {i, j} when j > i, or when j does not name it.
func adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	n := l.Len()
	g := &Graph{Start: make([]uint32, n+1)}
	each := func(place func(u, v uint32)) error {
		return run.For(n, block, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for _, j := range l.Of(i)[:k] {
					if j > uint32(i) {
						place(uint32(i), j)
					} else if !slices.Contains(l.Of(int(j))[:k], uint32(i)) {
						place(j, uint32(i))
					}
				}
			}
		})
	}
	if err := each(func(u, _ uint32) { atomic.AddUint32(&g.Start[u], 1) }); err != nil {
		return nil, err
	}
	if err := g.accumulate(); err != nil {
		return nil, err
	}
	if err := each(func(u, v uint32) { g.Head[atomic.AddUint32(&g.Start[u], ^uint32(0))] = v }); err != nil {
		return nil, err
	}
	return g, g.sortRows(run)
}

// accumulate turns counts of edges in Start into the ends of the rows and
// allocates Head. Placing edges from the end backwards leaves the starts.
func (g *Graph) accumulate() error {
	var sum uint64
	for i, n := range g.Start {
		sum += uint64(n)
		if sum > maxEdges {
			return fmt.Errorf("neighbor: more than %d edges; use fewer neighbours or split the cloud", maxEdges)
		}
		g.Start[i] = uint32(sum)
	}
	g.Head = make([]uint32, sum)
	return nil
}

func (g *Graph) sortRows(run parallel.Run) error {
	return run.For(g.Vertices(), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			slices.Sort(g.Head[g.Start[u]:g.Start[u+1]])
		}
	})
}
