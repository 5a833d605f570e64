package neighbor

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/parallel"
)

// The order of keys is an order of the points of a survey that does not depend
// on how it is cut: by the cell of their horizontal position along a Morton curve,
// in a cell by position, equal positions by input order. Its curve keeps points
// near each other in memory.
const (
	cellShift = 14 // a cell is 2¹⁴ units wide, 0.16 m
	cellBits  = 22 // of a cell's column and row: cells reach 343 km from the origin
	rankBits  = 64 - 2*cellBits
)

// CellEdge is the edge of a cell in units. A point's ID is only known where all
// points of its cell are.
const CellEdge = 1 << cellShift

// spread puts a zero before each of the lower 32 bits.
func spread(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// cellAt returns the Morton code of the cell of a position in units.
func cellAt(x, y int64) uint64 {
	const middle = 1 << (cellBits - 1)
	return spread(uint64(x>>cellShift+middle)) | spread(uint64(y>>cellShift+middle))<<1
}

// Precedes tells whether point u comes before v in the order of keys.
func (c *Cloud) Precedes(u, v uint32) bool {
	p, q := &c.XYZ[u], &c.XYZ[v]
	if a, b := cellAt(int64(p[0]), int64(p[1])), cellAt(int64(q[0]), int64(q[1])); a != b {
		return a < b
	}
	return c.within(u, v) < 0
}

// Key is the beginning of point u's key: the point whose is less comes first.
func (c *Cloud) Key(u uint32) uint64 {
	const inside = 1<<cellShift - 1
	p := &c.XYZ[u]
	x, y := int64(p[0]), int64(p[1])
	return cellAt(x, y)<<rankBits | uint64(x&inside)<<(rankBits-cellShift)
}

// within compares points of one cell. Equal ones are in input order.
func (c *Cloud) within(u, v uint32) int {
	p, q := &c.XYZ[u], &c.XYZ[v]
	return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]), cmp.Compare(p[2], q[2]), cmp.Compare(u, v))
}

// Unit is that of every cloud that is not too large for it.
const Unit = 1. / finest

// from returns what to add to positions, in units, for them to count from an origin
// in metres.
func (c *Cloud) from(origin [3]float64) (shift [3]int64) {
	for a, own := range [3]float64{c.Origin.X, c.Origin.Y, c.Origin.Z} {
		shift[a] = int64(math.Round(own*finest)) - int64(math.Round(origin[a]*finest))
	}
	return shift
}

// From returns positions in metres from an origin: the same of a point in any cloud
// of this Unit.
func (c *Cloud) From(origin [3]float64) func(i uint32) r3.Vector {
	s := c.from(origin)
	return func(i uint32) r3.Vector {
		p := &c.XYZ[i]
		return r3.Vector{X: float64(int64(p[0])+s[0]) * c.Unit, Y: float64(int64(p[1])+s[1]) * c.Unit,
			Z: float64(int64(p[2])+s[2]) * c.Unit}
	}
}

// IDs returns a number for each point in the order of keys, the same in every
// cloud that has all points of its cell. Origin is the survey's, in metres.
func (c *Cloud) IDs(origin [3]float64, run parallel.Run) ([]uint64, error) {
	if c.Unit != Unit {
		return nil, errors.New("neighbor: points lie more than 21 km apart: one is stray (filters.outlier removes it), " +
			"or the tile is too large")
	}
	shift := c.from(origin)
	type keyed struct {
		cell  uint64
		point uint32
	}
	n := c.Len()
	all := make([]keyed, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &c.XYZ[i]
			all[i] = keyed{cellAt(int64(p[0])+shift[0], int64(p[1])+shift[1]), uint32(i)}
		}
	}); err != nil {
		return nil, err
	}
	for _, p := range c.XYZ {
		for a := range 2 {
			if at := (int64(p[a]) + shift[a]) >> (cellShift + cellBits - 1); at != 0 && at != -1 {
				return nil, fmt.Errorf("neighbor: a point lies more than %.0f km from the survey's origin; do it in parts",
					float64(int64(1)<<(cellShift+cellBits-1))*c.Unit/1000)
			}
		}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if a.cell != b.cell {
			return cmp.Compare(a.cell, b.cell)
		}
		return c.within(a.point, b.point)
	})
	id, rank := make([]uint64, n), uint64(0)
	for k, p := range all {
		if k > 0 && all[k-1].cell == p.cell {
			rank++
		} else {
			rank = 0
		}
		if rank>>rankBits != 0 {
			return nil, fmt.Errorf("neighbor: more than %d points in a column %.2f m wide; thin the cloud first "+
				"(filters.sample)", uint64(1)<<rankBits, CellEdge*c.Unit)
		}
		id[p.point] = p.cell<<rankBits | rank
	}
	return id, nil
}
