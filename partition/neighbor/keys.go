// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/parallel"
)

// The order of keys is a total order of the points of a survey that does not depend on the
// division into tiles or on the unit of length: by the cell of the horizontal position along
// a Morton curve, then by position, then by input order. Points that are close in this order
// are mostly close in space.
const (
	// edge of a cell in spacings; irrational, so that points of grids are not on edges
	cellSpacings = math.Sqrt2 / 2
	// of a cell's column and row: at 0.3 m of spacing cells reach 445 km from the origin
	cellBits = 22
	rankBits = 64 - 2*cellBits
	middle   = 1 << (cellBits - 1) // makes columns and rows positive
)

// Cells is the grid of cells of an order of keys: the number of cells per unit.
type Cells float64

// NewCells returns the cells for points of a spacing in metres, with positions in units of
// unit metres.
func NewCells(spacing, unit float64) Cells { return Cells(unit / (spacing * cellSpacings)) }

// At returns the cell of a coordinate in units.
//
// Claim: a point has the same cell in every tile. Reason: x is an integer of units from the survey's origin,
// which is the same number in each tile, and one product of float64, rounded once, has the same bits
// everywhere.
func (k Cells) At(x int64) int64 { return int64(math.Floor(float64(x) * float64(k))) }

// Edge returns the edge of a cell in units. The ID of a point depends on all points of its
// cell.
func (k Cells) Edge() float64 { return 1 / float64(k) }

// CellOf returns the code of the cell in a key or an ID: its upper bits.
func CellOf(key uint64) uint64 { return key >> rankBits }

// spread inserts a zero before each of the lower 32 bits.
//
// Each line doubles the distance between groups of bits (Morton 1966; Warren 2012, Hacker's Delight, section
// 7-2): after the shift by 16 halves are apart, after that by 1 single bits.
func spread(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// code returns the Morton code of the cell of a position in units.
//
// Adding middle makes both numbers positive, so that they have the order of the cells as unsigned bits. Bits
// of x are at even places, bits of y at odd places; y has the more significant bit of each pair.
func (k Cells) code(x, y int64) uint64 {
	return spread(uint64(k.At(x)+middle)) | spread(uint64(k.At(y)+middle))<<1
}

// Ordered is a cloud in the order of keys.
type Ordered struct {
	*Cloud
	cells Cells
}

// Ordered returns the cloud with the order of keys for a spacing in metres. Cells are larger
// if the cloud is too wide for cellBits.
//
// The root of the tree has the bounds of the cloud, so that its points need not be read.
func (c *Cloud) Ordered(spacing float64) *Ordered {
	far := int64(1)
	see := func(p *[3]int32) {
		for _, x := range p[:2] {
			far = max(far, int64(x), -int64(x))
		}
	}
	if nodes := c.tree.nodes; len(nodes) > 0 {
		see(&nodes[0].lo)
		see(&nodes[0].hi)
	} else {
		for i := range c.XYZ {
			see(&c.XYZ[i])
		}
	}
	// The smaller number of cells per unit has the larger cells: the farthest coordinate gets a column below
	// 2²¹.
	return &Ordered{c, min(NewCells(spacing, c.Unit), Cells((1<<(cellBits-1)-1)/float64(far)))}
}

// Precedes reports whether point u comes before v in the order of keys.
//
// Two Morton codes differ first in the highest bit in which either column or row differs. That axis alone
// decides, so that the codes need not be computed: the comparison of Chan (2002, "Closest-point problems
// simplified on the RAM", SODA).
func (o *Ordered) Precedes(u, v uint32) bool {
	p, q := &o.XYZ[u], &o.XYZ[v]
	px := uint64(o.cells.At(int64(p[0]))) + middle
	py := uint64(o.cells.At(int64(p[1]))) + middle
	qx := uint64(o.cells.At(int64(q[0]))) + middle
	qy := uint64(o.cells.At(int64(q[1]))) + middle
	// codes differ first in the highest bit of both; bits of y come first
	//
	// ≤ and not <: at the same place the bit of y is the higher one in the code.
	if bits.Len64(px^qx) <= bits.Len64(py^qy) {
		px, qx = py, qy
	}
	if px != qx {
		return px < qx
	}
	return o.within(u, v) < 0
}

// Key returns the first 64 bits of the key of point u: a point with a smaller value precedes
// one with a larger value.
//
// Claim: Key and Precedes agree. Reason: of two points in one cell that with the smaller x has the smaller or
// an equal fraction of a cell, and within compares x first. With equal keys Precedes decides.
func (o *Ordered) Key(u uint32) uint64 {
	p := &o.XYZ[u]
	x := float64(float64(p[0]) * float64(o.cells)) // rounded, as Cells.At does
	return o.cells.code(int64(p[0]), int64(p[1]))<<rankBits | uint64((x-math.Floor(x))*(1<<rankBits))
}

// within compares points of one cell. Equal ones are in input order.
//
// Input order decides between exact duplicates only.
func (c *Cloud) within(u, v uint32) int {
	p, q := &c.XYZ[u], &c.XYZ[v]
	return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]),
		cmp.Compare(u, v))
}

// Unit is the unit of every cloud that is not too large for it, in metres.
const Unit = 1. / finest

// from returns the offset, in units, of the cloud's origin from an origin in metres.
//
// Both origins are whole numbers of finest units, so that rounding only removes what the division by steps
// added, and the difference is exact.
func (c *Cloud) from(origin [3]float64) (shift [3]int64) {
	for a, own := range [3]float64{c.Origin.X, c.Origin.Y, c.Origin.Z} {
		shift[a] = int64(math.Round(own*finest)) - int64(math.Round(origin[a]*finest))
	}
	return shift
}

// From returns a function of positions in metres from an origin. They have the same bits in
// every cloud of this Unit that has the point.
//
// Why not the origin plus an offset in metres: such a sum is rounded differently in clouds with other
// origins. Here one exact integer is multiplied once.
func (c *Cloud) From(origin [3]float64) func(i uint32) r3.Vector {
	s := c.from(origin)
	return func(i uint32) r3.Vector {
		p := &c.XYZ[i]
		return r3.Vector{X: float64(int64(p[0])+s[0]) * c.Unit, Y: float64(int64(p[1])+s[1]) * c.Unit,
			Z: float64(int64(p[2])+s[2]) * c.Unit}
	}
}

// Reach returns how far points of a spacing may lie from the origin along an axis to have IDs, in metres.
func Reach(spacing float64) float64 {
	return float64(1<<(cellBits-1)) * NewCells(spacing, Unit).Edge() * Unit
}

// tooWide is the error of a cloud that is too wide for Unit, with its widest axis and the point that is
// farthest from most others along it.
func (c *Cloud) tooWide() error {
	var axis, farthest, far int
	for a := range 3 {
		values := make([]int, c.Len())
		for i, p := range c.XYZ {
			values[i] = int(p[a])
		}
		order := slices.Sorted(slices.Values(values))
		middle := order[len(order)/2]
		for i, v := range values {
			if d := max(v-middle, middle-v); d > far {
				axis = a
				farthest = i
				far = d
			}
		}
	}
	p := c.Position(uint32(farthest)).Add(c.Origin)
	remedy := "take smaller tiles, or leave out points there"
	if axis == 2 {
		remedy = "leave out points there"
	}
	return fmt.Errorf("neighbor: points lie more than 21 km apart: one at (%.2f, %.2f, %.2f) m is %.0f km "+
		"from most in %c; %s (filters.range), and plan again", p.X, p.Y, p.Z, float64(far)*c.Unit/1000,
		"XYZ"[axis], remedy)
}

// IDs returns an ID for each point, ascending in the order of keys and the same in every
// cloud that has all points of the point's cell: the code of the cell, then the rank in it.
// origin and spacing belong to the survey, in metres. It returns an error if the cloud is
// too wide for Unit, if a point is too far from the origin, or if a cell has too many points.
//
// Time: O(n log n), for a sort by cell and then by position. Memory: 16 bytes a point while sorting, and 8
// for the result.
func (c *Cloud) IDs(origin [3]float64, spacing float64, run parallel.Run) ([]uint64, error) {
	if c.Unit != Unit {
		return nil, c.tooWide()
	}
	shift := c.from(origin)
	cells := NewCells(spacing, c.Unit)
	type keyed struct {
		cell  uint64
		point uint32
	}
	n := c.Len()
	all := make([]keyed, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &c.XYZ[i]
			all[i] = keyed{cells.code(int64(p[0])+shift[0], int64(p[1])+shift[1]), uint32(i)}
		}
	}); err != nil {
		return nil, err
	}
	for _, p := range c.XYZ {
		for a := range 2 {
			// An arithmetic shift leaves 0 for 0 ≤ column < 2²¹ and −1 for −2²¹ ≤ column < 0.
			if at := cells.At(int64(p[a])+shift[a]) >> (cellBits - 1); at != 0 && at != -1 {
				return nil, fmt.Errorf(
					"neighbor: a point lies more than %.0f km from the survey's origin; do it in parts",
					Reach(spacing)/1000)
			}
		}
	}
	// The rank of a point in its cell depends on all points of the cell: a tile has to have whole cells
	// (Edge).
	slices.SortFunc(all, func(a, b keyed) int {
		if a.cell != b.cell {
			return cmp.Compare(a.cell, b.cell)
		}
		return c.within(a.point, b.point)
	})
	id := make([]uint64, n)
	rank := uint64(0)
	for k, p := range all {
		if k > 0 && all[k-1].cell == p.cell {
			rank++
		} else {
			rank = 0
		}
		// It would run into the bits of the cell, and two points of adjacent cells could get one ID.
		if rank>>rankBits != 0 {
			return nil, fmt.Errorf(
				"neighbor: more than %d points in a column %.2f m wide; thin the cloud first "+
					"(filters.sample)", uint64(1)<<rankBits, cells.Edge()*c.Unit)
		}
		id[p.point] = p.cell<<rankBits | rank
	}
	return id, nil
}
