package filter

import (
	"math"
	"math/rand/v2"
	"testing"
)

// stretched returns the view with all lengths times factor.
func stretched(v *View, factor float64) *View {
	w := *v
	times := func(from []float64) []float64 {
		to := make([]float64, len(from))
		for i, x := range from {
			to[i] = factor * x
		}
		return to
	}
	w.X, w.Y, w.Z = times(v.X), times(v.Y), times(v.Z)
	return &w
}

// agreement returns the share of points that lie in the superpoint of b in which
// most points of their superpoint of a lie.
func agreement(a, b []uint32) float64 {
	pairs, most := map[[2]uint32]int{}, map[uint32]int{}
	for i := range a {
		key := [2]uint32{a[i], b[i]}
		pairs[key]++
		most[a[i]] = max(most[a[i]], pairs[key])
	}
	sum := 0
	for _, n := range most {
		sum += n
	}
	return float64(sum) / float64(len(a))
}

// TestScale: the unit of length does not matter to the defaults. The rest is
// rounding: of the positions, and of the scaled lengths.
func TestScale(t *testing.T) {
	v, _ := roof(6000, 3)
	for _, column := range [][]float64{v.X, v.Y, v.Z} {
		for i, x := range column {
			// so that a tenth still is a whole number of the 10 µm that positions are kept in
			column[i] = math.Round(1000*x) / 1000
		}
	}
	for _, options := range []string{`{}`, `{"target_size":60}`, `{"delaunay":true}`} {
		want := mustSegment(t, mustFilter(t, options), v)
		for _, factor := range []float64{10, .1} {
			got := mustSegment(t, mustFilter(t, options), stretched(v, factor))
			one, other := agreement(want.ID, got.ID), agreement(got.ID, want.ID)
			t.Logf("%s, times %g: %d superpoints of %d, %.4f and %.4f of the points agree", options, factor, got.Count,
				want.Count, one, other)
			if min(one, other) < .999 {
				t.Errorf("%s, times %g: only %.4f and %.4f of the points agree", options, factor, one, other)
			}
		}
	}
}

// TestThinned: a quarter of the points give superpoints as pure as all points
// do, at the same mean size.
func TestThinned(t *testing.T) {
	v, _ := roof(24000, 4)
	r := rand.New(rand.NewPCG(4, 4))
	var index []int
	for i := range v.X {
		if r.IntN(4) == 0 {
			index = append(index, i)
		}
	}
	var ooa [2]float64
	for i, view := range []*View{v, keep(v, index)} {
		f := mustFilter(t, `{"target_size":60,"truth":"Classification"}`)
		mustSegment(t, f, view)
		ooa[i] = float64(f.Summary().Metrics.OOA)
	}
	t.Logf("OOA %.4f of all points, %.4f of a quarter", ooa[0], ooa[1])
	if ooa[1] < ooa[0]-.02 {
		t.Errorf("OOA falls from %.4f to %.4f when three of four points are left out", ooa[0], ooa[1])
	}
}
