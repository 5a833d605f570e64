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
type cell struct {
	vertex [4]uint32
	beside [4]int32 // cell across side i
	mark   uint32   // number of the insertion that found it, twice, + 1 when in conflict
}

const gone = ^uint32(0) // mark of a cell that is free

type facet struct {
	cell int32
	side int
}

func (t *triangulation) pole() uint32     { return uint32(len(t.at)) }
func (t *triangulation) infinity() uint32 { return uint32(len(t.at)) + 1 }

// positions returns the vertices of a cell that is finite.
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
func (t *triangulation) insert(p uint32) {
	found, inside := 2*p, 2*p+1
	first := t.locate(p)
	t.conflict = append(t.conflict[:0], first)
	t.outline = t.outline[:0]
	t.cells[first].mark = inside
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
func (t *triangulation) attach(f facet, p uint32) {
	old := t.cells[f.cell]
	c := cell{vertex: old.vertex, mark: 2 * p}
	c.vertex[f.side] = p
	at := t.take()
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
	if t.infinite(&c) < 0 {
		t.last = at
	}
}

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
type ridgeTable struct {
	slots []ridgeSlot
	used  []int
	mask  uint64
}

type ridgeSlot struct {
	key   uint64 // the two vertices + 1; 0 when empty
	facet facet
}

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
