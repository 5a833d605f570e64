package embed

import (
	"math"
	"slices"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Elevation says how a point's height above its surroundings is measured. The
// plane is cut into cells aligned with the world's coordinates. The ground at a
// corner of cells is the third lowest of the lowest points of the occupied
// cells within Window (fewer cells: the highest of them); between corners it is
// interpolated, so that it is continuous. Isolated points, such as echoes from below
// the ground, see outliers.go, are not looked at unless there are no others. A
// point's elevation depends only on points within Halo of it.
type Elevation struct {
	Cell   float64 `yaml:"cell"`   // metres, side of a cell
	Window float64 `yaml:"window"` // metres from a corner to the farthest side of its cells; a multiple of cell
}

// DefaultElevation has cells that an aerial scan of 1 point/m² still fills and
// a window wider than most houses.
func DefaultElevation() Elevation { return Elevation{Cell: 2, Window: 16} }

// Halo returns the distance along x or y beyond which no point has influence.
func (e Elevation) Halo() float64 { return e.Window + 2*e.Cell }

// strays is the number of lowest cells that are passed over.
const strays = 2

// Limits of an elevation in metres.
const (
	lowestElevation  = -10
	highestElevation = 100
)

func (e Elevation) validate() error {
	if !(e.Cell >= 0.01 && e.Cell <= 100) {
		return &CardError{"inputs.elevation.cell", e.Cell, "must be 0.01 to 100 metres; usual is 2"}
	}
	if n := e.Window / e.Cell; !(n >= 1 && n <= 64) || n != math.Round(n) {
		return &CardError{"inputs.elevation.window", e.Window, "must be 1 to 64 times inputs.elevation.cell; usual is 16"}
	}
	return nil
}

// lowest is an occupied cell and the height of its lowest point in units.
type lowest struct {
	row, col int64
	z        int32
}

func (a lowest) compare(b lowest) int {
	switch {
	case a.row != b.row:
		return int(min(max(a.row-b.row, -1), 1))
	case a.col != b.col:
		return int(min(max(a.col-b.col, -1), 1))
	}
	return int(min(max(int64(a.z)-int64(b.z), -1), 1))
}

// ground holds the heights at corners, in units, sorted by row and column.
type ground struct {
	side    int64 // units in a cell
	x0, y0  int64 // world position of the cloud's origin in units
	corners []lowest
}

// Measure returns every point's elevation in metres, in the cloud's order. Noise (nil:
// none) counts nowhere.
func (e Elevation) Measure(run parallel.Run, cloud *neighbor.Cloud, noise []bool) ([]float32, error) {
	above := make([]float32, cloud.Len())
	if len(above) == 0 {
		return above, nil
	}
	found, err := e.layers(run, cloud, nil, noise)
	if err != nil {
		return nil, err
	}
	return above, e.measure(run, cloud, found, above, 1)
}

// Side returns the edge of a cell in units of a cloud, whose unit is given.
func (e Elevation) Side(unit float64) int64 { return max(1, int64(math.Round(e.Cell/unit))) }

// Reach returns how many cells away from a corner are looked at.
func (e Elevation) Reach() int64 { return int64(math.Round(e.Window / e.Cell)) }

// measure writes every point's elevation in metres to out, whose stride is given.
func (e Elevation) measure(run parallel.Run, cloud *neighbor.Cloud, found *layers, out []float32, stride int) error {
	g := &ground{side: found.side[0], x0: found.origin[0], y0: found.origin[1]}
	own := found.lowest(found.own, func(*layer) bool { return true })
	all := found.lowest(found.all, func(v *layer) bool { return v.n > 0 })
	solid := found.lowest(found.all, func(v *layer) bool { return v.n > 0 && !v.isolated })
	if err := g.settle(run, own, all, solid, e.Reach()); err != nil {
		return err
	}
	return run.For(cloud.Len(), 1<<14, func(lo, hi int) {
		var near pair
		for i := lo; i < hi; i++ {
			var above float64
			above, near = g.above(cloud.XYZ[i], near)
			h := above * cloud.Unit
			out[i*stride] = float32(min(max(h, lowestElevation), highestElevation))
		}
	})
}

// cell returns the cell of a position in units, and the place in it in [0, 1).
func (g *ground) cell(p [3]int32) (row, col int64, fy, fx float64) {
	x, y := g.x0+int64(p[0]), g.y0+int64(p[1])
	row, col = arithmetic.FloorDiv(y, g.side), arithmetic.FloorDiv(x, g.side)
	return row, col, float64(y-row*g.side) / float64(g.side), float64(x-col*g.side) / float64(g.side)
}

// distinct sorts cells and keeps the lowest of each.
func distinct(cells []lowest) []lowest {
	slices.SortFunc(cells, lowest.compare)
	return slices.CompactFunc(cells, func(a, b lowest) bool { return a.row == b.row && a.col == b.col })
}

// settle computes the ground at the four corners of every cell of the cloud's own from
// those that are not isolated, or else all, at most reach cells away; where there are
// none it is 0 units. Corner (row, col) is the lower left one of cell (row, col).
func (g *ground) settle(run parallel.Run, own, all, solid []lowest, reach int64) error {
	corners := make([]lowest, 0, len(own)+len(own)/4)
	for _, c := range own {
		for d := int64(0); d < 4; d++ {
			corners = append(corners, lowest{c.row + d/2, c.col + d%2, 0})
		}
	}
	g.corners = distinct(corners)
	return run.For(len(g.corners), 1<<10, func(lo, hi int) {
		from := make([]int, 2*reach)
		fresh := true
		for i := lo; i < hi; i++ {
			c := &g.corners[i]
			z, ok := third(solid, c.row, c.col, reach, from, fresh || g.corners[i-1].row != c.row)
			if fresh = !ok; fresh {
				z, _ = third(all, c.row, c.col, reach, from, true)
			}
			c.z = z
		}
	})
}

// third returns the third lowest height among the cells around a corner, if there are
// any. from holds, for each row of cells, where the previous corner's columns began.
func third(cells []lowest, row, col, reach int64, from []int, fresh bool) (z int32, ok bool) {
	low := [strays + 1]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}
	count := 0
	for r := range from {
		cellRow := row - reach + int64(r)
		if fresh {
			from[r], _ = slices.BinarySearchFunc(cells, lowest{cellRow, col - reach, math.MinInt32}, lowest.compare)
		}
		k := from[r]
		for k < len(cells) && cells[k].row == cellRow && cells[k].col < col-reach {
			k++
		}
		from[r] = k
		for ; k < len(cells) && cells[k].row == cellRow && cells[k].col < col+reach; k++ {
			count++
			if z := cells[k].z; z < low[strays] {
				low[strays] = z
				for j := strays; j > 0 && low[j] < low[j-1]; j-- {
					low[j], low[j-1] = low[j-1], low[j]
				}
			}
		}
	}
	if count == 0 {
		return 0, false
	}
	return low[min(count-1, strays)], true
}

// pair says where the lower and the upper left corners of a cell are.
type pair struct{ lower, upper int }

// above returns a point's height above the interpolated ground in units. near
// holds the corners of the previous point, which are mostly the same.
func (g *ground) above(p [3]int32, near pair) (height float64, at pair) {
	row, col, fy, fx := g.cell(p)
	at = near
	if c := g.corners[at.lower]; c.row != row || c.col != col {
		at.lower = g.find(row, col)
	}
	if c := g.corners[at.upper]; c.row != row+1 || c.col != col {
		at.upper = g.find(row+1, col)
	}
	h := func(k int) float64 { return float64(int64(p[2]) - int64(g.corners[k].z)) }
	bottom := h(at.lower) + fx*(h(at.lower+1)-h(at.lower))
	top := h(at.upper) + fx*(h(at.upper+1)-h(at.upper))
	return bottom + fy*(top-bottom), at
}

func (g *ground) find(row, col int64) int {
	k, _ := slices.BinarySearchFunc(g.corners, lowest{row, col, math.MinInt32}, lowest.compare)
	return k
}
