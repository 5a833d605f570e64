// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/filter/georef"
	"superpoint/filter/method"
	"superpoint/partition/base/arrays"
	"superpoint/testdata/must"
)

// oddClouds are clouds of every degenerate kind, with coordinates in metres
// that are whole millimetres.
func oddClouds() map[string]*View {
	r := rand.New(rand.NewPCG(3, 5))
	mm := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	make := func(n int, at func(i int) (x, y, z float64)) *View {
		v := &View{Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}}
		for i := range n {
			x, y, z := at(i)
			v.X, v.Y, v.Z = append(v.X, mm(x)), append(v.Y, mm(y)), append(v.Z, mm(z))
		}
		return v
	}
	large, _ := roof(3000, 2)
	return map[string]*View{
		"a roof":           large,
		"one point":        make(1, func(int) (x, y, z float64) { return 3, 4, 5 }),
		"two points":       make(2, func(i int) (x, y, z float64) { return float64(i), 0, 0 }),
		"no points":        make(0, nil),
		"three points":     make(3, func(i int) (x, y, z float64) { return float64(i), 0, float64(i) }),
		"identical points": make(300, func(int) (x, y, z float64) { return 1, 2, 3 }),
		"pairs of twins":   make(300, func(i int) (x, y, z float64) { return float64(i / 2 % 20), float64(i / 40), 0 }),
		"a line":           make(300, func(i int) (x, y, z float64) { return float64(i) / 10, float64(i) / 5, 0 }),
		"a vertical line":  make(300, func(i int) (x, y, z float64) { return 0, 0, float64(i) / 10 }),
		"a plane":          make(400, func(int) (x, y, z float64) { return 10 * r.Float64(), 10 * r.Float64(), 0 }),
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
	return smallModel(t, "positions", 7, []string{"x", "y", "z"}, []string{"radius", "planarity", "verticality"})
}

// checkIDs fails the test unless ids are First…First+Count−1, all used.
func checkIDs(t *testing.T, v *View, s *Segmentation) {
	t.Helper()
	if len(s.ID) != v.Len() {
		t.Fatalf("%d ids for %d points", len(s.ID), v.Len())
	}
	used := make([]bool, s.Count)
	for i, id := range s.ID {
		if id < s.First || int(id-s.First) >= s.Count {
			t.Fatalf("point %d has id %d of %d from %d", i, id, s.Count, s.First)
		}
		used[id-s.First] = true
	}
	if slices.Contains(used, false) {
		t.Fatal("an id is not used")
	}
	for _, e := range s.Embedding() {
		if math.IsNaN(float64(e)) || math.IsInf(float64(e), 0) {
			t.Fatalf("an embedding holds %v", e)
		}
	}
}

// samePartition reports whether two lists of ids, b in the order given, part the
// points in the same way.
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
// partition and, for methods without seeds, the ids do not depend on the order of points. A translation by whole
// millimetres changes no
// id, but of methods with voxels: these lie on a grid through (0, 0, 0), so that neighbouring
// tiles have the same.
func TestOddCloudsWithEveryMethod(t *testing.T) {
	methods := everyMethod(t)
	for name, v := range oddClouds() {
		order := rand.New(rand.NewPCG(1, 2)).Perm(v.Len())
		shuffled, moved := v.Part(indices(order)), &View{Reference: v.Reference}
		for i := range v.X {
			moved.X, moved.Y = append(moved.X, v.X[i]+123456.789), append(moved.Y, v.Y[i]-654321.123)
			moved.Z = append(moved.Z, v.Z[i]+37.001)
		}
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
				if !same {
					t.Error("the partition, or an id, depends on the order of the points or the number of threads")
				}
				if twins || !m.connected {
					again := mustSegment(t, mustFilter(t, `{"threads":3,`+m.options+`}`), v)
					if !slices.Equal(s.ID, again.ID) {
						t.Error("three threads give other ids")
					}
				}
				if !m.connected {
					return
				}
				checkConnected(t, f, v, s)
				there := mustSegment(t, mustFilter(t, `{`+m.options+`}`), moved)
				if !slices.Equal(s.ID, there.ID) || !slices.Equal(s.Embedding(), there.Embedding()) {
					t.Error("ids or embeddings change when the cloud is moved by whole millimetres")
				}
			})
		}
	}
}

// checkConnected fails the test unless every superpoint is connected in the
// adjacency graph that the filter used.
func checkConnected(t *testing.T, f *Filter, v *View, s *Segmentation) {
	t.Helper()
	p, _ := pointsOf(t, f, v)
	parts := arrays.NewForest(v.Len())
	for u := range p.graph.Vertices() {
		for _, w := range p.graph.Of(u) {
			if s.ID[p.cloud.Order[u]] == s.ID[p.cloud.Order[w]] {
				parts.Join(uint32(u), w)
			}
		}
	}
	if _, n := parts.Number(); n != s.Count {
		t.Errorf("%d superpoints fall into %d connected parts", s.Count, n)
	}
}

// pointsOf runs the steps up to the graph.
func pointsOf(t *testing.T, f *Filter, v *View) (*points, *settings) {
	t.Helper()
	s := must.Get(f.settings(v))(t)
	return must.Get(f.points(f.clock(Run{}, v.Len()), v, nil, s))(t), s
}
