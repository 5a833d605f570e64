// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/filter/raster"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// image is a view of columns × rows pixels of the given side, in the order in
// which readers.gdal gives them, with a red disc and a green half plane on blue.
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

func TestGridFollowsTheImage(t *testing.T) {
	view := image(120, 90, 0.5, 1)
	for _, options := range []string{`{"graph":"grid","truth":"Classification","target_size":100}`,
		`{"graph":"grid","features":"Red,Green","truth":"Classification","adjacency_knn":4}`,
		`{"graph":"grid","method":"ssp-cluster","truth":"Classification","target_size":100}`} {
		f := mustFilter(t, options)
		s := mustSegment(t, f, view)
		sum := f.Summary()
		if ooa := float64(sum.Metrics.OOA); ooa < 0.99 || s.Count < 3 {
			t.Errorf("%s: OOA %v with %d superpoints", options, ooa, s.Count)
		}
		if sum.Model != "features" || sum.Graph != "grid" {
			t.Errorf("%s: model %q, graph %q", options, sum.Model, sum.Graph)
		}
	}
}

// The ids of a pixel do not depend on the order of the pixels, on the side of a
// pixel, or on threads.
func TestGridDependsOnPixelsOnly(t *testing.T) {
	view := image(60, 50, 0.5, 2)
	want := mustSegment(t, mustFilter(t, `{"graph":"grid"}`), view)
	mixed := rand.New(rand.NewPCG(3, 3)).Perm(view.Len())
	got := mustSegment(t, mustFilter(t, `{"graph":"grid","threads":3}`), keep(view, mixed))
	for i, at := range mixed {
		if got.ID[i] != want.ID[at] {
			t.Fatalf("pixel %d: id %d in another order, %d before", at, got.ID[i], want.ID[at])
		}
	}
	if wide := mustSegment(t, mustFilter(t, `{"graph":"grid"}`), image(60, 50, 30, 2)); !slices.Equal(wide.ID, want.ID) {
		t.Error("pixels of 30 m give other ids than pixels of 0.5 m")
	}
}

// Graphs of images with and without holes are compared with all pairs of pixels.
func TestGridGraph(t *testing.T) {
	full := image(13, 9, 0.25, 4)
	for _, missing := range []float64{0, 0.3} {
		random := rand.New(rand.NewPCG(5, 5))
		index := []int{0, full.Len() - 1} // the corners, so that the size stays
		for i := 1; i < full.Len()-1; i++ {
			if random.Float64() >= missing {
				index = append(index, i)
			}
		}
		view := keep(full, index)
		r := must.Get(raster.New(parallel.Run{}, view.X, view.Y, view.Reference, func(string) {}))(t)
		order := r.Cloud.Order
		for _, reach := range []float64{1, 1.5} { // pixels: beside, and at the corners
			g := must.Get(r.Graph(reach > 1))(t)
			got := map[[2]uint32]bool{}
			for u := range g.Vertices() {
				for _, v := range g.Of(u) {
					a, b := order[u], order[v]
					got[[2]uint32{min(a, b), max(a, b)}] = true
				}
			}
			want := 0
			for a := range view.X {
				for b := a + 1; b < len(view.X); b++ {
					if math.Hypot(view.X[a]-view.X[b], view.Y[a]-view.Y[b]) < (reach+0.01)*0.25 {
						want++
						if !got[[2]uint32{uint32(a), uint32(b)}] {
							t.Fatalf("pixels at (%v, %v) and (%v, %v) are not joined", view.X[a], view.Y[a], view.X[b], view.Y[b])
						}
					}
				}
			}
			if g.Edges() != want || len(got) != want {
				t.Errorf("%d edges, %d different ones, want %d", g.Edges(), len(got), want)
			}
			if _, count := neighbor.Components(g); count > len(index)/4 {
				t.Errorf("%d connected parts", count)
			}
		}
	}
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
	s := mustSegment(t, mustFilter(t, `{"graph":"grid"}`), view)
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

func TestGridRefusals(t *testing.T) {
	small := image(8, 6, 1, 1)
	twice := keep(small, append(rand.New(rand.NewPCG(1, 1)).Perm(small.Len()), 5))
	rotated := image(30, 30, 1, 1)
	for i := range rotated.X {
		x, y := rotated.X[i]-500000, rotated.Y[i]-5000000
		rotated.X[i], rotated.Y[i] = math.Cos(0.3)*x-math.Sin(0.3)*y, math.Sin(0.3)*x+math.Cos(0.3)*y
	}
	round := image(30, 30, 1, 1) // on a grid of tenths, few of which are there
	for i := range round.X {
		x, y := round.X[i]-500000, round.Y[i]-5000000
		round.X[i], round.Y[i] = math.Round(137*x+11.3*y)/10, math.Round(147*y-7.7*x)/10
	}
	hole := image(8, 6, 1, 1)
	hole.Dimensions["Green"][5] = math.NaN()
	for _, c := range []struct {
		view          *View
		options, want string
	}{
		{twice, `{"graph":"grid"}`, "two points lie in the pixel"}, {rotated, `{"graph":"grid"}`,
			"not on a grid"}, {round, `{"graph":"grid"}`, "too few"}, {hole, `{"graph":"grid"}`, "Green"},
		{small, `{"graph":"grid","features":"Rot"}`, "Rot"},
	} {
		must.Fail(mustFilter(t, c.options).Segment(Run{}, c.view))(t, c.want)
	}
	for _, options := range []string{`{"graph":"grid","model":"geometric"}`, `{"features":"Red","model":"aerial"}`,
		`{"graph":"grid","adjacency_knn":5}`,
		`{"graph":"grid","delaunay":true}`, `{"graph":"grid","method":"vccs"}`, `{"graph":"grid","method":"geom-graph"}`} {
		if _, err := parseOptions([]byte(options)); err == nil {
			t.Errorf("%s: no error", options)
		}
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
}
