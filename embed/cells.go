package embed

import (
	"math"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// grid divides space into boxes aligned with the world's coordinates, so that a point
// is in the same box in every tile.
type grid struct {
	side    [3]int64   // units
	inverse [3]float64 // 1/side
	origin  [3]int64   // of the cloud, in units from 0
	first   [3]int64   // index of the cell of the origin; keys are relative to it
}

// key holds the indices of a cell along x, y and z, relative to grid.first.
type key [3]int32

func newGrid(cloud *neighbor.Cloud, side [3]int64) *grid {
	g := &grid{side: side}
	for a, at := range [3]float64{cloud.Origin.X, cloud.Origin.Y, cloud.Origin.Z} {
		g.inverse[a], g.origin[a] = 1/float64(side[a]), int64(math.Round(at/cloud.Unit))
		g.first[a] = arithmetic.FloorDiv(g.origin[a], side[a])
	}
	return g
}

// cell returns ⌊(origin + x)/side⌋, the index of the cell of a coordinate along an axis,
// counted from the world's 0. The product with 1/side, which is faster than a quotient,
// may be off by one; the loops correct it, so the result is exact.
func (g *grid) cell(axis int, x int32) int64 {
	at, side := g.origin[axis]+int64(x), g.side[axis]
	cell := int64(float64(at) * g.inverse[axis])
	for at < cell*side {
		cell--
	}
	for at >= (cell+1)*side {
		cell++
	}
	return cell
}

// walker finds the cells of points. It keeps the cell of the last point, because
// consecutive points are mostly in the same one.
type walker struct {
	*grid
	at  key
	low [3]int64 // of the cell at, relative to the cloud's origin
}

func (g *grid) walk() walker {
	w := walker{grid: g}
	for a := range w.low {
		w.low[a] = math.MaxInt64
	}
	return w
}

// in sets at to the cell of a point and reports whether it differs from that of the
// point before.
func (w *walker) in(p *[3]int32) (moved bool) {
	x, y, z := int64(p[0])-w.low[0], int64(p[1])-w.low[1], int64(p[2])-w.low[2]
	if uint64(x) < uint64(w.side[0]) && uint64(y) < uint64(w.side[1]) && uint64(z) < uint64(w.side[2]) {
		return false
	}
	for a := range 3 {
		cell := w.cell(a, p[a])
		w.at[a], w.low[a] = int32(cell-w.first[a]), cell*w.side[a]-w.origin[a]
	}
	return true
}

// cells is a hash table from keys of occupied cells to values. Entries have indices from
// 0, in the order in which they were added.
type cells[T any] struct {
	key   []key
	value []T
	slot  []uint32 // open addressing: index of an entry + 1, 0 for none
}

func (k key) hash() uint64 {
	h := uint64(uint32(k[0]))*0x9e3779b97f4a7c15 ^ uint64(uint32(k[1]))*0xc2b2ae3d27d4eb4f ^
		uint64(uint32(k[2]))*0x165667b19e3779f9
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9 >> 20
}

// find returns the index of a cell, or −1.
func (c *cells[T]) find(k key) int {
	if len(c.slot) == 0 {
		return -1
	}
	for h := k.hash(); ; h++ {
		at := c.slot[h&uint64(len(c.slot)-1)]
		if at == 0 {
			return -1
		}
		if c.key[at-1] == k {
			return int(at - 1)
		}
	}
}

// add returns the index of a cell, and adds the cell if it is new.
func (c *cells[T]) add(k key) int {
	if 2*len(c.key) >= len(c.slot) {
		c.rehash(max(64, 4*len(c.slot)))
	}
	mask := uint64(len(c.slot) - 1)
	for h := k.hash(); ; h++ {
		at := &c.slot[h&mask]
		if *at == 0 {
			var none T
			c.key, c.value = append(c.key, k), append(c.value, none)
			*at = uint32(len(c.key))
			return len(c.key) - 1
		}
		if c.key[*at-1] == k {
			return int(*at - 1)
		}
	}
}

// reserve makes room for n more cells.
func (c *cells[T]) reserve(n int) {
	c.key, c.value = slices.Grow(c.key, n), slices.Grow(c.value, n)
	size := max(64, len(c.slot))
	for size <= 2*(len(c.key)+n) {
		size *= 2
	}
	c.rehash(size)
}

// rehash distributes the keys over a number of slots, a power of 2.
func (c *cells[T]) rehash(slots int) {
	c.slot = make([]uint32, slots)
	mask := uint64(len(c.slot) - 1)
	for i, k := range c.key {
		h := k.hash()
		for c.slot[h&mask] != 0 {
			h++
		}
		c.slot[h&mask] = uint32(i + 1)
	}
}

// usualPoints is the typical number of points of a cell.
const usualPoints = 32

// collectBlock is the number of points of one task of collect.
const collectBlock = 1 << 16

// collect returns the cells of n points, and for each block of collectBlock points the
// indices of the block's own cells in that table. add adds the points lo to hi−1 to the cells
// of a block; merge adds the value of another block's cell. Both add integers, so the result
// does not depend on the order.
func collect[T any](run parallel.Run, n int, add func(part *cells[T], lo, hi int), merge func(c, other *T)) (*cells[T],
	[][]uint32, error) {
	parts := make([]cells[T], (n+collectBlock-1)/collectBlock)
	err := run.For(n, collectBlock, func(lo, hi int) {
		parts[lo/collectBlock].reserve((hi - lo) / usualPoints)
		add(&parts[lo/collectBlock], lo, hi)
	})
	if len(parts) == 0 {
		return new(cells[T]), nil, err
	}
	all, places, more := &parts[0], make([][]uint32, len(parts)), 0
	for p := range parts[1:] {
		more += len(parts[p+1].key)
	}
	all.reserve(more)
	for p := range parts {
		places[p] = make([]uint32, len(parts[p].key))
		for i, k := range parts[p].key {
			at := i
			if p > 0 {
				at = all.add(k)
				merge(&all.value[at], &parts[p].value[i])
			}
			places[p][i] = uint32(at)
		}
	}
	return all, places, err
}
