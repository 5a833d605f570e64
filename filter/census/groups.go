// Package census counts and measures superpoints, one row each: how many points,
// where, of which form (Demantké et al. 2011,
// doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011), of which class, with which
// mean values; and the graph of those that touch. Positions are in the file's own
// units, lengths in metres, shares and ratios in [0, 1]. A superpoint's points
// are always taken in file order, so results do not depend on the number of
// threads.
package census

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"superpoint/partition/arrays"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Groups lists the points of every superpoint. Memory: 8 bytes a point.
type Groups struct {
	ID    []uint32      // ids that points have, ascending
	Of    []int32       // row of each point in ID, −1 for points without a superpoint
	lists arrays.Groups // points by superpoint, in file order
}

// Group gathers points by id. Ids are whole numbers below 2³²; 0 and below mean
// that a point has no superpoint.
func Group(id []float64) (*Groups, error) {
	if len(id) > math.MaxInt32 {
		return nil, fmt.Errorf("%d points; at most %d can be grouped", len(id), math.MaxInt32)
	}
	g := &Groups{Of: make([]int32, len(id))}
	rows := make(map[uint32]int32)
	last, row := 0.0, int32(-1) // neighbours in a file are mostly of one superpoint
	for i, v := range id {
		if v != last || i == 0 {
			if v != math.Trunc(v) || v > math.MaxUint32 {
				return nil, fmt.Errorf("point %d has the value %v; ids are whole numbers up to %d", i, v, uint32(math.MaxUint32))
			}
			last, row = v, -1
			if v > 0 {
				var known bool
				if row, known = rows[uint32(v)]; !known {
					row = int32(len(g.ID))
					rows[uint32(v)] = row
					g.ID = append(g.ID, uint32(v))
				}
			}
		}
		g.Of[i] = row
	}
	slices.Sort(g.ID)
	g.order(rows)
	return g, nil
}

// order numbers rows by id instead of by first point, and lists the points.
func (g *Groups) order(rows map[uint32]int32) {
	rank := make([]int32, len(g.ID))
	for k, id := range g.ID {
		rank[rows[id]] = int32(k)
	}
	for i, row := range g.Of {
		if row >= 0 {
			g.Of[i] = rank[row]
		}
	}
	g.lists = arrays.GroupBy(g.Of, len(g.ID))
}

// Len returns the number of superpoints.
func (g *Groups) Len() int { return len(g.ID) }

// Points returns the points of row k, in file order.
func (g *Groups) Points(k int) []uint32 { return g.lists.Of(k) }

// block is the number of superpoints a worker takes at a time.
const block = 64

// Each calls body once for every row, concurrently.
func (g *Groups) Each(run parallel.Run, body func(k int, points []uint32)) error {
	return run.For(g.Len(), block, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			body(k, g.Points(k))
		}
	})
}

// Edge joins two superpoints that touch: some point of one is a neighbour of
// some point of the other in the adjacency graph.
type Edge struct {
	A, B     int     // rows, A < B
	Links    int     // edges of points across
	Distance float64 // mean length of these, metres
	Border   float64 // metres of border, see Edges
}

// link is one edge of points across a border.
type link struct {
	a, b   int32  // rows, a < b
	u, v   uint32 // points of a and of b, in the cloud's order
	length float32
}

// Edges returns the superpoints that touch, by A, then B. The border of two is
// half the sum, over the points of either that have an edge across, of the
// length of their shortest such edge: where points lie evenly at distance s, a
// border of n points a side is n·s long.
func (g *Groups) Edges(cloud *neighbor.Cloud, graph *neighbor.Graph) []Edge {
	var links []link
	for u := range graph.Vertices() {
		a := g.Of[cloud.Order[u]]
		if a < 0 {
			continue
		}
		for _, v := range graph.Of(u) {
			b := g.Of[cloud.Order[v]]
			if b < 0 || a == b {
				continue
			}
			dx, dy, dz := cloud.Offset(uint32(u), v)
			l := link{a, b, uint32(u), v, float32(math.Sqrt(float64(dx*dx + dy*dy + dz*dz)))}
			if a > b {
				l.a, l.b, l.u, l.v = b, a, v, uint32(u)
			}
			links = append(links, l)
		}
	}
	slices.SortFunc(links, func(p, q link) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.u, q.u), cmp.Compare(p.v, q.v))
	})
	var edges []Edge
	for len(links) > 0 {
		n := 1
		for n < len(links) && links[n].a == links[0].a && links[n].b == links[0].b {
			n++
		}
		edges = append(edges, edge(links[:n]))
		links = links[n:]
	}
	return edges
}

// edge sums up the links of one pair.
func edge(links []link) Edge {
	e := Edge{A: int(links[0].a), B: int(links[0].b), Links: len(links)}
	for _, l := range links {
		e.Distance += float64(l.length)
	}
	e.Distance /= float64(len(links))
	e.Border = shortest(links, func(l link) uint32 { return l.u }) / 2
	slices.SortFunc(links, func(p, q link) int { return cmp.Or(cmp.Compare(p.v, q.v), cmp.Compare(p.u, q.u)) })
	e.Border += shortest(links, func(l link) uint32 { return l.v }) / 2
	return e
}

// shortest sums the length of each point's shortest link; links of a point are
// side by side.
func shortest(links []link, point func(link) uint32) float64 {
	sum, least := 0.0, float32(math.Inf(1))
	for i, l := range links {
		least = min(least, l.length)
		if i+1 == len(links) || point(links[i+1]) != point(l) {
			sum += float64(least)
			least = float32(math.Inf(1))
		}
	}
	return sum
}
