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
// 2³¹−1 edges. Memory: 4 bytes a point and 4 an edge, about 3 edges a point
// for k = 5 on surfaces; nothing else is allocated.
func Adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: adjacency of %d neighbours; ask for at least 1", k)
	}
	return adjacency(l, min(k, l.K), nil, run)
}

// adjacency counts the edges of each vertex, then places them. Point i names an
// edge {i, j} when j > i, or when j does not name it. Points before i that it
// names are few, so rows of other workers are seldom touched. More edges, each once and
// the smaller point first, are added.
func adjacency(l *Lists, k int, more [][2]uint32, run parallel.Run) (*Graph, error) {
	n := l.Len()
	more = slices.DeleteFunc(more, func(e [2]uint32) bool { return l.names(e[0], e[1], k) || l.names(e[1], e[0], k) })
	g := &Graph{Start: make([]uint32, n+1)}
	for _, e := range more {
		g.Start[e[0]]++
	}
	if err := run.For(n, block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			larger := uint32(0)
			for _, j := range l.Of(i)[:k] {
				if j > uint32(i) {
					larger++
				} else if !l.names(j, uint32(i), k) {
					atomic.AddUint32(&g.Start[j], 1)
				}
			}
			atomic.AddUint32(&g.Start[i], larger)
		}
	}); err != nil {
		return nil, err
	}
	if err := g.accumulate(); err != nil {
		return nil, err
	}
	for _, e := range more {
		g.Start[e[0]]--
		g.Head[g.Start[e[0]]] = e[1]
	}
	larger := make([][]uint32, run.Workers())
	err := run.ForWorker(n, block, func(worker, lo, hi int) {
		row := larger[worker]
		for i := lo; i < hi; i++ {
			row = row[:0]
			for _, j := range l.Of(i)[:k] {
				if j > uint32(i) {
					row = append(row, j)
				} else if !l.names(j, uint32(i), k) {
					g.Head[atomic.AddUint32(&g.Start[j], ^uint32(0))] = uint32(i)
				}
			}
			copy(g.Head[atomic.AddUint32(&g.Start[i], -uint32(len(row))):], row)
		}
		larger[worker] = row
	})
	if err != nil {
		return nil, err
	}
	return g, g.sortRows(run)
}

// names reports whether i is among the first k neighbours of j.
func (l *Lists) names(j, i uint32, k int) bool {
	first := int(j) * l.K
	for _, u := range l.Index[first : first+k] {
		if u == i {
			return true
		}
	}
	return false
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
			sortShort(g.Of(u))
		}
	})
}

// sortShort sorts rows, which are short but for hubs of many duplicates.
func sortShort(row []uint32) {
	if len(row) > 24 {
		slices.Sort(row)
		return
	}
	for i := 1; i < len(row); i++ {
		v := row[i]
		j := i
		for ; j > 0 && row[j-1] > v; j-- {
			row[j] = row[j-1]
		}
		row[j] = v
	}
}
