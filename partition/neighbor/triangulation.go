// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "math/bits"

// triangulation is a Delaunay triangulation of distinct points in space, built
// by inserting one point after the other: the cells whose circumspheres hold
// the point are replaced by cells that join it with their outline (Bowyer 1981,
// doi:10.1093/comjnl/24.2.162; Watson 1981, doi:10.1093/comjnl/24.2.167).
// Predicates are exact and a point on a sphere does not count as inside; then
// the outline is always seen from the point and no cell is flat, also when
// points are cospherical or coplanar.
//
// Two vertices are not points. The vertex infinity closes the hull: beyond each
// facet of the hull there is an infinite cell. If all points are in one plane, the
// vertex pole is outside of it. A sphere through three of the points and any point
// off the plane intersects the plane in their circumcircle, so the facets of the
// pole's cells in the plane are its Delaunay triangulation.
//
// Invariant between two insertions: every finite cell has orientation 1 and no inserted point inside its
// circumsphere; every side of a cell that is not free has exactly one cell beside it, whose entry leads back
// (infinite cells close the hull); last is finite.
type triangulation struct {
	at     []vec
	offset vec // of the pole from any point
	cells  []cell
	free   []int32
	last   int32 // a finite cell to begin the next search at
	seed   uint32

	conflict []int32 // cells to be replaced
	outline  []facet
	ridges   ridgeTable
}

// cell is a tetrahedron of orientation 1; side i is opposite vertex i. An
// infinite cell has that orientation for every point beyond its hull facet that
// takes infinity's place.
//
// The cell of insertion p has found (2p) while its sphere does not hold p, and inside (2p + 1) if it does.
// Numbers differ between insertions, so marks are never cleared. The first cells have the mark 0, which no
// insertion uses: point 0 is in the first cell and never inserted (independent). 2p + 1 is below gone, since
// a cloud has fewer than 2³¹ points.
type cell struct {
	vertex [4]uint32
	beside [4]int32 // cell across side i
	mark   uint32   // number of the insertion that found it, twice, + 1 when in conflict
}

const gone = ^uint32(0) // mark of a cell that is free

// cell is the one inside the outline, which will be replaced; side is the side of it through which the
// outline goes.
type facet struct {
	cell int32
	side int
}

// The two vertices that are no points have the indices after all points, so that u < pole means a point.
func (t *triangulation) pole() uint32     { return uint32(len(t.at)) }
func (t *triangulation) infinity() uint32 { return uint32(len(t.at)) + 1 }

// positions returns the vertices of a cell that is finite.
//
// A pole has a position relative to any point of the plane, here another vertex of the cell: offset is one
// unit off the plane, which is all that predicates need, and coordinates remain integers. A cell with a pole
// has three points.
func (t *triangulation) positions(v *[4]uint32) (p [4]vec) {
	for i, u := range v {
		if u < t.pole() {
			p[i] = t.at[u]
		}
	}
	for i, u := range v {
		if u == t.pole() {
			base := p[(i+1)&3]
			p[i] = vec{base[0] + t.offset[0], base[1] + t.offset[1], base[2] + t.offset[2]}
		}
	}
	return p
}

// side returns the sign of the volume of cell c with p in place of vertex i:
// positive when p is on the cell's side of the facet opposite that vertex.
//
// It takes one determinant. With infinity in place of vertex i, p takes its place in an infinite cell.
func (t *triangulation) side(c *cell, i int, p uint32) int {
	v := c.vertex
	v[i] = p
	q := t.positions(&v)
	return orientation(q[0], q[1], q[2], q[3])
}

// infinite returns which vertex of a cell is infinity, or −1.
func (t *triangulation) infinite(c *cell) int {
	for i, v := range c.vertex {
		if v == t.infinity() {
			return i
		}
	}
	return -1
}

// holds reports whether p is inside the circumsphere of a cell. For an infinite
// cell that is the open half space beyond its facet and the facet's open
// circumcircle, which is also a section of the finite neighbour's sphere.
//
// Why the finite neighbor decides for a point in the plane of the hull facet: the plane cuts the sphere of
// the cell on the other side in the circumcircle of the facet, so that in this plane the two are the same
// test.
func (t *triangulation) holds(c *cell, p uint32) bool {
	if i := t.infinite(c); i >= 0 {
		if s := t.side(c, i, p); s != 0 {
			return s > 0
		}
		c = &t.cells[c.beside[i]]
	}
	q := t.positions(&c.vertex)
	return inSphere(q[0], q[1], q[2], q[3], t.at[p]) > 0
}

// begin makes the first cell from four vertices that are not coplanar, and the
// infinite cells around it.
//
// Swapping two vertices changes the sign of an orientation. It is done once for the first cell if it is
// negative, and once for each infinite cell: there infinity replaces a vertex, but is on the other side of
// the facet.
func (t *triangulation) begin(v [4]uint32) {
	q := t.positions(&v)
	if orientation(q[0], q[1], q[2], q[3]) < 0 {
		v[0], v[1] = v[1], v[0]
	}
	t.cells = append(t.cells[:0], cell{vertex: v})
	for i := range v {
		w := v
		w[i] = t.infinity()
		j, k := (i+1)&3, (i+2)&3
		w[j], w[k] = w[k], w[j]
		t.cells = append(t.cells, cell{vertex: w})
	}
	// Five cells and four sides each: all pairs are compared.
	for a := range t.cells {
		for b := range t.cells {
			for i := range 4 {
				for j := range 4 {
					if a != b && sameFacet(&t.cells[a].vertex, i, &t.cells[b].vertex, j) {
						t.cells[a].beside[i] = int32(b)
					}
				}
			}
		}
	}
}

// The side opposite vertex i of v has the three other vertices.
func sameFacet(v *[4]uint32, i int, w *[4]uint32, j int) bool {
	shared := 0
	for a := range v {
		for b := range w {
			if a != i && b != j && v[a] == w[b] {
				shared++
			}
		}
	}
	return shared == 3
}

// locate returns a cell whose circumsphere contains p: it goes from cell to cell across
// sides that separate them from p (a visibility walk). The first side that is tried varies,
// because with cospherical points a fixed order may cycle.
//
// Walks of this kind, with a random choice among the sides, end in any triangulation (Devillers, Pion and
// Teillaud 2002, "Walking in a triangulation", doi:10.1142/S0129054102001047). Points come in an order in
// which the next one is near the last (rounds), so that most walks are short. The sphere of the cell found
// holds p: p is in the cell itself, or beyond the hull facet of an infinite cell. It is no vertex, since
// points are distinct.
func (t *triangulation) locate(p uint32) int32 {
	at := t.last
walk:
	for {
		c := &t.cells[at]
		if t.infinite(c) >= 0 {
			return at
		}
		t.seed = t.seed*1664525 + 1013904223 // Knuth's quick generator
		for s := range 4 {
			// the upper bits of a linear congruential generator have the longest period
			i := (s + int(t.seed>>30)) & 3
			if t.side(c, i, p) < 0 {
				at = c.beside[i]
				continue walk
			}
		}
		return at
	}
}

// insert adds point p, which differs from all points before.
//
// Steps: (1) locate a cell whose sphere holds p; (2) from it, find all such cells through their sides,
// breadth first: they are connected; (3) the sides between these and others are the outline; (4) each facet
// of it and p make a cell; (5) the old cells become free.
//
// Claim: the result is a Delaunay triangulation again. Reason: Bowyer (1981) and Watson (1981). It needs that
// the outline is seen from p as a whole, which exact predicates ensure; with rounded ones a cell could be
// flat or turned inside out.
func (t *triangulation) insert(p uint32) {
	found, inside := 2*p, 2*p+1
	first := t.locate(p)
	t.conflict = append(t.conflict[:0], first)
	t.outline = t.outline[:0]
	t.cells[first].mark = inside
	// Invariant: the cells before n have all their neighbors marked. A neighbor that several cells share is
	// tested once, and added to the outline once for each side by which a cell reaches it.
	for n := 0; n < len(t.conflict); n++ {
		at := t.conflict[n]
		for i, b := range t.cells[at].beside {
			other := &t.cells[b]
			if other.mark != found && other.mark != inside {
				other.mark = found
				if t.holds(other, p) {
					other.mark = inside
					t.conflict = append(t.conflict, b)
				}
			}
			if other.mark == found {
				t.outline = append(t.outline, facet{at, i})
			}
		}
	}
	// The outline is a closed surface of triangles: each has three edges, and each edge is shared by two.
	t.ridges.reset(3 * len(t.outline) / 2)
	for _, f := range t.outline {
		t.attach(f, p)
	}
	for _, c := range t.conflict {
		t.cells[c].mark = gone
	}
	t.free = append(t.free, t.conflict...)
}

// attach creates the cell of p and a facet of the outline.
//
// The new cell has the vertices of the old one but for p in place of the vertex opposite the facet. Both are
// on the same side of the facet, so that the orientation stays 1. Its other sides contain p and an edge of
// the outline: the second of two cells at an edge finds the first in ridges and connects both.
func (t *triangulation) attach(f facet, p uint32) {
	old := t.cells[f.cell]
	c := cell{vertex: old.vertex, mark: 2 * p}
	c.vertex[f.side] = p
	at := t.take()
	// The old cell is still whole, though it may be in conflict: cells become free after all facets are
	// attached (insert).
	outer := old.beside[f.side]
	c.beside[f.side] = outer
	for i, b := range t.cells[outer].beside {
		if b == f.cell && sameFacet(&t.cells[outer].vertex, i, &old.vertex, f.side) {
			t.cells[outer].beside[i] = at
		}
	}
	for i := range 4 {
		if i == f.side {
			continue
		}
		var ridge [2]uint32 // the two vertices that are neither p nor opposite side i
		n := 0
		for j, v := range c.vertex {
			if j != i && j != f.side {
				ridge[n] = v
				n++
			}
		}
		if other, met := t.ridges.meet(ridge, facet{at, i}); met {
			c.beside[i] = other.cell
			t.cells[other.cell].beside[other.side] = at
		}
	}
	t.cells[at] = c
	// The next walk starts at a finite cell (locate returns an infinite one at once). Some new cell is
	// finite: p and a facet without infinity.
	if t.infinite(&c) < 0 {
		t.last = at
	}
}

// Free cells are used first, so that the number of cells is the largest that there was at a time. t.cells may
// move, so that no pointer to a cell may be kept across a call.
func (t *triangulation) take() int32 {
	if n := len(t.free); n > 0 {
		c := t.free[n-1]
		t.free = t.free[:n-1]
		return c
	}
	t.cells = append(t.cells, cell{})
	return int32(len(t.cells) - 1)
}

// ridgeTable pairs the sides that meet at the same two vertices.
//
// A hash table with linear probing that is emptied by the list of its used slots: an insertion takes time
// proportional to its outline, not to the largest outline before.
type ridgeTable struct {
	slots []ridgeSlot
	used  []int
	mask  uint64
}

type ridgeSlot struct {
	key   uint64 // the two vertices + 1; 0 when empty
	facet facet
}

// The table has more than four slots an entry, so that probing is short and always finds an empty slot.
func (r *ridgeTable) reset(n int) {
	for _, i := range r.used {
		r.slots[i].key = 0
	}
	r.used = r.used[:0]
	if size := 1 << bits.Len(uint(4*n)); size > len(r.slots) {
		r.slots = make([]ridgeSlot, size)
		r.mask = uint64(size - 1)
	}
}

// meet returns the facet entered before at the same ridge, or enters this one.
func (r *ridgeTable) meet(v [2]uint32, f facet) (facet, bool) {
	// An edge has no direction: the smaller vertex first. Vertices are below 2³¹ + 2, so that + 1 does not
	// carry into the upper half, and no key is 0.
	key := uint64(min(v[0], v[1]))<<32 + uint64(max(v[0], v[1])) + 1
	i := key * 0x9e3779b97f4a7c15 >> 20 & r.mask // Fibonacci hashing
	for ; r.slots[i].key != 0; i = (i + 1) & r.mask {
		if r.slots[i].key == key {
			return r.slots[i].facet, true
		}
	}
	r.slots[i] = ridgeSlot{key, f}
	r.used = append(r.used, int(i))
	return facet{}, false
}
