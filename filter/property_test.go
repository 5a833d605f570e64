// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"

	"superpoint/filter/georef"
	"superpoint/filter/method"
	"superpoint/partition/base/arrays"
	"superpoint/testdata/must"
)

// oddClouds are clouds of every degenerate kind, with coordinates in metres that are whole millimetres.
func oddClouds() map[string]*cloud.View {
	r := rand.New(rand.NewPCG(3, 5))
	mm := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	make := func(n int, at func(i int) (x, y, z float64)) *cloud.View {
		v := metres(nil, nil, nil)
		for i := range n {
			x, y, z := at(i)
			v.X, v.Y, v.Z = append(v.X, mm(x)), append(v.Y, mm(y)), append(v.Z, mm(z))
		}
		return v
	}
	large, _ := roof(1500, 2)
	return map[string]*cloud.View{
		"a roof":           large,
		"one point":        make(1, func(int) (x, y, z float64) { return 3, 4, 5 }),
		"two points":       make(2, func(i int) (x, y, z float64) { return float64(i), 0, 0 }),
		"no points":        make(0, nil),
		"three points":     make(3, func(i int) (x, y, z float64) { return float64(i), 0, float64(i) }),
		"identical points": make(300, func(int) (x, y, z float64) { return 1, 2, 3 }),
		"pairs of twins": make(300, func(i int) (x, y, z float64) {
			return float64(i / 2 % 20),
				float64(i / 40), 0
		}),
		"a line": make(300, func(i int) (x, y, z float64) {
			return float64(i) / 10,
				float64(i) / 5, 0
		}),
		"a vertical line": make(300, func(i int) (x, y, z float64) { return 0, 0, float64(i) / 10 }),
		"a plane": make(400, func(int) (x, y, z float64) {
			return 10 * r.Float64(),
				10 * r.Float64(), 0
		}),
		"two far clusters": make(300, func(i int) (x, y, z float64) {
			return r.Float64() + 15000*float64(i%2), r.Float64(), r.Float64()
		}),
		"a grid of ties": make(343, func(i int) (x, y, z float64) {
			return float64(i % 7), float64(i / 7 % 7), float64(i / 49)
		}),
		"far from zero": make(400, func(i int) (x, y, z float64) {
			return 1e7 + 10*r.Float64(), -1e7 + 10*r.Float64(), float64(i%2) * 3
		}),
		"a box": make(500, func(i int) (x, y, z float64) {
			return 4 * r.Float64(), 4 * r.Float64(), 4 * float64(i%2)
		}),
	}
}

// tried is a choice of options that the promises are tested with.
type tried struct {
	options   string
	connected bool // superpoints are connected in the adjacency graph
}

// everyMethod lists the methods and solvers of the tables, so also new ones, and
// options that change what a method does.
func everyMethod(t testing.TB) (all []tried) {
	learned := xyzModel(t)
	for _, name := range method.Names(nil) {
		m, options := method.Named(name), `"method":"`+name+`"`
		if m.Embeds {
			options += `,"model":"geometric"`
		}
		all = append(all, tried{options, m.GMPP})
		if m.Learns {
			all = append(all, tried{`"method":"` + name + `","model":"` + learned + `"`, m.GMPP})
		}
	}
	for _, solver := range method.Solvers() {
		if solver.Name != "auto" {
			all = append(all, tried{`"model":"geometric","solver":"` + solver.Name + `"`, true})
		}
	}
	return append(all,
		tried{`"model":"geometric","target_size":20`, true},
		tried{`"model":"geometric","delaunay":true,"max_edge":2`, true},
		tried{`"model":"geometric","method":"ssp-cluster","target_size":20`, false},
		tried{`"method":"vccs","seed_resolution":2,"voxel_resolution":0.5,"color":true`, false},
		tried{`"method":"lin","seed_resolution":1.5`, false},
	)
}

// xyzModel writes a small model of random weights that reads positions only.
func xyzModel(t testing.TB) string {
	t.Helper()
	return smallModel(t, "positions", 7, []string{"x", "y", "z"}, []string{"radius", "planarity",
		"verticality"})
}

// checkIDs fails the test unless ids are First…First+Count−1, all used.
func checkIDs(t *testing.T, v *cloud.View, s *Segmentation) {
	t.Helper()
	must.Need(t, len(s.ID) == v.Len(), "%d ids for %d points", len(s.ID), v.Len())
	used := make([]bool, s.Count)
	for i, id := range s.ID {
		must.Need(t, id >= s.First,
			"point %d has id %d of %d from %d: want id at least s.First", i, id, s.Count, s.First)
		must.Need(t, int(id-s.First) < s.Count,
			"point %d has id %d of %d from %d: want id-s.First less than s.Count", i, id, s.Count, s.First)
		used[id-s.First] = true
	}
	must.Need(t, !slices.Contains(used, false), "an id is not used")
	for _, e := range s.Embedding() {
		must.Need(t, !math.IsNaN(float64(e)), "an embedding holds %v: e is NaN", e)
		must.Need(t, !math.IsInf(float64(e), 0),
			"an embedding holds %v: math.IsInf(float64(e), 0) is true", e)
	}
}

// samePartition reports whether two lists of ids, b in the order given, part the points in the same way.
func samePartition(a, b []uint32, order []int) bool {
	forth, back := map[uint32]uint32{}, map[uint32]uint32{}
	for to, from := range order {
		p, q := a[from], b[to]
		if x, ok := forth[p]; ok && x != q {
			return false
		}
		if x, ok := back[q]; ok && x != p {
			return false
		}
		forth[p], back[q] = q, p
	}
	return true
}

// TestOddCloudsWithEveryMethod: ids are dense, connected, and independent of the number of threads. The
// partition and, for methods without seeds, the ids do not depend on the order of points. A translation by
// whole millimetres changes no id, except with methods that use voxels: voxels lie on a grid through (0, 0,
// 0), so that neighbouring tiles share them.
func TestOddCloudsWithEveryMethod(t *testing.T) {
	methods := everyMethod(t)
	for name, v := range oddClouds() {
		order := rand.New(rand.NewPCG(1, 2)).Perm(v.Len())
		shuffled, away := v.Part(indices(order)), moved(v, func(x, y, z float64) (float64, float64, float64) {
			return x + 123456.789, y - 654321.123, z + 37.001
		})
		twins := name == "pairs of twins" || name == "identical points" // which differ in their order only
		for _, m := range methods {
			t.Run(name+"/"+m.options, func(t *testing.T) {
				f := mustFilter(t, `{`+m.options+`}`)
				s := mustSegment(t, f, v)
				checkIDs(t, v, s)
				other := mustSegment(t, mustFilter(t, `{"threads":3,`+m.options+`}`), shuffled)
				same := twins || samePartition(s.ID, other.ID, order)
				for to, from := range order {
					same = same && (twins || !m.connected || s.ID[from] == other.ID[to])
				}
				must.Hold(t, same,
					"the partition, or an id, depends on the order of the points or the number of threads")
				if twins || !m.connected {
					again := mustSegment(t, mustFilter(t, `{"threads":3,`+m.options+`}`), v)
					must.Hold(t, slices.Equal(s.ID, again.ID), "three threads give other ids")
				}
				if !m.connected {
					return
				}
				checkConnected(t, f, v, s)
				there := mustSegment(t, mustFilter(t, `{`+m.options+`}`), away)
				must.Equal(t, s.ID, there.ID,
					"ids or embeddings change when the cloud is moved by whole millimetres: s.ID")
				must.Equal(t, s.Embedding(), there.Embedding(),
					"ids or embeddings change when the cloud is moved by whole millimetres: s.Embedding()")
			})
		}
	}
}

// checkConnected fails the test unless every superpoint is connected in the adjacency graph that the filter
// used.
func checkConnected(t *testing.T, f *Filter, v *cloud.View, s *Segmentation) {
	t.Helper()
	p, _ := pointsOf(t, f, v)
	parts := arrays.NewForest(v.Len())
	for u := range p.Graph.Vertices() {
		for _, w := range p.Graph.Of(u) {
			if s.ID[p.Cloud.Order[u]] == s.ID[p.Cloud.Order[w]] {
				parts.Join(uint32(u), w)
			}
		}
	}
	_, n := parts.Number()
	must.Hold(t, n == s.Count, "%d superpoints fall into %d connected parts", s.Count, n)
}

// pointsOf runs the steps up to the graph.
func pointsOf(t *testing.T, f *Filter, v *cloud.View) (*steps.Points, option.Settings) {
	t.Helper()
	s := must.Get(f.settings(v))(t)
	c := steps.NewClock(steps.Run{}, f.options.Threads, v.Len())
	at := must.Get(f.positions(c, v, nil))(t)
	s = must.Get(f.measureView(c, v, at, s))(t)
	located := must.Get(f.locateView(c, v, at, nil, s))(t)
	s = s.WithSpacing(located.Cloud, located.Lists)
	embedded := must.Get(f.embedView(c, v, located, nil, s))(t)
	connected := must.Get(f.connectView(c, located, embedded.Isolated, nil, s))(t)
	return &steps.Points{Located: located, Embeddings: embedded, Connected: connected}, s
}

// moved returns the view with other coordinates.
func moved(v *cloud.View, to func(x, y, z float64) (float64, float64, float64)) *cloud.View {
	w := *v
	w.X, w.Y, w.Z = make([]float64, v.Len()), make([]float64, v.Len()), make([]float64, v.Len())
	for i := range v.X {
		w.X[i], w.Y[i], w.Z[i] = to(v.X[i], v.Y[i], v.Z[i])
	}
	return &w
}

// TestMovedClouds: a cloud that is moved keeps its ids, also one that is measured on a sample: as with
// heights above another surface, in another datum or from another origin.
func TestMovedClouds(t *testing.T) {
	small, _ := roof(5000, 11)
	large, _ := roof(steps.SampleWhole+1000, 12) // smaller ones are not sampled
	millimetres := func(x, y, z float64) (float64, float64, float64) {
		return math.Round(x*1e3) / 1e3, math.Round(y*1e3) / 1e3, math.Round(z*1e3) / 1e3
	}
	for _, c := range []struct {
		name, options string
		view          *cloud.View
	}{{"any", `{"model":"any"}`, small}, {"aerial", `{"model":"aerial"}`, small},
		{"any, sampled", `{"model":"any"}`, large}} {
		t.Run(c.name, func(t *testing.T) {
			view := moved(c.view, millimetres)
			here := mustSegment(t, mustFilter(t, c.options), view)
			for _, by := range [][3]float64{{0, 0, 1}, {0, 0, 37.001}, {1000, -37.001, -999.5}} {
				away := moved(view, func(x, y, z float64) (float64, float64, float64) {
					return x + by[0], y + by[1], z + by[2]
				})
				there := mustSegment(t, mustFilter(t, c.options), away)
				must.Equal(t, there.ID, here.ID, "moved by %v: ids", by)
				must.Equal(t, there.Embedding(), here.Embedding(), "moved by %v: embeddings", by)
			}
		})
	}
}

// stretched returns the view with X and Y times one factor, and Z times another.
func stretched(v *cloud.View, wide, high float64) *cloud.View {
	return moved(v, func(x, y, z float64) (float64, float64, float64) { return wide * x, wide * y, high * z })
}

// TestQuarterTurn turns a cloud by 90°, by which hand-crafted features stay what they are. Solvers are
// heuristics that go through the points in tree order, so that the partition may change, but no more than by
// a millimetre of noise. A learned embedding is only about the same after a turn.
func TestQuarterTurn(t *testing.T) {
	view, _ := roof(6000, 14)
	r := rand.New(rand.NewPCG(2, 3))
	segment := func(v *cloud.View) *Segmentation {
		return mustSegment(t, mustFilter(t, `{"model":"geometric"}`),
			v)
	}
	first := segment(view)
	turned := segment(moved(view, func(x, y, z float64) (float64, float64, float64) { return -y, x, z }))
	noisy := segment(moved(view, func(x, y, z float64) (float64, float64, float64) {
		return x + 0.001*r.NormFloat64(), y + 0.001*r.NormFloat64(), z
	}))
	alike := func(s *Segmentation) float64 {
		return min(agreement(first.ID, s.ID),
			agreement(s.ID, first.ID))
	}
	turn, noise := alike(turned), alike(noisy)
	must.Hold(t, turn >= noise-0.1, "%.3f of the points agree after a turn, %.3f after a millimetre of noise",
		turn, noise)
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
	must.Hold(t, off <= view.Len()/50, "the features of %d points of %d change by a turn", off, view.Len())
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

// TestScale: the unit of length does not matter to the defaults, nor does it at the coordinates of a national
// grid, at any factor. What differs is rounding, of the positions and in the network: one changed decision
// moves entire superpoints, and the village has only a few hundred.
func TestScale(t *testing.T) {
	v, _ := roof(6000, 3)
	mm := func(v float64) float64 { return math.Round(1000*v) / 1000 }
	// so that a tenth still is a whole number of the 10 µm that positions are kept in
	v = moved(v, func(x, y, z float64) (float64, float64, float64) { return mm(x), mm(y), mm(z) })
	far := moved(village(20_000), func(x, y, z float64) (float64, float64, float64) {
		return x + 85_720,
			y + 447_219, z
	})
	for _, c := range []struct {
		options string
		view    *cloud.View
		factors []float64
		least   float64
	}{
		{`{}`, v, []float64{10, .1}, .999}, {`{"target_size":60}`, v, []float64{10, .1}, .999},
		{`{"delaunay":true}`, v, []float64{10, .1}, .999},
		{`{}`, far, []float64{.1, .25, 3, 4, 5, 8, 16, 100}, .97},
	} {
		want := mustSegment(t, mustFilter(t, c.options), c.view)
		for _, factor := range c.factors {
			got := mustSegment(t, mustFilter(t, c.options), stretched(c.view, factor, factor))
			alike, apart := min(agreement(want.ID, got.ID), agreement(got.ID, want.ID)), 0.
			if c.view == v {
				apart = math.Abs(float64(measured(t, v, got.ID).OOA - measured(t, v, want.ID).OOA))
			}
			t.Logf("%s, times %g: %d superpoints of %d, %.4f of the points agree, OOA %.4f apart",
				c.options, factor,
				got.Count, want.Count, alike, apart)
			must.Hold(t, alike >= c.least,
				"%s, times %g: alike is %v, want at least %v", c.options, factor, alike, c.least)
			must.Hold(t, apart <= .002,
				"%s, times %g: OOA is apart: got %v, want at most .002", c.options, factor, apart)
		}
	}
}

// TestThinned: a quarter of the points give superpoints as pure as all points do, at the same mean size.
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
	for i, view := range []*cloud.View{v, v.Part(indices(index))} {
		s := mustSegment(t, mustFilter(t, `{"target_size":60}`), view)
		ooa[i] = float64(measured(t, view, s.ID).OOA)
	}
	t.Logf("OOA %.4f of all points, %.4f of a quarter", ooa[0], ooa[1])
	must.Hold(t, ooa[1] >= ooa[0]-.02, "OOA falls from %.4f to %.4f when three of four points are left out",
		ooa[0], ooa[1])
}

// shifted returns a roof in degrees about a longitude, as a file holds it: in
// steps of 1e-9 degrees, longitudes from −180 to 180.
func shifted(longitude, latitude float64) *cloud.View {
	view, _ := roof(1500, 5)
	v := &cloud.View{Reference: georef.Reference{Kind: georef.Geographic, VerticalUnit: 1}, Z: view.Z}
	step := func(d float64) float64 { return math.Round(d*1e9) / 1e9 }
	for i := range view.X {
		v.X = append(v.X,
			step(math.Remainder(longitude+(view.X[i]-view.X[0])/111320/math.Cos(latitude*math.Pi/180), 360)))
		v.Y = append(v.Y, step(latitude+(view.Y[i]-view.Y[0])/111132))
	}
	return v
}

// TestLongitudeChangesNothing moves a cloud along its parallel, also onto 180°.
func TestLongitudeChangesNothing(t *testing.T) {
	segment := func(v *cloud.View) *Segmentation {
		return mustSegment(t, mustFilter(t, `{"model":"geometric"}`),
			v)
	}
	for _, latitude := range []float64{0, -41.3} {
		first := segment(shifted(7.1, latitude))
		must.Need(t, first.Count >= 3, "%d superpoints", first.Count)
		for _, longitude := range []float64{170, 179.9, 180, -180} {
			s := segment(shifted(longitude, latitude))
			must.Hold(t, slices.Equal(s.ID, first.ID), "longitude %v, latitude %v: %d superpoints, %d at 7.1",
				longitude, latitude, s.Count, first.Count)
		}
	}
	v := shifted(180, 10)
	positive := moved(v, func(x, y, z float64) (float64, float64, float64) {
		return math.Mod(x+360,
			360), y, z
	})
	must.Hold(t, slices.Equal(segment(positive).ID, segment(v).ID),
		"longitudes from 0 to 360 give other superpoints")
}

// plainMethods are methods without a learned model.
var plainMethods = []string{`{"model":"geometric"}`, `{"method":"vccs"}`, `{"method":"lin"}`,
	`{"method":"ssp-cluster","model":"geometric"}`}

// TestImpossibleCoordinates: points so far away that the unit of positions would be so coarse that the rest
// falls into one place. TestUnusablePoints has coordinates that are not finite.
func TestImpossibleCoordinates(t *testing.T) {
	for _, options := range plainMethods {
		for _, bad := range []float64{1e9, -1e12, 1e300, -math.MaxFloat64} {
			for axis := range 3 {
				view, _ := roof(200, 1)
				[][]float64{view.X, view.Y, view.Z}[axis][150] = bad
				must.Fail(mustFilter(t, options).Segment(steps.Run{}, view))(t, "point 150 ")
			}
		}
		for _, v := range []*cloud.View{
			{X: []float64{0, 1e9}, Y: []float64{0, 0}, Z: []float64{0, 0}},
			{X: []float64{-math.MaxFloat64, math.MaxFloat64, 1}, Y: []float64{0, 5e-324, 0},
				Z: []float64{0, 0, math.MaxFloat64}},
			{X: []float64{1e15, 2e15, 3e15, 4e15}, Y: []float64{0, 0, 0, 0}, Z: []float64{0, 1, 0, 1}},
		} {
			must.Fail(mustFilter(t, options).Segment(steps.Run{}, v))(t, "rounded to")
		}
	}
}

// noisy is a village with classes, and isolated points far below and above it, which have no class.
func noisy(points, noise int) *cloud.View {
	v := village(points)
	class := make([]float64, points)
	for i := range class {
		switch x, u, w := v.X[i], math.Mod(v.X[i], 20), v.Y[i]; {
		case u >= 5 && u < 15 && w > 5 && w < 15:
			class[i] = 6
		case w > 20 && w < 26 && u < 6 && v.Z[i] > x/20+1:
			class[i] = 5
		default:
			class[i] = 2
		}
	}
	v.Dimensions["Classification"] = class
	r := rand.New(rand.NewPCG(3, uint64(noise)))
	for i := range noise {
		z := -2 - 28*r.Float64()
		if i%3 == 0 {
			z = 15 + 30*r.Float64()
		}
		v.X, v.Y, v.Z = append(v.X, 40*r.Float64()), append(v.Y, 30*r.Float64()), append(v.Z, z)
		for name, values := range v.Dimensions {
			v.Dimensions[name] = append(values, 0)
		}
	}
	return v
}

// TestNoiseLeavesTheOthers: isolated points change the superpoints of the others, and their classes, by
// little. A single superpoint that is cut otherwise changes the scores of one village by more than the mean.
func TestNoiseLeavesTheOthers(t *testing.T) {
	t.Parallel()
	villages := []int{29_000, 30_000, 31_000} // points
	names := [3]string{"OOA", "BR", "BP"}
	measure := func(points, noise int) (scores [3]float64, class []float64) {
		f := mustFilter(t, `{"model":"any","target_size":100,"classes":"aerial",`+
			`"class_dimension":"Guess"}`)
		view := noisy(points, noise)
		s := mustSegment(t, f, view)
		truth := measured(t, view, s.ID)
		return [3]float64{float64(truth.OOA), float64(truth.BRAsCoded), float64(truth.BP)}, column(t, s,
			"Guess")[:points]
	}
	amounts := []int{5, 30, 100, 300}
	change := make([][3]float64, len(amounts)) // mean over villages
	for _, points := range villages {
		clean, classes := measure(points, 0)
		for k, noise := range amounts {
			scores, given := measure(points, noise)
			changed := 0
			for i, class := range classes {
				if given[i] != class {
					changed++
				}
			}
			must.Hold(t, changed <= points/50, "%d points of noise: %d of %d classes change", noise,
				changed, points)
			for j := range names {
				change[k][j] += math.Abs(scores[j]-clean[j]) / float64(len(villages))
			}
		}
	}
	const most = 0.002
	for k, noise := range amounts {
		for j, name := range names {
			must.Hold(t, change[k][j] <= most, "%d points of noise: %s changes by %.4f", noise, name,
				change[k][j])
		}
	}
}

// Points without finite coordinates keep their places and get id 0; the others get what they get without
// them.
func TestUnusablePoints(t *testing.T) {
	t.Parallel()
	for _, options := range []option.Options{{}, {Method: "vccs"}, {TargetSize: []float64{30, 90}},
		{Color: true, Vote: "ReturnNumber", EmbeddingColor: true}, {Classes: "aerial"}} {
		f, said := listening(t, &options)
		full := village(3000)
		full.Dimensions["Classification"] = slices.Repeat([]float64{1}, full.Len())
		full.Dimensions["SuperpointID"] = full.Dimensions["Classification"] // of a former run
		n := full.Len()
		var points []int32
		var usable, unusable []int
		for i := range n {
			if i%7 == 0 {
				points, unusable = append(points, int32(i)), append(unusable, len(points))
			}
			points, usable = append(points, int32(i)), append(usable, len(points))
		}
		bad := full.Part(points)
		for k, at := range unusable {
			[][]float64{bad.X, bad.Y, bad.Z}[k%3][at] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[k%3]
			for _, values := range bad.Dimensions {
				values[at] = 3
			}
		}
		d := must.Get(f.Describe(full.Names()))(t)
		want := must.Get(must.Get(New(&options, nil))(t).Segment(steps.Run{}, full))(t)
		*said = ""
		got := must.Get(f.Segment(steps.Run{}, bad))(t)
		must.Need(t, want.Count == got.Count,
			"%+v: superpoints: got %v, want %v", options, got.Count, want.Count)
		must.Need(t, want.First == got.First,
			"%+v: got.First is %v, want %v", options, got.First, want.First)
		must.Need(t, len(got.ID) == len(bad.X),
			"%+v: len(got.ID) is %v, want %v", options, len(got.ID), len(bad.X))
		must.Need(t, *said != "", "%+v: *said is empty", options)
		for _, o := range d.Outputs {
			a, b := column(t, want, o.Name), slices.Repeat([]float64{9}, len(bad.X))
			must.OK(t, got.Output(o.Name, b))
			picked := make([]float64, n)
			for i, at := range usable {
				picked[i], b[at] = b[at], -1
			}
			must.Hold(t, slices.Equal(a, picked), "%+v: other values of %s", options, o.Name)
			for i, v := range b {
				kept, id := 3.0, strings.HasPrefix(o.Name, "SuperpointID")
				if v != -1 && v != 0 {
					must.Need(t, v == kept,
						"%+v: point %d has %s = %v: v is not kept", options, i, o.Name, v)
					must.Need(t, !id, "%+v: point %d has %s = %v: id is true", options, i, o.Name, v)
					must.Need(t, bad.Dimensions[o.Name] != nil,
						"%+v: point %d has %s = %v: bad.Dimensions[o.Name] is nil", options, i, o.Name, v)
				}
			}
		}
		must.Hold(t, len(got.Embedding()) == got.Dim*len(bad.X), "an embedding of %d values",
			len(got.Embedding()))
	}
}

// A view without any usable point has no superpoints.
func TestNoUsablePoint(t *testing.T) {
	t.Parallel()
	f := must.Get(New(&option.Options{}, func(int, string) {}))(t)
	d := must.Get(f.Describe(nil))(t)
	nan := []float64{math.NaN(), math.NaN()}
	s := must.Get(f.Segment(steps.Run{}, &cloud.View{X: nan, Y: nan, Z: nan}))(t)
	for _, o := range d.Outputs {
		values := []float64{5, 5}
		must.OK(t, s.Output(o.Name, values))
		must.Hold(t, s.Count == 0, "%d superpoints, %s = %v: s.Count is not 0", s.Count, o.Name, values)
		must.Hold(t, values[0] == 0,
			"%d superpoints, %s = %v: values[0] is not 0", s.Count, o.Name, values)
		must.Hold(t, values[1] == 0,
			"%d superpoints, %s = %v: values[1] is not 0", s.Count, o.Name, values)
	}
}

// Points far apart, or in a column, in an unknown unit are hardly in metres.
func TestUnknownUnit(t *testing.T) {
	t.Parallel()
	const millimetres, kilometres, degrees = "if they are millimetres", "if they are kilometres",
		"if they are degrees"
	for _, c := range []struct {
		unit, wide, high float64 // factors of X and Y, and of Z
		words            string
	}{
		{0, 1, 1, ""}, {0, 1000, 1000, millimetres}, {0.001, 1000, 1000, ""}, {0, 1e-5, 1, degrees},
		{1, 1e-5, 1, ""},
		{0, 0.01, 0.01, ""}, {0, 0.001, 0.001, kilometres}, {1000, 0.001, 0.001, ""}, {0, 0, 1, ""},
	} {
		f, said := listening(t, &option.Options{})
		v := stretched(village(2000), c.wide, c.high)
		v.Reference = georef.Reference{HorizontalUnit: c.unit, VerticalUnit: c.unit}
		must.Get(f.Segment(steps.Run{}, v))(t)
		for _, words := range []string{millimetres, kilometres, degrees} {
			must.Hold(t, strings.Contains(*said, words) == (words == c.words), "%+v: it said %q", c, *said)
		}
	}
}

// Many duplicated points give a warning. A few do not, nor do duplicates that rounding makes of degrees.
func TestDuplicatedPoints(t *testing.T) {
	t.Parallel()
	for copies, warned := range map[int]string{0: "", 100: "", 600: "23 % of the points",
		2000: "50 % of the points",
		1999: "if they are degrees"} {
		f, said := listening(t, &option.Options{})
		v := village(2000)
		v.X, v.Y, v.Z = append(v.X, v.X[:copies]...), append(v.Y, v.Y[:copies]...),
			append(v.Z, v.Z[:copies]...)
		degrees := strings.Contains(warned, "degrees")
		if degrees {
			v = stretched(v, 1e-5, 1)
			v.Reference = georef.Reference{}
		}
		must.Get(f.Segment(steps.Run{}, v))(t)
		must.Hold(t, strings.Contains(*said, warned),
			"%d copies: got %q, want %q in it", copies, *said, warned)
		if warned == "" || degrees {
			must.Hold(t, !strings.Contains(*said, "another one"),
				"%d copies: got %q, want no %q in it", copies, *said, "another one")
		}
	}
}
