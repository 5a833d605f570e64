// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// swept returns a cloud of scan lines with gaps between them, bundles of lines, a wire,
// isolated points, and duplicates.
func swept(n int) (x, y, z []float64) {
	random := rand.New(rand.NewPCG(5, 5))
	add := func(a, b, c float64) {
		round := func(v float64) float64 { return math.Round(v*1000) / 1000 }
		x, y, z = append(x, round(a)), append(y, round(b)), append(z, round(c))
		if random.IntN(60) == 0 {
			x, y, z = append(x, x[len(x)-1]), append(y, y[len(y)-1]), append(z, z[len(z)-1])
		}
	}
	for len(x) < n {
		line := float64(random.IntN(60))
		across := line + .15*float64(random.IntN(3))*math.Mod(line, 2)
		along := 60 * random.Float64()
		add(along, across+.02*random.NormFloat64(), math.Sin(along/9)+.02*random.NormFloat64())
	}
	for range 30 {
		add(60*random.Float64(), 60*random.Float64(), 5+10*random.Float64())
	}
	return x, y, z
}

// clumped returns swept with clumps, and with some groups of points that are too large to be clumps.
func clumped(n int) (x, y, z []float64) {
	x, y, z = swept(n)
	random := rand.New(rand.NewPCG(6, 6))
	for size := range 240 {
		at := [3]float64{60 * random.Float64(), 60 * random.Float64(), 4 * random.Float64()}
		for range 6 + size%18 {
			x, y = append(x, at[0]+.05*random.NormFloat64()), append(y, at[1]+.05*random.NormFloat64())
			z = append(z, at[2]+.05*random.NormFloat64())
		}
	}
	return x, y, z
}

// lookAt returns the cloud of some points, whose Order has indices in the full cloud, with its
// lists, its candidates, and which of these are selected.
func lookAt(t *testing.T, run parallel.Run, points []int, k, listed int, x, y, z []float64) (*Cloud, *Lists,
	*candidates, []uint32) {
	t.Helper()
	a, b, c := make([]float64, len(points)), make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		a[i], b[i], c[i] = x[p], y[p], z[p]
	}
	cloud := must.Get(New(a, b, c, run))(t)
	for i, p := range cloud.Order {
		cloud.Order[i] = uint32(points[p])
	}
	lists := must.Get(cloud.Nearest(listed, run))(t)
	w := &candidates{cloud: cloud, lists: lists, k: k, around: Around}
	must.OK(t, w.find(run))
	return cloud, lists, w, must.Get(w.selectAll(run))(t)
}

// TestExact: lists and edges of a tile that Exact reports equal those of the full cloud.
func TestExact(t *testing.T) {
	const k, listed = 5, 20
	run := parallel.Run{Threads: 2}
	x, y, z := clumped(25000)
	look := func(points []int) (*Cloud, *Lists, *candidates, []uint32) {
		return lookAt(t, run, points, k, listed, x, y, z)
	}
	ends := func(c *Cloud, w *candidates, keep []uint32, i uint32) (ends []uint32) {
		for bit := range Around + 2 {
			if keep[i]>>bit&1 != 0 {
				ends = append(ends, c.Order[w.end(i, bit)])
			}
		}
		return ends
	}
	names := func(c *Cloud, row []uint32) (names []uint32) {
		for _, j := range row {
			names = append(names, c.Order[j])
		}
		return names
	}
	all := arrays.Indices[int](len(x))
	whole, wholeLists, wholeWishes, wholeKept := look(all)
	how := GraphOptions{Nearest: k, Around: Around, Clumps: true}
	everywhere := must.Get(OwnEdges(whole, wholeLists, how, func(uint32) float64 { return math.Inf(1) },
		run))(t)
	at := make([]uint32, len(x))
	for i, p := range whole.Order {
		at[p] = uint32(i)
	}
	clumps := 0
	for _, box := range [][4]float64{{0, 0, 31, 60}, {12, 9, 40, 33}, {20, 20, 33, 29}} {
		var points []int
		for i := range x {
			if x[i] >= box[0] && x[i] < box[2] && y[i] >= box[1] && y[i] < box[3] {
				points = append(points, i)
			}
		}
		part, lists, w, keep := look(points)
		rim := func(i uint32) float64 {
			p := part.Order[i]
			return min(x[p]-box[0], box[2]-x[p], y[p]-box[1], box[3]-y[p])
		}
		own := must.Get(OwnEdges(part, lists, how, rim, run))(t)
		exact, differ, across := 0, 0, 0
		for i, p := range part.Order {
			same := slices.Equal(names(part, lists.Of(i)), names(whole, wholeLists.Of(int(at[p]))))
			if own.Inside[i] {
				must.Need(t, same,
					"%v: point %d has other neighbours than in the full cloud: same is false", box, p)
			}
			mine := ends(part, w, keep, uint32(i))
			same = same && slices.Equal(mine, ends(whole, wholeWishes, wholeKept, at[p]))
			full := names(whole, everywhere.Of(at[p]))
			same = same && slices.Equal(slices.Sorted(slices.Values(names(part, own.Of(uint32(i))))),
				slices.Sorted(slices.Values(full)))
			switch {
			case !same && own.Exact[i]:
				t.Fatalf("%v: point %d begins other edges than in the full cloud", box, p)
			case !same:
				differ++
			case own.Exact[i]:
				exact++
				across += len(mine)
				if len(full) > k+len(mine) {
					clumps++
				}
			}
		}
		t.Logf("%v: %d of %d points exact, %d edges across lines, %d differ", box, exact, len(points),
			across, differ)
		must.Hold(t, differ != 0, "%v: differ is 0", box)
		must.Hold(t, exact != 0, "%v: exact is 0", box)
		must.Hold(t, across != 0, "%v: across is 0", box)
	}
	must.Hold(t, clumps >= 20, "only %d exact edges of clumps", clumps)
}

// TestIDs: IDs are in the order of keys, and equal in every tile that has all points of a cell.
func TestIDs(t *testing.T) {
	run := parallel.Run{Threads: 2}
	x, y, z := swept(8000)
	whole := must.Get(New(x, y, z, run))(t)
	const spacing = .2
	order := whole.Ordered(spacing)
	o := [3]float64{whole.Origin.X, whole.Origin.Y, whole.Origin.Z}
	id := must.Get(whole.IDs(o, spacing, run))(t)
	of := make([]uint64, len(x))
	for i, p := range whole.Order {
		of[p] = id[i]
		j := (i*7919 + 13) % len(id)
		if i != j {
			must.Need(t, order.Precedes(uint32(i), uint32(j)) == (id[i] < id[j]),
				"points %d and %d: order.Precedes(uint32(i), uint32(j)) is not id[i] < id[j]", i, j)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(id)))
	must.Need(t, len(distinct) == len(id), "%d points have %d IDs", len(id), len(distinct))
	var a, b, c []float64
	var from []int
	for i := range x {
		if x[i] > 17 {
			a, b, c, from = append(a, x[i]), append(b, y[i]), append(c, z[i]), append(from, i)
		}
	}
	part := must.Get(New(a, b, c, run))(t)
	own := must.Get(part.IDs(o, spacing, run))(t)
	position, wholePosition := part.From(o), whole.From(o)
	at := make([]uint32, len(x))
	for i, p := range whole.Order {
		at[p] = uint32(i)
	}
	for i, p := range part.Order {
		q := from[p]
		if x[q] > 17+NewCells(spacing, 1).Edge() {
			must.Need(t, own[i] == of[q], "point %d: ID in a tile: got %v, want %v", q, own[i], of[q])
		}
		must.Need(t, position(uint32(i)) == wholePosition(at[from[p]]),
			"point %d has another position in a tile: position(uint32(i)) is not wholePosition(at[from[p]])",
			from[p])
		must.Need(t, position(uint32(i)) == whole.Position(at[from[p]]),
			"point %d has another position in a tile: position(uint32(i)) is not whole.Position(at[from[p]])",
			from[p])
	}
}

// TestFarPointHasNoID: points that are too far apart have no IDs, and the error has the place of a point that
// is far from most, its axis and what to do.
func TestFarPointHasNoID(t *testing.T) {
	run := parallel.Run{Threads: 1}
	for axis, name := range []string{"X", "Y", "Z"} {
		for _, far := range []float64{100_000, -40_000} {
			t.Run(fmt.Sprintf("%s %g", name, far), func(t *testing.T) {
				var at [3][]float64
				for k := range 30 {
					for a := range at {
						at[a] = append(at[a], 1000+float64(k*(a+1)%30))
					}
				}
				at[axis][17] += far
				c := must.Get(New(at[0], at[1], at[2], run))(t)
				_, err := c.IDs([3]float64{}, 1, run)
				must.Need(t, err != nil, "no error")
				want := fmt.Sprintf("one at (%.2f, %.2f, %.2f) m is %.0f km from most in %s;", at[0][17],
					at[1][17], at[2][17], math.Abs(far)/1000, name)
				must.Hold(t, strings.Contains(err.Error(), want), "got %q, want %q", err, want)
				isHorizontal := strings.Contains(err.Error(), "smaller tiles")
				must.Equal(t, isHorizontal, axis < 2, "smaller tiles are a remedy")
			})
		}
	}
}
