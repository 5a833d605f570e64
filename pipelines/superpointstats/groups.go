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

	"gonum.org/v1/gonum/stat"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

// Groups has the points of every superpoint. It needs 8 bytes per point.
type Groups struct {
	ID    []uint32      // ids, ascending
	Of    []int32       // row of each point in ID, −1 for points without a superpoint
	lists arrays.Groups // points by superpoint, in file order
}

// Group groups points by the ids in a dimension; a point with id 0 or below has no
// superpoint. It fails for values that are no ids and for more than 2³¹−1 points.
func Group(dimension string, values []float64) (*Groups, error) {
	if len(values) > math.MaxInt32 {
		return nil, fmt.Errorf("%d points; at most %d can be grouped", len(values), math.MaxInt32)
	}
	id, err := metrics.IDs(dimension, values)
	if err != nil {
		return nil, err
	}
	g := &Groups{ID: arrays.Values(id, func(v uint32) bool { return v == 0 }), Of: make([]int32, len(id))}
	for i, v := range id {
		if i > 0 && v == id[i-1] { // consecutive points are often in one superpoint
			g.Of[i] = g.Of[i-1]
		} else {
			g.Of[i] = int32(arrays.Rank(g.ID, v))
		}
	}
	g.lists = arrays.GroupBy(g.Of, len(g.ID))
	return g, nil
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
				l.a = b
				l.b = a
				l.u = v
				l.v = uint32(u)
			}
			links = append(links, l)
		}
	}
	slices.SortFunc(links, func(p, q link) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.u, q.u),
			cmp.Compare(p.v, q.v))
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
	slices.SortFunc(links,
		func(p, q link) int { return cmp.Or(cmp.Compare(p.v, q.v), cmp.Compare(p.u, q.u)) })
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

// Statistics returns the mean and the population standard deviation of a dimension for every
// superpoint. NaN values are ignored; without other values the result is NaN.
func (g *Groups) Statistics(run parallel.Run, values []float64) (mean, deviation []float64, err error) {
	mean, deviation = make([]float64, g.Len()), make([]float64, g.Len())
	err = g.eachKnown(run, values, func(k int, known []float64) {
		mean[k], deviation[k] = stat.PopMeanStdDev(known, nil)
	})
	return mean, deviation, err
}

// eachKnown calls body once for every superpoint, concurrently, with the values of its points that are not
// NaN.
func (g *Groups) eachKnown(run parallel.Run, values []float64, body func(k int, known []float64)) error {
	scratch := make([][]float64, run.Workers())
	return run.ForWorker(g.Len(), block, func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			own := scratch[worker][:0]
			for _, i := range g.Points(k) {
				if v := values[i]; !math.IsNaN(v) {
					own = append(own, v)
				}
			}
			body(k, own)
			scratch[worker] = own
		}
	})
}

// Majority returns the most frequent value of a dimension in every superpoint, the smallest if
// several are equally frequent, and the share of points with it.
func (g *Groups) Majority(run parallel.Run, values []float64) (class, share []float64, err error) {
	class, share = make([]float64, g.Len()), make([]float64, g.Len())
	err = g.eachKnown(run, values, func(k int, known []float64) {
		class[k] = arrays.Mode(known, math.NaN())
		for _, v := range known {
			if v == class[k] {
				share[k]++
			}
		}
		share[k] /= float64(len(g.Points(k)))
	})
	return class, share, err
}

// Scale returns the metres per unit of X, Y and Z at a given Y.
type Scale func(y float64) [3]float64

// Form has the position and shape of a superpoint.
type Form struct {
	Mean, Min, Max [3]float64   // of X, Y, Z, in the file's units
	Scale          [3]float64   // metres per unit at the mean
	Sigma          [3]float64   // standard deviation along the principal axes, largest first, metres
	Normal         shape.Vector // unit vector of least extent, upwards
	shape.Ratios                // linearity, planarity, scattering
	Verticality    float32      // 0 for level ground, 0.7 for a wall, 1 for a pole
}

// Height returns the height difference of the highest and lowest point in metres.
func (f *Form) Height() float64 { return (f.Max[2] - f.Min[2]) * f.Scale[2] }

// Forms measures every superpoint. x, y and z are in the file's units.
func (g *Groups) Forms(run parallel.Run, x, y, z []float64, scale Scale) ([]Form, error) {
	forms := make([]Form, g.Len())
	err := g.Each(run, func(k int, points []uint32) { forms[k] = form(points, [3][]float64{x, y, z}, scale) })
	return forms, err
}

func form(points []uint32, at [3][]float64, scale Scale) Form {
	var f Form
	for a, values := range at {
		first := values[points[0]]
		sum := 0.0
		low := first
		high := first
		for _, i := range points {
			v := values[i]
			sum += v - first
			low, high = min(low, v), max(high, v)
		}
		f.Mean[a] = first + sum/float64(len(points))
		f.Min[a] = low
		f.Max[a] = high
	}
	f.Scale = scale(f.Mean[1])
	var m shape.Moments
	for _, i := range points {
		m.Add((at[0][i]-f.Mean[0])*f.Scale[0], (at[1][i]-f.Mean[1])*f.Scale[1],
			(at[2][i]-f.Mean[2])*f.Scale[2])
	}
	c := m.Covariance()
	l := c.Eigenvalues()
	for a := range l {
		f.Sigma[a] = math.Sqrt(l[a])
	}
	f.Ratios, f.Verticality = shape.Dimensionality(l), c.Verticality(l)
	f.Normal = oriented(c.Vector(l[2], shape.Vector{0, 0, 1}))
	return f
}

// level is the z of a unit normal below which the surface is a wall.
const level = 1e-6

// oriented flips a normal so that it points up or, for a wall, so that the component of larger
// magnitude of x and y is positive.
func oriented(v shape.Vector) shape.Vector {
	main := 2
	if math.Abs(v[2]) < level {
		main = 0
		if math.Abs(v[1]) > math.Abs(v[0]) {
			main = 1
		}
	}
	if v[main] < 0 {
		for a := range v {
			v[a] = 0 - v[a] // not −0
		}
	}
	return v
}
