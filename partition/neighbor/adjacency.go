package neighbor

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
)

// maxEdges is the most edges of a graph, so that both directions of every edge
// can be counted in 32 bits.
const maxEdges = math.MaxInt32

// Adjacency returns the graph that joins every point with its first k
// neighbours (all when k > K), each unordered pair once. It fails for more than
// 2³¹−1 edges. Memory: 4 bytes a point and 4 an edge, about 3 edges a point
// for k = 5 on surfaces; while it is built 4·(k + 1) bytes a point more.
func Adjacency(l *Lists, k int, run parallel.Run) (*Graph, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: adjacency of %d neighbours; ask for at least 1", k)
	}
	return adjacency(l, min(k, l.K), nil, run)
}

// adjacency returns the graph of the edges {i, j} with j among the first k neighbours of i or
// i among those of j, and of the edges more, each with the smaller point first. A row needs
// the edges that only the larger point lists, too: every block of points collects those for
// its own points and those for earlier points.
func adjacency(l *Lists, k int, more [][2]uint32, run parallel.Run) (*Graph, error) {
	n := l.Len()
	g := &Graph{Start: make([]uint32, n+1)}
	names := func(u, v uint32) bool { return slices.Contains(l.Of(int(u))[:k], v) }
	blocks := (n + block - 1) / block
	own, earlier := make([][][2]uint32, blocks), make([][][2]uint32, blocks)
	if err := run.For(n, block, func(lo, hi int) {
		b, first := lo/block, uint32(lo)
		for i := first; i < uint32(hi); i++ {
			for _, j := range l.real(int(i), k) {
				switch {
				case j > i:
					g.Start[i]++
				case names(j, i):
				case j >= first:
					g.Start[j]++
					own[b] = append(own[b], [2]uint32{j, i})
				default:
					earlier[b] = append(earlier[b], [2]uint32{j, i})
				}
			}
		}
	}); err != nil {
		return nil, err
	}
	earlier = append(earlier, slices.DeleteFunc(more, func(e [2]uint32) bool {
		return names(e[0], e[1]) || names(e[1], e[0])
	}))
	for _, list := range earlier {
		for _, e := range list {
			g.Start[e[0]]++
		}
	}
	if err := g.accumulate(maxEdges); err != nil {
		return nil, err
	}
	for _, list := range earlier {
		for _, e := range list {
			g.place(e[0], e[1])
		}
	}
	if err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			for _, j := range l.real(int(i), k) {
				if j > i {
					g.place(i, j)
				}
			}
		}
		for _, e := range own[lo/block] {
			g.place(e[0], e[1])
		}
	}); err != nil {
		return nil, err
	}
	return g, g.sortRows(run)
}

// sortRows sorts all rows.
func (g *Graph) sortRows(run parallel.Run) error {
	return run.For(g.Vertices(), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			sortShort(g.Of(u))
		}
	})
}

// accumulate changes Start from the numbers of edges to the ends of rows, and allocates
// Head. place decrements Start, so that it has the beginnings of rows when all edges are
// placed. It returns an error if there are more than most edges.
func (g *Graph) accumulate(most uint64) error {
	var sum uint64
	for i, n := range g.Start {
		sum += uint64(n)
		if sum > most {
			return fmt.Errorf("neighbor: more than %d edges; use fewer neighbours or split the cloud", maxEdges)
		}
		g.Start[i] = uint32(sum)
	}
	g.Head = make([]uint32, sum)
	return nil
}

// place stores an edge before those that are already in the row.
func (g *Graph) place(u, v uint32) {
	at := g.Start[u] - 1
	g.Start[u], g.Head[at] = at, v
}

// distinct returns the graph with sorted rows and without repeated edges.
func (g *Graph) distinct(run parallel.Run) (*Graph, error) {
	d := &Graph{Start: make([]uint32, len(g.Start))}
	if err := run.For(g.Vertices(), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			row := g.Of(u)
			sortShort(row)
			d.Start[u+1] = uint32(unique(row))
		}
	}); err != nil {
		return nil, err
	}
	if err := d.accumulate(maxEdges); err != nil {
		return nil, err
	}
	return d, run.For(g.Vertices(), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			copy(d.Of(u), g.Of(u))
		}
	})
}

// short is the greatest length of rows that are sorted by counting.
const short = 32

// sortShort sorts a row. A short one is sorted by counting for each head the smaller ones,
// without branches on comparisons, which would be mispredicted.
func sortShort(row []uint32) {
	if len(row) > short {
		slices.Sort(row)
		return
	}
	var in, rank [short]uint32
	for i, x := range row[:min(len(row), short)] {
		in[i] = x
		own := uint32(i)
		ranks := rank[:i]
		for j, y := range in[:len(ranks)] {
			before := uint32(0)
			if x < y {
				before = 1
			}
			ranks[j] += before
			own -= before
		}
		rank[i] = own
	}
	for i, x := range in[:len(row)] {
		row[rank[i]] = x
	}
}

// unique removes repeated heads of a sorted row in place, and returns the number that is
// left.
func unique(row []uint32) (n int) {
	last := uint32(none)
	for _, v := range row {
		row[n] = v
		if v != last {
			n++
		}
		last = v
	}
	return n
}
