// SPDX-License-Identifier: BSD-3-Clause

package tile_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/testdata/must"
)

func TestEveryPointHasOneCore(t *testing.T) {
	g := must.Get(tile.NewGrid(-3, 1, 97, 61, 10.1, 3))(t)
	r := rand.New(rand.NewPCG(1, 2))
	// borders, their neighbours in float64, both rims, points beyond the bounds
	for k := range 4000 {
		x, y := -5+105*r.Float64(), -1+70*r.Float64()
		switch k % 4 {
		case 0:
			x = g.Origin[0] + float64(r.IntN(g.Columns+1))*g.Size
		case 1:
			y = math.Nextafter(g.Origin[1]+float64(r.IntN(g.Rows+1))*g.Size, -1000)
		case 2:
			x, y = 97, 61
		}
		cores := 0
		for row := range g.Rows {
			for column := range g.Columns {
				if g.Core(column, row).Contains(x, y) {
					cores++
					c, r := g.At(x, y)
					must.Equal(t, [2]int{c, r}, [2]int{column, row}, "core of %v, %v", x, y)
				}
			}
		}
		must.Need(t, cores == 1, "%v, %v is in %d cores", x, y, cores)
	}
}

func TestGridErrors(t *testing.T) {
	for _, c := range []struct {
		size, halo float64
		wants      string
	}{{0, 1, "tile size 0"}, {10, 10, "halo 10"}, {10, 0, "halo 0"}, {1e-6, 1e-7, "larger tiles"}} {
		must.Fail(tile.NewGrid(0, 0, 100, 100, c.size, c.halo))(t, c.wants)
	}
}

// positions returns points of a cloud in random order.
func positions(n int, width float64, r *rand.Rand) (x, y []int64) {
	for range n {
		x = append(x, tile.Unit(652_000+width*r.Float64()))
		y = append(y, tile.Unit(5_412_000+width*r.Float64()))
	}
	return x, y
}

// taken returns the positions of the sampled points, sorted.
func taken(squares []tile.Square, x, y []int64) (all [][2]int64) {
	for _, q := range squares {
		for _, i := range q.Points {
			all = append(all, [2]int64{x[i], y[i]})
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	return all
}

// corner returns the corner of the clouds that positions makes.
func corner() tile.Corner { return tile.CornerOf(652_000, 5_412_000) }

// squaresOf returns the squares of positions in 10 µm.
func squaresOf(s tile.Sample, x, y []int64, corner tile.Corner) ([]tile.Square, bool) {
	floats := func(values []int64) (out []float64) {
		for _, v := range values {
			out = append(out, float64(v))
		}
		return out
	}
	squares, enough, _ := s.Squares(parallel.Run{Threads: 2}, floats(x), floats(y), 1e-5, corner)
	return squares, enough
}

// TestSampleIsOfPositions: a sample covers the cloud, has the requested size, and does not
// depend on the order of the points.
func TestSampleIsOfPositions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	wanted := tile.Sample{Points: 4000, Square: 500}
	for _, width := range []float64{3, 40, 300, 2000} {
		x, y := positions(20000, width, r)
		squares, _ := squaresOf(wanted, x, y, corner())
		total := 0
		for _, q := range squares {
			total += len(q.Points)
			must.Hold(t, len(q.Points) <= wanted.Square, "%v m: %d points in a square", width, len(q.Points))
			for _, i := range q.Points {
				must.Need(t, q.Inner(x[i], y[i], -1), "%v m: a point outside of its square", width)
			}
		}
		must.Hold(t, len(squares) >= 8, "%v m: %d squares, want at least 8", width, len(squares))
		must.Hold(t, total >= wanted.Points/2, "%v m: %d points, want at least half of %d", width, total,
			wanted.Points)
		must.Hold(t, total <= wanted.Points+wanted.Square,
			"%v m: %d points, want at most one square above %d", width, total,
			wanted.Points)
		before := taken(squares, x, y)
		for i, j := range r.Perm(len(x)) {
			x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i]
		}
		squares, _ = squaresOf(wanted, x, y, corner())
		must.Hold(t, slices.Equal(taken(squares, x, y), before),
			"%v m: another order of points, another sample", width)
	}
	same := slices.Repeat([]int64{7}, 10000)
	squares, _ := squaresOf(wanted, same, same, tile.Corner{7, 7})
	must.Need(t, len(squares) == 1, "points at one place are in %d squares", len(squares))
	must.Equal(t, len(squares[0].Points), 10000, "points of the square")
}

// TestSampleMovesWithTheCloud: by any whole number of units, also of a sample with squares that are divided.
func TestSampleMovesWithTheCloud(t *testing.T) {
	t.Parallel()
	wanted := tile.Sample{Points: 4000, Square: 500}
	x, y := positions(20000, 300, rand.New(rand.NewPCG(9, 10)))
	here, _ := squaresOf(wanted, x, y, corner())
	for _, by := range [][2]float64{{1, 0}, {0, 37.001}, {1000, -250.5}} {
		moved := tile.CornerOf(652_000+by[0], 5_412_000+by[1])
		var mx, my []int64
		for i := range x {
			mx, my = append(mx, x[i]+tile.Unit(by[0])), append(my, y[i]+tile.Unit(by[1]))
		}
		there, _ := squaresOf(wanted, mx, my, moved)
		must.Need(t, len(there) == len(here), "moved by %v: %d squares, want %d", by, len(there), len(here))
		for k := range here {
			must.Equal(t, there[k].Points, here[k].Points, "moved by %v: points of square %d", by, k)
		}
	}
}

// TestSampleOfFirstCells: a survey reads cells in the order of CompareCells until Squares
// reports that they suffice: the sample then equals the sample of all cells.
func TestSampleOfFirstCells(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	wanted := tile.Sample{Points: 4000, Square: 500}
	x, y := positions(60000, 600, r)
	all, _ := squaresOf(wanted, x, y, corner())
	cells := map[[2]int64][]int{}
	var order [][2]int64
	for i := range x {
		cell := corner().Cell(x[i], y[i])
		if cells[cell] == nil {
			order = append(order, cell)
		}
		cells[cell] = append(cells[cell], i)
	}
	slices.SortFunc(order, tile.CompareCells)
	var px, py []int64
	for k, cell := range order {
		for _, i := range cells[cell] {
			px, py = append(px, x[i]), append(py, y[i])
		}
		part, enough := squaresOf(wanted, px, py, corner())
		if enough {
			must.Hold(t, k+1 != len(order), "all %d cells are needed: nothing is tested", len(order))
			must.Equal(t, taken(part, px, py), taken(all, x, y), "points taken of %d of %d cells",
				k+1, len(order))
			return
		}
	}
	t.Error("no number of cells suffices")
}
