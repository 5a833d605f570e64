// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/filter/georef"
)

// moved returns the view with other X and Y.
func moved(v *View, to func(x, y float64) (float64, float64)) *View {
	w := &View{Reference: v.Reference, Z: v.Z}
	for i := range v.X {
		x, y := to(v.X[i], v.Y[i])
		w.X, w.Y = append(w.X, x), append(w.Y, y)
	}
	return w
}

// TestQuarterTurn turns a cloud by 90°, by which hand-crafted features stay what
// they are. Solvers are heuristics that go through the points in tree order, so
// that the partition may change, but no more than by a millimetre of noise. A
// learned embedding is only about the same after a turn.
func TestQuarterTurn(t *testing.T) {
	view, _ := roof(6000, 14)
	r := rand.New(rand.NewPCG(2, 3))
	segment := func(v *View) *Segmentation { return mustSegment(t, mustFilter(t, `{"model":"geometric"}`), v) }
	first := segment(view)
	turned := segment(moved(view, func(x, y float64) (float64, float64) { return -y, x }))
	noisy := segment(moved(view, func(x, y float64) (float64, float64) {
		return x + 0.001*r.NormFloat64(), y + 0.001*r.NormFloat64()
	}))
	alike := func(s *Segmentation) float64 { return min(agreement(first.ID, s.ID), agreement(s.ID, first.ID)) }
	turn, noise := alike(turned), alike(noisy)
	if turn < noise-0.1 {
		t.Errorf("%.3f of the points agree after a turn, %.3f after a millimetre of noise", turn, noise)
	}
	off := 0
	a, b := first.Embedding(), turned.Embedding()
	for i := range view.Len() {
		for k := range first.Dim {
			if math.Abs(float64(a[i*first.Dim+k]-b[i*first.Dim+k])) > 1e-3 {
				off++
				break
			}
		}
	}
	if off > view.Len()/50 {
		t.Errorf("the features of %d points of %d change by a turn", off, view.Len())
	}
}

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

// TestScale: the unit of length does not matter to the defaults, nor does it at the coordinates of a national grid, at
// any factor. The rest is rounding, of the positions and in the network: one decision that it turns moves whole
// superpoints, of which the village has few hundred.
func TestScale(t *testing.T) {
	v, _ := roof(6000, 3)
	for _, column := range [][]float64{v.X, v.Y, v.Z} {
		for i, x := range column {
			// so that a tenth still is a whole number of the 10 µm that positions are kept in
			column[i] = math.Round(1000*x) / 1000
		}
	}
	far := village(20_000)
	for i := range far.X {
		far.X[i], far.Y[i] = far.X[i]+85_720, far.Y[i]+447_219
	}
	for _, c := range []struct {
		options string
		view    *View
		factors []float64
		least   float64
	}{
		{`{}`, v, []float64{10, .1}, .999}, {`{"target_size":60}`, v, []float64{10, .1}, .999},
		{`{"delaunay":true}`, v, []float64{10, .1}, .999},
		{`{}`, far, []float64{.1, .25, 3, 4, 5, 8, 16, 100}, .97},
	} {
		want := mustSegment(t, mustFilter(t, c.options), c.view)
		for _, factor := range c.factors {
			got := mustSegment(t, mustFilter(t, c.options), stretched(c.view, factor))
			alike, apart := min(agreement(want.ID, got.ID), agreement(got.ID, want.ID)), 0.
			if c.view == v {
				apart = math.Abs(float64(measured(t, v, got.ID).OOA - measured(t, v, want.ID).OOA))
			}
			t.Logf("%s, times %g: %d superpoints of %d, %.4f of the points agree, OOA %.4f apart", c.options, factor,
				got.Count, want.Count, alike, apart)
			if alike < c.least || apart > .002 {
				t.Errorf("%s, times %g: only %.4f of the points agree, OOA is %.4f apart", c.options, factor, alike, apart)
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
	for i, view := range []*View{v, v.Part(indices(index))} {
		s := mustSegment(t, mustFilter(t, `{"target_size":60}`), view)
		ooa[i] = float64(measured(t, view, s.ID).OOA)
	}
	t.Logf("OOA %.4f of all points, %.4f of a quarter", ooa[0], ooa[1])
	if ooa[1] < ooa[0]-.02 {
		t.Errorf("OOA falls from %.4f to %.4f when three of four points are left out", ooa[0], ooa[1])
	}
}

// shifted returns a roof in degrees about a longitude, as a file holds it: in
// steps of 1e-9 degrees, longitudes from −180 to 180.
func shifted(longitude, latitude float64) *View {
	view, _ := roof(1500, 5)
	v := &View{Reference: georef.Reference{Kind: georef.Geographic, VerticalUnit: 1}, Z: view.Z}
	step := func(d float64) float64 { return math.Round(d*1e9) / 1e9 }
	for i := range view.X {
		v.X = append(v.X, step(math.Remainder(longitude+(view.X[i]-view.X[0])/111320/math.Cos(latitude*math.Pi/180), 360)))
		v.Y = append(v.Y, step(latitude+(view.Y[i]-view.Y[0])/111132))
	}
	return v
}

// TestLongitudeChangesNothing moves a cloud along its parallel, also onto 180°.
func TestLongitudeChangesNothing(t *testing.T) {
	for _, latitude := range []float64{0, -41.3} {
		first := mustSegment(t, mustFilter(t, `{"model":"geometric"}`), shifted(7.1, latitude))
		if first.Count < 3 {
			t.Fatalf("%d superpoints", first.Count)
		}
		for _, longitude := range []float64{170, 179.9, 180, -180} {
			v := shifted(longitude, latitude)
			s := mustSegment(t, mustFilter(t, `{"model":"geometric"}`), v)
			if !slices.Equal(s.ID, first.ID) {
				t.Errorf("longitude %v, latitude %v: %d superpoints, %d at 7.1", longitude, latitude, s.Count, first.Count)
			}
		}
	}
	v := shifted(180, 10)
	for i := range v.X { // 0 to 360, as some write longitudes
		v.X[i] = math.Mod(v.X[i]+360, 360)
	}
	a, b := mustSegment(t, mustFilter(t, `{"model":"geometric"}`), v), mustSegment(t,
		mustFilter(t, `{"model":"geometric"}`), shifted(180, 10))
	if !slices.Equal(a.ID, b.ID) {
		t.Error("longitudes from 0 to 360 give other superpoints")
	}
}
