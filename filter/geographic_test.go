package filter

import (
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/parallel"
)

// shifted returns a roof in degrees about a longitude, as a file holds it: in
// steps of 1e-9 degrees, longitudes from −180 to 180.
func shifted(longitude, latitude float64) *View {
	view, _ := roof(1500, 5)
	v := &View{Reference: Reference{Geographic: true, VerticalUnit: 1}, Z: view.Z}
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
	a, b := mustSegment(t, mustFilter(t, `{"model":"geometric"}`), v), mustSegment(t, mustFilter(t, `{"model":"geometric"}`), shifted(180, 10))
	if !slices.Equal(a.ID, b.ID) {
		t.Error("longitudes from 0 to 360 give other superpoints")
	}
}

func TestShortArc(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		longitudes []float64
		west, east float64
	}{
		{[]float64{5}, 5, 5},
		{[]float64{5, nan, 7, 6, math.Inf(1)}, 5, 7},
		{[]float64{-179.5, 179, 179.25}, 179, 180.5},
		{[]float64{359.5, 0.5}, -0.5, 0.5},
		{[]float64{-120, 0, 120, 60}, -120, 120},
	} {
		west, east := shortArc(c.longitudes, 360)
		off := math.Remainder(west-c.west, 360)
		if math.Abs(off) > 1e-9 || math.Abs(east-west-(c.east-c.west)) > 1e-9 {
			t.Errorf("%v: %v to %v, want %v to %v", c.longitudes, west, east, c.west, c.east)
		}
	}
}

// TestWideDegreesAreWarnedOf counts both directions, and longitudes by the
// length they have at their latitude.
func TestWideDegreesAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		longitude, latitude, wide, high float64
		warns                           bool
	}{
		{10, 0, 2.5, 0.1, false}, {10, 0, 3, 0.1, true}, {179, 0, 3, 0.1, true}, {10, 60, 3, 0.1, false}, {10, 60, 6, 0.1, true}, {10, 60, 0.1, 3, true},
	} {
		var warned []string
		v := &View{Z: []float64{0, 0}, Reference: Reference{Geographic: true, VerticalUnit: 1},
			X: []float64{c.longitude, math.Remainder(c.longitude+c.wide, 360)}, Y: []float64{c.latitude, c.latitude + c.high}}
		if _, _, _, err := metres(parallel.Run{}, v, func(_ int, text string) { warned = append(warned, text) }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(warned, " "), "300 km"); got != c.warns {
			t.Errorf("%+v: warnings %q", c, warned)
		}
	}
}
