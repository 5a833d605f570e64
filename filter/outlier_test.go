package filter

import (
	"math"
	"strings"
	"testing"
)

func TestCoordinatesThatAreNotNumbers(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for axis, name := range []string{"x", "y", "z"} {
			for _, options := range []string{`"model":"geometric"`, `"method":"vccs"`, `"method":"lin"`,
				`"method":"ssp-cluster","model":"geometric"`} {
				view, _ := roof(200, 1)
				[][]float64{view.X, view.Y, view.Z}[axis][150] = bad
				_, err := mustFilter(t, `{`+options+`}`).Segment(Run{}, view)
				if err == nil || !strings.Contains(err.Error(), "point 150 has "+name) {
					t.Errorf("%s = %v, %s: %v", name, bad, options, err)
				}
			}
		}
	}
}

// A point a million kilometres away would make the unit of positions so coarse
// that the rest falls into one place.
func TestFarPointIsAnError(t *testing.T) {
	for _, far := range []float64{1e9, -1e12, 1e15, 1e300, -math.MaxFloat64} {
		view, _ := roof(2000, 2)
		view.Y[1234] = far
		_, err := mustFilter(t, `{"model":"geometric"}`).Segment(Run{}, view)
		if err == nil || !strings.Contains(err.Error(), "point 1234") || !strings.Contains(err.Error(), "remove") {
			t.Errorf("point at %v: %v", far, err)
		}
	}
}

// Two points, or every point, so far away are no place on Earth either.
func TestUnearthlyCloudsAreErrors(t *testing.T) {
	for _, v := range []*View{
		{X: []float64{0, 1e9}, Y: []float64{0, 0}, Z: []float64{0, 0}},
		{X: []float64{-math.MaxFloat64, math.MaxFloat64, 1}, Y: []float64{0, 5e-324, 0}, Z: []float64{0, 0, math.MaxFloat64}},
		{X: []float64{1e15, 2e15, 3e15, 4e15}, Y: []float64{0, 0, 0, 0}, Z: []float64{0, 1, 0, 1}},
	} {
		for _, options := range []string{`"model":"geometric"`, `"method":"vccs"`, `"method":"lin"`,
			`"method":"ssp-cluster","model":"geometric"`} {
			if _, err := mustFilter(t, `{`+options+`}`).Segment(Run{}, v); err == nil ||
				!strings.Contains(err.Error(), "rounded to") {
				t.Errorf("%v, %s: %v", v.X, options, err)
			}
		}
	}
}

// Outliers of a kilometre, as birds and multiple reflections make, change
// nothing for the others but their neighbourhoods.
func TestKilometreOutliersAreAccepted(t *testing.T) {
	view, _ := roof(2000, 3)
	for i := 0; i < 2000; i += 500 {
		view.Z[i] += 1000 + float64(i)
	}
	for _, options := range []string{`"model":"geometric"`, `"method":"vccs"`, `"method":"lin"`,
		`"method":"ssp-cluster","model":"geometric"`} {
		s := mustSegment(t, mustFilter(t, `{`+options+`}`), view)
		checkIDs(t, view, s)
		if s.Count < 4 || s.Count > 1900 {
			t.Errorf("%s: %d superpoints", options, s.Count)
		}
	}
}

func TestTinyAndHugeCloudsKeepTheirShape(t *testing.T) {
	for _, factor := range []float64{1e-2, 1, 1e3} {
		view, _ := roof(2000, 4)
		view.Reference.HorizontalUnit, view.Reference.VerticalUnit = factor, factor
		s := mustSegment(t, mustFilter(t, `{"model":"geometric"}`), view)
		checkIDs(t, view, s)
		if s.Count < 10 {
			t.Errorf("scaled by %v: %d superpoints", factor, s.Count)
		}
	}
}
