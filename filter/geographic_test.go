package filter

import (
	"math"
	"slices"
	"testing"

	"superpoint/filter/georef"
)

// shifted returns a roof in degrees about a longitude, as a file holds it: in
// steps of 1e-9 degrees, longitudes from −180 to 180.
func shifted(longitude, latitude float64) *View {
	view, _ := roof(1500, 5)
	v := &View{Reference: georef.Reference{Geographic: true, VerticalUnit: 1}, Z: view.Z}
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
