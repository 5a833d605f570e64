// SPDX-License-Identifier: BSD-3-Clause

// Package superpointstats computes a row of statistics for each superpoint (number of points,
// position, shape after Demantké et al. 2011, doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011,
// class, means) and the graph of adjacent superpoints. Positions are in the file's units,
// lengths in metres, ratios in [0, 1]. Points are summed in file order, so results do not
// depend on the number of threads.
package superpointstats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Groups has the points of every superpoint. It needs 8 bytes per point.
type Groups struct {
	ID    []uint32      // ids, ascending
	Of    []int32       // row of each point in ID, −1 for points without a superpoint
	lists arrays.Groups // points by superpoint, in file order
}

// Group groups points by id. Ids are integers below 2³²; a point with id 0 or below has no
// superpoint. It fails for other values and for more than 2³¹−1 points.
func Group(id []float64) (*Groups, error) {
	if len(id) > math.MaxInt32 {
		return nil, fmt.Errorf("%d points; at most %d can be grouped", len(id), math.MaxInt32)
	}
	g := &Groups{Of: make([]int32, len(id))}
	rows := make(map[uint32]int32)
	last, row := 0.0, int32(-1) // consecutive points are often in one superpoint
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

// block is the number of superpoints per block of a parallel loop.
const block = 64

// Each calls body once for every row, concurrently.
func (g *Groups) Each(run parallel.Run, body func(k int, points []uint32)) error {
	return run.ForEach(g.Len(), block, func(k int) { body(k, g.Points(k)) })
}

// Edge is a pair of adjacent superpoints: a point of one is a neighbour of a point of the other
// in the adjacency graph.
type Edge struct {
	A, B     int     // rows, A < B
	Links    int     // number of edges between their points
	Distance float64 // mean length of these edges, metres
	Border   float64 // length of the border, metres, see Edges
}

// link is an edge between points of two superpoints.
type link struct {
	a, b   int32  // rows, a < b
	u, v   uint32 // points of a and of b, in the cloud's order
	length float32
}

// Edges returns the pairs of adjacent superpoints, sorted by A, then B. The length of a border
// is half the sum, over the points of both with an edge across, of the length of their shortest
// such edge: for a regular grid of spacing s, a border of n points on each side has length n·s.
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

// edge returns the Edge of the links of one pair.
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

// shortest returns the sum of the lengths of each point's shortest link; the links of a point
// are consecutive.
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
