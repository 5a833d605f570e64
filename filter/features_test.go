// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// image is a level view of columns × rows points, side apart, row by row, with a red disc and a green half plane on
// blue.
func image(columns, rows int, side float64, seed uint64) *View {
	random := rand.New(rand.NewPCG(seed, 2))
	v := &View{Dimensions: map[string][]float64{"Red": nil, "Green": nil, "Blue": nil, "Classification": nil}}
	for row := range rows {
		for column := range columns {
			v.X = append(v.X, 500000+side*float64(column))
			v.Y = append(v.Y, 5000000-side*float64(row))
			class := 1
			if 2*column > columns {
				class = 2
			}
			if math.Hypot(float64(column)-0.4*float64(columns), float64(row)-0.5*float64(rows)) < 0.2*float64(rows) {
				class = 3
			}
			for k, name := range []string{"Blue", "Green", "Red"} {
				value := 40.0
				if k == class-1 {
					value = 180
				}
				v.Dimensions[name] = append(v.Dimensions[name], math.Round(value+8*random.NormFloat64()))
			}
			v.Dimensions["Classification"] = append(v.Dimensions["Classification"], float64(class))
		}
	}
	v.Z = make([]float64, len(v.X))
	return v
}

// keep returns the points of a view at the given indices.
func keep(v *View, index []int) *View {
	pick := func(from []float64) []float64 {
		to := make([]float64, len(index))
		for i, at := range index {
			to[i] = from[at]
		}
		return to
	}
	w := &View{X: pick(v.X), Y: pick(v.Y), Z: pick(v.Z), Reference: v.Reference, Dimensions: map[string][]float64{}}
	for name, column := range v.Dimensions {
		w.Dimensions[name] = pick(column)
	}
	return w
}

func TestFeaturesOfPoints(t *testing.T) {
	view, part := roof(4000, 1)
	view.Dimensions["Height"] = make([]float64, len(part))
	for i, p := range part {
		view.Dimensions["Height"][i] = 3 * float64(p)
	}
	f := mustFilter(t, `{"features":"Height, Z","truth":"Classification"}`)
	s := mustSegment(t, f, view)
	if m := f.Summary().Metrics; float64(m.OOA) < 0.99 || s.Dim != 2 {
		t.Errorf("OOA %v, %d features", m.OOA, s.Dim)
	}
	d, err := f.Describe([]string{"Height", "Classification"})
	if err != nil || len(d.Required) != 2 || d.Required[0].Name != "Height" {
		t.Errorf("required: %+v, %v", d.Required, err)
	}
}

func TestScalesOfFeatures(t *testing.T) {
	view := image(50, 40, 1, 6)
	view.Dimensions["Red"][7] = 65535 // one glint
	s := mustSegment(t, mustFilter(t, `{"features":"Red,Green,Blue"}`), view)
	rows := s.Embedding()
	for i, name := range []string{"Red", "Green", "Blue"} { // one scale for all three
		want := (view.Dimensions[name][99] - view.Dimensions["Red"][99]) /
			(view.Dimensions["Red"][3] - view.Dimensions["Blue"][3])
		got := float64(rows[99*3+i]-rows[99*3]) / float64(rows[3*3]-rows[3*3+2])
		if math.Abs(got-want) > 1e-4 {
			t.Errorf("%s: difference from red %v, want %v", name, got, want)
		}
	}
	if red := float64(rows[3*7]); red < 100 {
		t.Errorf("a value far beyond the quantile becomes %v; it should continue linearly", red)
	}
}

func TestFeaturesAreRefused(t *testing.T) {
	if _, err := parseOptions([]byte(`{"features":"Red","model":"aerial"}`)); err == nil {
		t.Error("features beside a model: no error")
	}
	for _, features := range []string{"Red,,Blue", "Red,Red", "a b", ","} {
		o, err := parseOptions(fmt.Appendf(nil, `{"features":%q}`, features))
		if err == nil {
			_, err = New(o, nil)
		}
		if err == nil {
			t.Errorf("features %q: no error", features)
		}
	}
	hole := image(8, 6, 1, 1)
	hole.Dimensions["Green"][5] = math.NaN()
	for features, want := range map[string]string{"Green": "Green", "Rot": "Rot"} {
		must.Fail(mustFilter(t, fmt.Sprintf(`{"features":%q}`, features)).Segment(Run{}, hole))(t, want)
	}
}
