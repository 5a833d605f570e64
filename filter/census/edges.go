package census

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/neighbor"
)

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
