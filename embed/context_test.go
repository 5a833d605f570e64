// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// contextCard returns a card that reads only the columns of context.
func contextCard() *Card {
	c := PaperCard()
	c.Inputs.Neighbor, c.Inputs.Spacing = []string{"x", "y", "z"}, 0.25
	c.Inputs.Point = nil
	for scale := range 2 {
		for v := range contextCount {
			c.Inputs.Point = append(c.Inputs.Point, contextColumn(scale, v))
		}
	}
	c.Partition.Volume = &Volume{From: 0.1, To: 0.6}
	return c
}

// contextOf returns the columns of context in the order of the input, followed by Input.Scattering.
func contextOf(t *testing.T, in *Input) [][]float32 {
	t.Helper()
	asked := *in
	asked.Scattering = make([]float32, in.Cloud.Len())
	in = &asked
	s := must.Get(NewInputs(parallel.Run{Threads: 3}, contextCard(), in))(t)
	rows := make([][]float32, s.Len())
	for i, o := range in.Cloud.Order {
		rows[o] = append(slices.Clone(s.table[i*s.width:(i+1)*s.width]), in.Scattering[i])
	}
	return rows
}

// bruteContext computes the definition for one point by a loop over all points; the context
// is 0 if no point counts in the cube of the point.
func bruteContext(in *Input, floor int32, out []bool, i int, scale int) (row [contextCount]float64,
	counts bool) {
	edge := 6 * 0.25 / in.Cloud.Unit
	cubes := []int64{1, 3}[scale]
	place := func(u int) (cube [3]int64, at [3]float64) {
		p := in.Cloud.XYZ[u]
		least := in.Cloud.Least
		for a, v := range [3]int64{int64(p[0]) - int64(least[0]), int64(p[1]) - int64(least[1]),
			int64(p[2]) - int64(floor)} {
			near := int64(math.Floor(float64(v) / edge))
			cube[a] = int64(math.Floor(float64(near) / float64(cubes)))
			step := math.Floor((float64(v) - float64(near)*edge) * 1024 / edge)
			at[a] = (float64(near-cubes*cube[a]) + step/1024) / float64(cubes)
		}
		return cube, at
	}
	own, at := place(i)
	for u := range in.Cloud.Len() {
		cube, _ := place(u)
		counts = counts || !out[u] && cube == own
	}
	if !counts {
		return row, false
	}
	for corner := range int64(8) {
		var m shape.Moments
		n, weight, low := 0.0, 1.0, 0.0
		for u := range in.Cloud.Len() {
			cube, p := place(u)
			inside := !out[u]
			for a := range cube {
				d := cube[a] - own[a] - corner>>a&1
				inside = inside && (d == 0 || d == -1)
				p[a] += float64(d)
			}
			if inside {
				m.Add(p[0], p[1], p[2])
				n, low = n+1, low+p[2]
			}
		}
		for a, f := range at {
			if corner>>a&1 == 0 {
				f = 1 - f
			}
			weight *= f
		}
		c := m.Covariance()
		l := c.Eigenvalues()
		d := shape.Dimensionality(l)
		side := 2 * 6 * float64(cubes)
		for v, value := range []float64{float64(d.Planarity), float64(d.Scattering),
			float64(c.Verticality(l)), -low / n,
			math.Log(n / (side * side))} {
			row[v] += weight * value
		}
	}
	return row, true
}

func TestContextAgainstDefinition(t *testing.T) {
	in := cloud(t, 3000, [3]float64{650_000, 6_860_000, -50})
	from := must.Get(contextCard().Inputs.anchored(parallel.Run{}, in))(t)
	floor := bruteFloor(in.Cloud, contextCard().Inputs.LayerHeight(in.Spacing))
	found := must.Get(contextCard().Inputs.layers(parallel.Run{}, in.Cloud, from))(t)
	out := must.Get(found.outliers(parallel.Run{}, in.Cloud))(t)
	same := must.Get(Isolated(parallel.Run{}, contextCard(), in))(t)
	must.Need(t, slices.Equal(same, out), "Isolated returns other points: same is not out")
	must.Need(t, slices.Contains(out, true),
		"Isolated returns other points: out is %v, want true in it", out)
	in.Isolated = make([]bool, len(out))
	rows, counted := contextOf(t, in), map[[2]bool]int{} // by whether points count in the cubes
	must.Hold(t, slices.Equal(in.Isolated, out), "Embed sets other points as isolated")
	for i := range in.Cloud.Len() {
		if i%37 != 0 && (!out[i] || i%5 != 0) {
			continue
		}
		var counts [2]bool
		for scale := range 2 {
			var want [contextCount]float64
			want, counts[scale] = bruteContext(in, floor, out, i, scale)
			row := rows[in.Cloud.Order[i]]
			must.Need(t, row[2*contextCount] == row[scatteringValue],
				"point %d: scattering %v, near_scattering %v", i, row[2*contextCount], row[scatteringValue])
			for v, w := range want {
				at := scale*contextCount + v
				must.Need(t, math.Abs(float64(row[at])-w) <= 2e-3,
					"point %d, %s: %v, want %v", i, contextCard().Inputs.Point[at], row[at], w)
			}
		}
		counted[counts]++
	}
	must.Hold(t, counted[[2]bool{true, true}] >= 50,
		"numbers of compared points: counted[[2]bool{true, true}] is %v, want at least 50",
		counted[[2]bool{true, true}])
	must.Hold(t, counted[[2]bool{false, true}] != 0,
		"numbers of compared points: counted[[2]bool{false, true}] is 0")
	must.Hold(t, counted[[2]bool{}] != 0, "numbers of compared points: counted[[2]bool{}] is 0")
}

// TestContextIndependentOfTile crops a cloud with a halo of the width that the card requires.
func TestContextIndependentOfTile(t *testing.T) {
	in := cloud(t, 6000, [3]float64{1000, 2000, 30})
	whole := contextOf(t, in)
	x, y, z := columnsOf(in)
	row := make(map[[3]float64][]float32)
	for i, o := range in.Cloud.Order {
		row[[3]float64{x[i], y[i], z[i]}] = whole[o]
	}
	var at [3][]float64
	var inside []bool
	reach := contextCard().Halo()
	for i := range x {
		if x[i] > 1020-reach && x[i] < 1040+reach {
			at[0], at[1], at[2] = append(at[0], x[i]), append(at[1], y[i]), append(at[2], z[i])
			inside = append(inside, x[i] >= 1020 && x[i] <= 1040)
		}
	}
	c := must.Get(neighbor.New(at[0], at[1], at[2], parallel.Run{}))(t)
	lists := must.Get(c.Nearest(20, parallel.Run{}))(t)
	n := 0
	corner := [2]float64{slices.Min(x), slices.Min(y)}
	floor := must.Get(BoxFloor(parallel.Run{}, in.Cloud, contextCard().Inputs.LayerHeight(0.25)))(t)
	for i, got := range contextOf(t, &Input{Cloud: c, Neighbors: lists, Spacing: 0.25,
		Anchor: Anchor{Corner: &corner, Floor: &floor}}) {
		if want := row[[3]float64{at[0][i], at[1][i], at[2][i]}]; inside[i] {
			n++
			must.Need(t, slices.Equal(got, want), "point %d: %v in the crop, %v in the full cloud",
				i, got, want)
		}
	}
	must.Hold(t, n >= 500, "%d points are compared, want at least 500", n)
	must.Hold(t, n <= len(whole)/2, "%d points are compared, want at most %v", n, len(whole)/2)
}
