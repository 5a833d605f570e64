// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// bruteElevation computes the definition in Elevation's comment, cell by cell.
func bruteElevation(e Elevation, x, y, z []float64) []float64 {
	type cell struct{ row, col int }
	type box struct{ row, col, layer int }
	floor := func(v float64) int { return int(math.Floor(math.Round(v*1e5) / math.Round(e.Cell*1e5))) }
	count := map[box]int{}
	boxOf := func(i int) box {
		return box{floor(y[i]), floor(x[i]), int(math.Floor(math.Round(z[i]*1e5) / math.Round(e.Cell*1e5/4)))}
	}
	for i := range x {
		count[boxOf(i)]++
	}
	low, solid := map[cell]float64{}, map[cell]float64{}
	for i := range x {
		b, around := boxOf(i), 0
		for c := range 27 {
			around += count[box{b.row + c%3 - 1, b.col + c/3%3 - 1, b.layer + c/9 - 1}]
		}
		for k, lowest := range []map[cell]float64{low, solid} {
			if v, ok := lowest[cell{b.row, b.col}]; (!ok || z[i] < v) && (k == 0 || around > 3) {
				lowest[cell{b.row, b.col}] = z[i]
			}
		}
	}
	reach := int(math.Round(e.Window / e.Cell))
	corner := func(row, col int) float64 {
		for _, lowest := range []map[cell]float64{solid, low} {
			var heights []float64
			for c, v := range lowest {
				if c.row >= row-reach && c.row < row+reach && c.col >= col-reach && c.col < col+reach {
					heights = append(heights, v)
				}
			}
			slices.Sort(heights)
			if len(heights) > 0 {
				return heights[min(2, len(heights)-1)]
			}
		}
		panic("no cell around a corner")
	}
	out := make([]float64, len(x))
	for i := range x {
		row, col := floor(y[i]), floor(x[i])
		fx, fy := x[i]/e.Cell-float64(col), y[i]/e.Cell-float64(row)
		bottom := corner(row, col)*(1-fx) + corner(row, col+1)*fx
		top := corner(row+1, col)*(1-fx) + corner(row+1, col+1)*fx
		out[i] = min(max(z[i]-(bottom*(1-fy)+top*fy), -10), 100)
	}
	return out
}

func elevations(t *testing.T, e Elevation, x, y, z []float64) []float64 {
	t.Helper()
	c := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	v := must.Get(e.Measure(parallel.Run{Threads: 3}, c, nil))(t)
	out := make([]float64, c.Len())
	for i, o := range c.Order {
		out[o] = float64(v[i])
	}
	return out
}

func columnsOf(in *Input) (x, y, z []float64) {
	for i := range uint32(in.Cloud.Len()) {
		p := in.Cloud.Position(i).Add(in.Cloud.Origin)
		x, y, z = append(x, math.Round(p.X*1e3)/1e3), append(y, math.Round(p.Y*1e3)/1e3),
			append(z, math.Round(p.Z*1e3)/1e3)
	}
	return x, y, z
}

func TestElevationAgainstDefinition(t *testing.T) {
	for _, shift := range [][3]float64{{}, {-31, -17, 100}, {650_000, 6_860_000, -50}} {
		x, y, z := columnsOf(cloud(t, 400, shift))
		for _, e := range []Elevation{DefaultElevation(), {Cell: 3, Window: 6}, {Cell: 0.5, Window: 0.5}} {
			got, want := elevations(t, e, x, y, z), bruteElevation(e, x, y, z)
			for i := range got {
				must.Need(t, math.Abs(got[i]-want[i]) <= 2e-4,
					"%+v, shift %v: point %d at (%v, %v, %v) has %v, want %v", e, shift, i, x[i], y[i], z[i],
					got[i], want[i])
			}
		}
	}
}

// TestElevationIndependentOfTile compares a crop with its halo with the full cloud.
func TestElevationIndependentOfTile(t *testing.T) {
	e := Elevation{Cell: 2, Window: 6}
	x, y, z := columnsOf(cloud(t, 5000, [3]float64{1000, 2000, 30}))
	whole := elevations(t, e, x, y, z)
	var cx, cy, cz, want []float64
	var inside []bool
	for i := range x {
		if h := e.Halo(); x[i] > 1020-h && x[i] < 1040+h {
			cx, cy, cz = append(cx, x[i]), append(cy, y[i]), append(cz, z[i])
			want = append(want, whole[i])
			inside = append(inside, x[i] > 1020 && x[i] < 1040)
		}
	}
	n := 0
	for i, v := range elevations(t, e, cx, cy, cz) {
		if inside[i] {
			n++
			must.Need(t, v == want[i], "point %d: %v in the crop, %v in the full cloud", i, v, want[i])
		}
	}
	must.Hold(t, n >= 500, "only %d points inside", n)
}

func TestElevationIgnoresOutliersAndFollowsSlopes(t *testing.T) {
	var x, y, z []float64
	for i := range 10_000 {
		px, py := float64(i%100), float64(i/100)
		x, y, z = append(x, px), append(y, py), append(z, 0.1*px)
	}
	x, y, z = append(x, 50, 52), append(y, 50, 49), append(z, -30, -40) // echoes from below
	x, y, z = append(x, 20), append(y, 20), append(z, 0.1*20+8)         // a roof
	x, y, z = append(x, 30), append(y, 30), append(z, 250)              // a bird
	v := elevations(t, DefaultElevation(), x, y, z)
	for i, h := range v[:10_000] {
		// the window reaches 16 m downhill: up to 1.6 m, less the ignored cells
		if x[i] > 16 && (h < 1 || h > 2) {
			t.Fatalf("ground at (%v, %v) has elevation %v", x[i], y[i], h)
		}
	}
	must.Equal(t, v[10_000], -10, "outlier")
	must.Equal(t, v[10_003], 100, "elevation of a point far above, in metres")
	must.Hold(t, v[10_002] >= 9, "roof: got %v, want at least 9", v[10_002])
	must.Hold(t, v[10_002] <= 10, "roof: got %v, want at most 10", v[10_002])
}

// TestElevationOfOnePlace: points of one place have their heights above the lowest of them, wherever in its
// cell the place is, by Measure and as a channel: the cell of the first point is computed and not assumed.
func TestElevationOfOnePlace(t *testing.T) {
	const n = 30
	card := PaperCard()
	card.Inputs.Neighbor, card.Inputs.Point = []string{"x", "y", "z"}, []string{"elevation"}
	for shift := range 8 {
		x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i], z[i] = float64(shift)*0.27, -float64(shift)*0.31, float64(i)*0.5
		}
		got := elevations(t, DefaultElevation(), x, y, z)
		for i, v := range got {
			must.Need(t, math.Abs(v-z[i]) <= 1e-3, "shift %d: elevation of point %d is %v m, want %v",
				shift, i, v, z[i])
		}
		c := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
		l := must.Get(c.Nearest(card.Inputs.Neighbors, parallel.Run{}))(t)
		s := inputs(t, card, &Input{Cloud: c, Neighbors: l, Spacing: 0.5, Attributes: map[string][]float32{}})
		set := make([]float32, card.Inputs.Neighbors*s.NeighborChannels)
		point := make([]float32, s.PointChannels)
		for i, o := range c.Order {
			s.Gather(i, set, point)
			near(t, "channel elevation", float64(point[0]), z[o], 1e-3)
		}
	}
}
