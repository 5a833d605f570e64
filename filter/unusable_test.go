// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

// Points without finite coordinates keep their places and get id 0; the others get what they get without them.
func TestUnusablePoints(t *testing.T) {
	t.Parallel()
	for _, options := range []Options{{}, {Method: "vccs"}, {TargetSize: []float64{30, 90}},
		{Color: true, Vote: "ReturnNumber", EmbeddingColor: true}, {Classes: "aerial"}} {
		said := ""
		f := must.Get(New(&options, func(level int, text string) { said += text }))(t)
		full := village(3000)
		full.Dimensions["Classification"] = slices.Repeat([]float64{1}, full.Len())
		full.Dimensions["SuperpointID"] = full.Dimensions["Classification"] // of a former run
		n := full.Len()
		bad, usable := &View{Reference: full.Reference, Dimensions: map[string][]float64{}}, []int{}
		for i := range n {
			if i%7 == 0 {
				x, y, z := full.X[i], full.Y[i], full.Z[i]
				switch i / 7 % 3 {
				case 0:
					x = math.NaN()
				case 1:
					y = math.Inf(1)
				default:
					z = math.Inf(-1)
				}
				bad.X, bad.Y, bad.Z = append(bad.X, x), append(bad.Y, y), append(bad.Z, z)
			}
			usable = append(usable, len(bad.X))
			bad.X, bad.Y, bad.Z = append(bad.X, full.X[i]), append(bad.Y, full.Y[i]), append(bad.Z, full.Z[i])
		}
		for name, values := range full.Dimensions {
			spread := slices.Repeat([]float64{3}, len(bad.X))
			for i, at := range usable {
				spread[at] = values[i]
			}
			bad.Dimensions[name] = spread
		}
		d := must.Get(f.Describe(full.names()))(t)
		want := must.Get(must.Get(New(&options, nil))(t).Segment(Run{}, full))(t)
		said = ""
		got := must.Get(f.Segment(Run{}, bad))(t)
		if want.Count != got.Count || want.First != got.First || len(got.ID) != len(bad.X) || said == "" {
			t.Fatalf("%+v: %d superpoints, not %d; said %q", options, got.Count, want.Count, said)
		}
		for _, o := range d.Outputs {
			a, b := make([]float64, n), slices.Repeat([]float64{9}, len(bad.X))
			must.OK(t, want.Output(o.Name, a))
			must.OK(t, got.Output(o.Name, b))
			picked := make([]float64, n)
			for i, at := range usable {
				picked[i], b[at] = b[at], -1
			}
			if !slices.Equal(a, picked) {
				t.Errorf("%+v: other values of %s", options, o.Name)
			}
			for i, v := range b {
				kept, id := 3.0, strings.HasPrefix(o.Name, "SuperpointID")
				if v != -1 && v != 0 && (v != kept || id || bad.Dimensions[o.Name] == nil) {
					t.Fatalf("%+v: point %d has %s = %v", options, i, o.Name, v)
				}
			}
		}
		if len(got.Embedding()) != got.Dim*len(bad.X) {
			t.Errorf("an embedding of %d values", len(got.Embedding()))
		}
	}
}

// A view without any usable point has no superpoints.
func TestNoUsablePoint(t *testing.T) {
	t.Parallel()
	f := must.Get(New(&Options{}, func(int, string) {}))(t)
	d := must.Get(f.Describe(nil))(t)
	nan := []float64{math.NaN(), math.NaN()}
	s := must.Get(f.Segment(Run{}, &View{X: nan, Y: nan, Z: nan}))(t)
	for _, o := range d.Outputs {
		values := []float64{5, 5}
		must.OK(t, s.Output(o.Name, values))
		if s.Count != 0 || values[0] != 0 || values[1] != 0 {
			t.Errorf("%d superpoints, %s = %v", s.Count, o.Name, values)
		}
	}
}

// Points far apart, or in a column, in an unknown unit are hardly in metres.
func TestUnknownUnit(t *testing.T) {
	t.Parallel()
	const millimetres, kilometres, degrees = "if they are millimetres", "if they are kilometres", "if they are degrees"
	for _, c := range []struct {
		unit, wide, high float64 // factors of X and Y, and of Z
		words            string
	}{
		{0, 1, 1, ""}, {0, 1000, 1000, millimetres}, {0.001, 1000, 1000, ""}, {0, 1e-5, 1, degrees}, {1, 1e-5, 1, ""},
		{0, 0.01, 0.01, ""}, {0, 0.001, 0.001, kilometres}, {1000, 0.001, 0.001, ""}, {0, 0, 1, ""},
	} {
		said := ""
		f := must.Get(New(&Options{}, func(_ int, text string) { said += text }))(t)
		v := village(2000)
		for i := range v.X {
			v.X[i], v.Y[i], v.Z[i] = c.wide*v.X[i], c.wide*v.Y[i], c.high*v.Z[i]
		}
		v.Reference = georef.Reference{HorizontalUnit: c.unit, VerticalUnit: c.unit}
		must.Get(f.Segment(Run{}, v))(t)
		for _, words := range []string{millimetres, kilometres, degrees} {
			if strings.Contains(said, words) != (words == c.words) {
				t.Errorf("%+v: it said %q", c, said)
			}
		}
	}
}

// Points that are there twice are said to be, but not a few of them, nor those of degrees, which rounding makes.
func TestDuplicatedPoints(t *testing.T) {
	t.Parallel()
	for copies, warned := range map[int]string{0: "", 100: "", 600: "23 % of the points", 2000: "50 % of the points",
		1999: "if they are degrees"} {
		said := ""
		f := must.Get(New(&Options{}, func(_ int, text string) { said += text }))(t)
		v := village(2000)
		v.X, v.Y, v.Z = append(v.X, v.X[:copies]...), append(v.Y, v.Y[:copies]...), append(v.Z, v.Z[:copies]...)
		degrees := strings.Contains(warned, "degrees")
		if degrees {
			v.Reference = georef.Reference{}
			for i := range v.X {
				v.X[i], v.Y[i] = 1e-5*v.X[i], 1e-5*v.Y[i]
			}
		}
		must.Get(f.Segment(Run{}, v))(t)
		if !strings.Contains(said, warned) || (warned == "" || degrees) && strings.Contains(said, "another one") {
			t.Errorf("%d copies: it said %q", copies, said)
		}
	}
}
