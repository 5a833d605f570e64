package supervoxel

import (
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/arrays"
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

// Tolerance is how far the number of segments may be from the wanted one, as a
// share of it.
const Tolerance = 0.05

// A search whose counts jump over the wanted one ends after so many tries. Each try of
// Fit's second search is a segmentation of the whole cloud.
const (
	maxTries    = 24
	maxSegments = 6
)

// A search ends between two resolutions that differ by less than closest. Seeds
// that pass over the wanted number between two that differ by less than jump do
// so at once: smooth counts change by far less than the tolerance there.
const (
	closest = 1e-6
	jump    = 1e-3
)

// Wanted returns the number of segments that n points make at a mean size.
func Wanted(n int, size float64) (int, error) {
	if !(size >= 1) || math.IsInf(size, 0) {
		return 0, fmt.Errorf("supervoxel: mean size of %v points; give a number of at least 1, for example 100", size)
	}
	return max(int(math.Round(float64(n)/size)), min(n, 1)), nil
}

// Search looks for a resolution whose count is within Tolerance of the wanted
// one: from the guess by steps of the power law of surfaces, count ~ r^−2, until
// two resolutions enclose it, then by bisection of log r. Counts are expected to
// fall with growing resolution, but need not. It returns the best resolution
// tried, the last one tried when equal, and its count.
func Search(want int, guess float64, count func(resolution float64) (int, error)) (best float64, n int, err error) {
	h := newHunt(want, closest, maxTries)
	err = h.run([]float64{guess}, count)
	return h.best, h.n, err
}

// hunt is what a search knows.
type hunt struct {
	want      int
	tries     int     // at most
	end       float64 // ends when low and high differ by less, as a share
	low, high float64 // too many at low, too few at high
	best      float64 // resolution
	n         int     // its count
	gap       float64 // between n and want
}

func newHunt(want int, end float64, tries int) *hunt {
	return &hunt{want: want, end: end, tries: tries, high: math.Inf(1), gap: math.Inf(1)}
}

// met reports whether the best count is near enough.
func (h *hunt) met() bool { return h.gap <= Tolerance*float64(h.want) }

// enclosed reports whether too many and too few are known.
func (h *hunt) enclosed() bool { return h.low > 0 && h.low < h.high && !math.IsInf(h.high, 1) }

// ended reports whether low and high are so close that there is nothing between.
func (h *hunt) ended() bool { return h.enclosed() && h.high/h.low < 1+h.end }

// run tries the first resolutions, then continues from the last of them.
func (h *hunt) run(first []float64, count func(resolution float64) (int, error)) error {
	for range h.tries {
		r := first[0]
		c, err := count(r)
		if err != nil {
			return err
		}
		if d := math.Abs(float64(c - h.want)); d <= h.gap {
			h.best, h.n, h.gap = r, c, d
		}
		if h.met() {
			return nil
		}
		if c > h.want {
			h.low = max(h.low, r)
		} else {
			h.high = min(h.high, r)
		}
		if h.ended() {
			return nil
		}
		if first = first[1:]; len(first) > 0 {
			continue
		}
		next, ok := h.next(r, c)
		if !ok {
			return nil // counts that rise with the resolution
		}
		first = []float64{next}
	}
	return nil
}

// next returns the resolution to try after r with its count.
func (h *hunt) next(r float64, count int) (float64, bool) {
	step := min(max(math.Sqrt(float64(max(count, 1))/float64(max(h.want, 1))), 0.25), 4)
	switch next := r * step; {
	case next > h.low && next < h.high && (h.low == 0 || math.IsInf(h.high, 1)):
		return next, true
	case h.enclosed():
		return math.Sqrt(h.low * h.high), true
	}
	return 0, false
}

// Fit searches for the resolution at which a method makes the wanted number of
// segments: first by the number of seeds, which costs little, then by segments,
// and returns the best segmentation tried. Where seeds jump over the wanted
// number, as on a lattice of points, of which whole planes change cubes at once,
// segments are tried on both sides of the jump before anywhere else.
func Fit(want int, guess float64, seeds func(resolution float64) (int, error),
	segment func(resolution float64) (*Segmentation, error)) (*Segmentation, error) {
	h := newHunt(want, jump, maxTries)
	if err := h.run([]float64{guess}, seeds); err != nil {
		return nil, err
	}
	first, end := []float64{h.best}, closest
	if !h.met() && h.ended() {
		end = jump
		first = append(first, slices.DeleteFunc([]float64{h.low, h.high}, func(r float64) bool { return r == h.best })...)
	}
	var best *Segmentation
	gap := func(s *Segmentation) int { return max(s.Count-want, want-s.Count) }
	err := newHunt(want, end, maxSegments).run(first, func(r float64) (int, error) {
		s, err := segment(r)
		if err != nil {
			return 0, err
		}
		if best == nil || gap(s) < gap(best) {
			best = s
		}
		return s.Count, nil
	})
	return best, err
}
