package supervoxel

import (
	"fmt"
	"math"

	"superpoint/partition/arrays"

	"github.com/golang/geo/r3"
)

// axisBits is the number of bits of a cell number along an axis, so that the
// three fit in one word: 2 million cells along each axis.
const axisBits = 21

// Grid sorts positions into the cubes of a regular grid. Cubes are whole
// multiples of the resolution from the coordinate system's zero, so a cloud's
// cut does not move them. Occupied cells are numbered by their first position.
type Grid struct {
	Resolution float64    // side of a cell, metres
	Cell       []uint32   // cell of every position
	Place      [][3]int32 // where each cell is, in cells from the grid's zero

	unit  float64
	shift [3]float64 // cells from the grid's zero to the positions' origin
	table table
}

// NewGrid sorts positions, in units from origin as in neighbor.Cloud, into cells
// of the given side in metres. It fails when the side is not positive or so
// small that an axis would have more than two million cells.
func NewGrid(at [][3]int32, unit float64, origin r3.Vector, resolution float64) (*Grid, error) {
	if !(resolution > 0) || math.IsInf(resolution, 0) {
		return nil, fmt.Errorf("supervoxel: cells of %v m; give a length above 0", resolution)
	}
	g := &Grid{Resolution: resolution, unit: unit, Cell: make([]uint32, len(at))}
	for a, o := range [3]float64{origin.X, origin.Y, origin.Z} {
		g.shift[a] = o/resolution - math.Floor(o/resolution)
	}
	for _, p := range at {
		for a, v := range p {
			if w := g.cells(v, a); math.Abs(w) >= 1<<(axisBits-1)-2 {
				return nil, fmt.Errorf("supervoxel: cells of %v m are too small for a cloud that reaches %.0f m from its "+
					"middle; use at least %.3g m",
					resolution, math.Abs(float64(v))*unit, math.Abs(float64(v))*unit/(1<<(axisBits-1)-4))
			}
		}
	}
	g.table.grow(1 << 10)
	last, lastCell := uint64(math.MaxUint64), uint32(0)
	for i, p := range at {
		place := g.Of(p)
		key := pack(place)
		if key != last {
			last, lastCell = key, g.insert(key, place)
		}
		g.Cell[i] = lastCell
	}
	return g, nil
}

// Len returns the number of occupied cells.
func (g *Grid) Len() int { return len(g.Place) }

// Of returns the cell that a position lies in, occupied or not.
func (g *Grid) Of(p [3]int32) [3]int32 {
	return [3]int32{int32(math.Floor(g.cells(p[0], 0))), int32(math.Floor(g.cells(p[1], 1))),
		int32(math.Floor(g.cells(p[2], 2)))}
}

// Middle returns the middle of a cell in units from the positions' origin.
func (g *Grid) Middle(cell uint32) [3]float64 {
	var m [3]float64
	for a, v := range g.Place[cell] {
		m[a] = (float64(v) + 0.5 - g.shift[a]) * g.Resolution / g.unit
	}
	return m
}

// Around calls visit for the occupied cells among the 26 that touch a cell.
func (g *Grid) Around(cell uint32, visit func(cell uint32)) {
	p := g.Place[cell]
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			for dz := int32(-1); dz <= 1; dz++ {
				if dx|dy|dz == 0 {
					continue
				}
				if id := g.table.find(pack([3]int32{p[0] + dx, p[1] + dy, p[2] + dz})); id != None {
					visit(id)
				}
			}
		}
	}
}

// Members lists the positions of each cell.
func (g *Grid) Members() arrays.Groups { return arrays.GroupBy(g.Cell, g.Len()) }

func (g *Grid) cells(v int32, axis int) float64 {
	return float64(v)*(g.unit/g.Resolution) + g.shift[axis]
}

func (g *Grid) insert(key uint64, place [3]int32) uint32 {
	if 2*len(g.Place) >= len(g.table.key) {
		g.table.grow(2 * len(g.table.key))
	}
	slot := g.table.slot(key)
	if g.table.id[slot] == None {
		g.table.key[slot], g.table.id[slot] = key, uint32(len(g.Place))
		g.Place = append(g.Place, place)
	}
	return g.table.id[slot]
}

func pack(p [3]int32) uint64 {
	const mask = 1<<axisBits - 1
	return uint64(p[0])&mask<<(2*axisBits) | uint64(p[1])&mask<<axisBits | uint64(p[2])&mask
}

// table is a hash table with linear probing, at most half full.
type table struct {
	key []uint64
	id  []uint32 // None in empty slots
}

// slot returns where the key is, or the empty slot where it belongs (Fibonacci
// hashing: Knuth, The Art of Computer Programming 3, section 6.4).
func (t *table) slot(key uint64) uint64 {
	mask := uint64(len(t.key) - 1)
	h := key * 0x9E3779B97F4A7C15
	for i := (h ^ h>>32) & mask; ; i = (i + 1) & mask {
		if t.id[i] == None || t.key[i] == key {
			return i
		}
	}
}

func (t *table) find(key uint64) uint32 { return t.id[t.slot(key)] }

func (t *table) grow(slots int) {
	old := *t
	t.key, t.id = make([]uint64, slots), make([]uint32, slots)
	for i := range t.id {
		t.id[i] = None
	}
	for i, id := range old.id {
		if id != None {
			s := t.slot(old.key[i])
			t.key[s], t.id[s] = old.key[i], id
		}
	}
}
