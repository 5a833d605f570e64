package georef

import (
	"math"
	"strings"
	"testing"

	"superpoint/partition/parallel"
)

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
		{10, 0, 2.5, 0.1, false}, {10, 0, 3, 0.1, true}, {179, 0, 3, 0.1, true}, {10, 60, 3, 0.1, false}, {10, 60, 6, 0.1,
			true}, {10, 60, 0.1, 3, true},
	} {
		var warned []string
		degrees := Reference{Geographic: true, VerticalUnit: 1}
		x := []float64{c.longitude, math.Remainder(c.longitude+c.wide, 360)}
		y := []float64{c.latitude, c.latitude + c.high}
		warn := func(text string) { warned = append(warned, text) }
		if _, _, _, err := degrees.Metres(parallel.Run{}, x, y, []float64{0, 0}, warn); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(warned, " "), "300 km"); got != c.warns {
			t.Errorf("%+v: warnings %q", c, warned)
		}
	}
}
