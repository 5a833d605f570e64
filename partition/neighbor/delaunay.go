// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Delaunay3D returns the edges of the 3D Delaunay triangulation of the points that
// are at most maxEdge metres long (rounded to units). They are useful for sparse
// scans, in which graphs of nearest neighbours have gaps. Exact duplicates form a
// chain, whose first point is in the triangulation; for coplanar and collinear clouds
// it is the triangulation of their plane or line. If more than four points are on an
// empty sphere, the edges depend on the points' order. It runs on one thread and takes
// about 300 bytes a point. It returns an error if maxEdge is not positive.
func Delaunay3D(c *Cloud, maxEdge float64, run parallel.Run) (*Graph, error) {
	if !(maxEdge > 0) {
		return nil, fmt.Errorf("neighbor: Delaunay edges up to %v m; give a length above 0", maxEdge)
	}
	// 2³² units are more than the diagonal of any cloud, whose sides are below 2³¹ units, but (2³²)² is 0 in
	// 64 bits: this reach means all edges.
	reach := min(math.Round(maxEdge/c.Unit), 1<<32)
	short := func(u, v uint32) bool {
		return c.squared(u, v) <= uint64(reach)*uint64(reach) ||
			reach == 1<<32
	}
	var distinct []uint32
	var chain [][2]uint32
	for i := range uint32(c.Len()) { // tree order has duplicates side by side
		// A chain, because n duplicates with an edge for each pair would have n²/2 edges.
		if i > 0 && c.XYZ[i] == c.XYZ[i-1] {
			chain = append(chain, [2]uint32{i - 1, i})
		} else {
			distinct = append(distinct, i)
		}
	}
	t, err := triangulate(c.lattice(distinct), run)
	if err != nil {
		return nil, err
	}
	return fromVisits(c.Len(), func(visit func(u, v uint32)) {
		for _, e := range chain {
			visit(e[0], e[1])
		}
		t.edges(func(a, b uint32) {
			if u, v := distinct[a], distinct[b]; short(u, v) {
				visit(u, v)
			}
		})
	})
}

// squared returns the squared distance of two points in units.
//
// It is exact: sides are below 2³¹ units, so the sum of three squares is below 3·2⁶².
func (c *Cloud) squared(i, j uint32) uint64 {
	var d uint64
	for a := range 3 {
		e := int64(c.XYZ[i][a]) - int64(c.XYZ[j][a])
		d += uint64(e * e)
	}
	return d
}

// lattice returns the points' offsets from the first of them, divided by their greatest
// common divisor: in scans it is a centimetre or a millimetre, so the numbers are small
// enough for predicates in float64 to be exact.
//
// Claim: it has the triangulation of the points. Reason: a translation, and a division of all offsets by one
// number, which may be negative and then also mirrors them, keep spheres and the points in them. Offsets have
// at most 32 bits, which predicates require (vec).
func (c *Cloud) lattice(points []uint32) []vec {
	if len(points) == 0 {
		return nil
	}
	first := c.XYZ[points[0]]
	step := int64(0)
	offset := func(u uint32, a int) int64 { return int64(c.XYZ[u][a]) - int64(first[a]) }
	for _, u := range points {
		for a := range 3 {
			// Euclid's algorithm, one offset after the other; step may be negative in between.
			for d := offset(u, a); d != 0; {
				step, d = d, step%d
			}
		}
	}
	at := make([]vec, len(points))
	for i, u := range points {
		for a := range 3 {
			if step != 0 {
				at[i][a] = float64(offset(u, a) / step)
			}
		}
	}
	return at
}

// cellsPerPoint is about the number of cells of a 3D triangulation per point,
// including those at the hull: 6.77 for random points (Okabe, Boots and Sugihara 1992,
// Spatial Tessellations). Allocating them at once takes half the memory of doubling.
const cellsPerPoint = 7

// triangulate returns the triangulation of distinct points, without cells when
// they are collinear.
func triangulate(at []vec, run parallel.Run) (*triangulation, error) {
	t := &triangulation{at: at, cells: make([]cell, 0, cellsPerPoint*len(at)+5)}
	simplex := t.independent()
	// Fewer than three independent points: all are on a line, or there are none. edges then makes the chain
	// along the line.
	if len(simplex) < 3 {
		return t, run.Err()
	}
	// A plane: the pole makes a tetrahedron of it (triangulation).
	if len(simplex) == 3 {
		t.offset = offPlane(at[simplex[0]], at[simplex[1]], at[simplex[2]])
		simplex = append(simplex, t.pole())
	}
	t.begin([4]uint32(simplex))
	// It may be cancelled every 4,096 points.
	for n, p := range rounds(len(at)) {
		if n%4096 == 0 {
			if err := run.Err(); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(simplex, p) {
			t.insert(p)
		}
	}
	return t, run.Err()
}

// independent returns up to four affinely independent points.
//
// It is O(n) in the worst case, for a cloud in one plane; mostly the first points suffice. It always has
// point 0, which is therefore never inserted: no insertion uses a cell's first mark, 0 (cell).
func (t *triangulation) independent() []uint32 {
	var s []uint32
	for i := range t.at {
		p := t.at[i]
		switch len(s) {
		// Points are distinct, so any two of them are independent.
		case 0, 1:
			s = append(s, uint32(i))
		case 2:
			if offPlane(t.at[s[0]], t.at[s[1]], p) != (vec{}) {
				s = append(s, uint32(i))
			}
		case 3:
			if orientation(t.at[s[0]], t.at[s[1]], t.at[s[2]], p) != 0 {
				return append(s, uint32(i))
			}
		}
	}
	return s
}

// offPlane returns the first unit vector that leaves the plane of three points,
// or zero when they are collinear.
//
// A unit vector along one axis leaves every plane but those parallel to it, and no plane is parallel to all
// three.
func offPlane(a, b, c vec) vec {
	for i := 2; i >= 0; i-- {
		u, d := vec{}, a
		u[i] = 1
		d[i]++
		if orientation(a, b, c, d) != 0 {
			return u
		}
	}
	return vec{}
}

// rounds returns a biased randomised insertion order (Amenta, Choi and Rote 2003,
// doi:10.1145/777792.777824): a pseudo-random half of the points is last, half of the
// rest before it, and so on, each round in the given order.
//
// Why: random rounds keep the expected time of a random order, as the paper proves, and within a round points
// come in the order of the tree, close to each other, so that each is found by a short walk from the last one
// (locate), and in the cache.
func rounds(n int) []uint32 {
	round := func(i int) int {
		h := uint64(i+1) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		// Half of all hashes have no leading zero, a quarter has one, and so on: the round, counted from the
		// last.
		return min(bits.LeadingZeros64(h), 31)
	}
	var next [33]int
	for i := range n {
		next[31-round(i)+1]++
	}
	for r := 1; r < len(next); r++ {
		next[r] += next[r-1]
	}
	order := make([]uint32, n)
	for i := range n {
		r := 31 - round(i)
		order[next[r]] = uint32(i)
		next[r]++
	}
	return order
}

// edges visits the edges between points, most of them several times.
//
// An edge is visited once for each finite cell around it; fromVisits removes the repetitions. Edges to the
// pole or to infinity are not edges of the result.
func (t *triangulation) edges(visit func(u, v uint32)) {
	if len(t.cells) == 0 {
		t.line(visit)
	}
	for i := range t.cells {
		c := &t.cells[i]
		if c.mark == gone || t.infinite(c) >= 0 {
			continue
		}
		for a, u := range c.vertex {
			for _, v := range c.vertex[:a] {
				if u < t.pole() && v < t.pole() {
					visit(u, v)
				}
			}
		}
	}
}

// line visits the edges of collinear points.
func (t *triangulation) line(visit func(u, v uint32)) {
	order := arrays.Indices[uint32](len(t.at))
	slices.SortFunc(order, func(i, j uint32) int { return slices.Compare(t.at[i][:], t.at[j][:]) })
	for i := 1; i < len(order); i++ {
		visit(order[i-1], order[i])
	}
}
