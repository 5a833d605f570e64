// SPDX-License-Identifier: BSD-3-Clause

package metrics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// graphOf builds a graph of n vertices from edges {u, v} with u < v, sorted.
func graphOf(n int, edges ...[2]uint32) *neighbor.Graph {
	g := &neighbor.Graph{Start: make([]uint32, n+1)}
	for _, e := range edges {
		g.Start[e[0]+1]++
		g.Head = append(g.Head, e[1])
	}
	for i := range n {
		g.Start[i+1] += g.Start[i]
	}
	return g
}

func path(n int) *neighbor.Graph {
	var edges [][2]uint32
	for i := range n - 1 {
		edges = append(edges, [2]uint32{uint32(i), uint32(i + 1)})
	}
	return graphOf(n, edges...)
}

func evaluate(t *testing.T, g *neighbor.Graph, truth Truth, component []uint32, count int) Report {
	t.Helper()
	return must.Get(Evaluate(parallel.Run{}, g, truth, component, count))(t)
}

func near(t *testing.T, name string, got Ratio, want float64) {
	t.Helper()
	must.Equal(t, math.IsNaN(float64(got)), math.IsNaN(want), "%s = %v, want %v: it is undefined",
		name, got, want)
	if !math.IsNaN(want) {
		must.Hold(t, math.Abs(float64(got)-want) <= 1e-12, "%s = %v, want %v", name, got, want)
	}
}

// A path of ten points. Objects 0–4 | 5–9: one true edge, 4-5. Segments {0,1} {2,3,4,5} {6..9}: predicted
// edges 1-2 and 5-6. Expanding the true edge gives 3-4, 4-5, 5-6, so 5-6 is confirmed and 1-2 is not;
// expanding the predicted ones gives 0-1, 1-2, 2-3, 4-5, 5-6, 6-7, so 4-5 is found. Majorities: 2 + 3 + 4 of
// 10.
func TestPath(t *testing.T) {
	class := []int32{7, 7, 7, 7, 7, 2, 2, 2, 2, 2}
	r := evaluate(t, path(10), Truth{Class: class}, []uint32{0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, 3)
	near(t, "OOA", r.OOA, 0.9)
	near(t, "undersegmentation error", r.UndersegmentationError, 0.1)
	near(t, "BR as printed", r.BRAsPrinted, 1)
	near(t, "BR as coded", r.BRAsCoded, 1)
	near(t, "BP", r.BP, 0.5)
	want := Counts{Points: 10, Segments: 3, Pieces: 3, Classified: 10, Pure: 9, InObject: 10, Overlap: 9,
		Objects: 2, TrueEdges: 1, Predicted: 2, TrueFound: 1, PredictedGood: 1}
	must.Hold(t, r.Counts == want, "counts %+v, want %+v", r.Counts, want)
}

// Both edges beside a single true edge are predicted, and the edge itself too:
// three confirmed predictions for one true edge, so BR as printed is 3.
func TestPrintedRecallExceedsOne(t *testing.T) {
	class := []int32{0, 0, 1, 1}
	r := evaluate(t, path(4), Truth{Class: class}, []uint32{0, 1, 2, 3}, 4)
	near(t, "BR as printed", r.BRAsPrinted, 3)
	near(t, "BR as coded", r.BRAsCoded, 1)
	near(t, "BP", r.BP, 1)
}

// Points of one class that are not connected in the graph are two objects; a segment
// of both is pure in class but not in object, and has two connected components.
func TestObjectsAndComponents(t *testing.T) {
	g := path(5)
	class := []int32{4, 4, 9, 4, -3}
	must.Equal(t, Objects(g, class), []int32{0, 0, 1, 2, -1}, "objects")
	component := []uint32{0, 0, 1, 0, 1}
	must.Equal(t, ConnectedComponents(g, component), 4, "connected components")
	r := evaluate(t, g, Truth{Class: class}, component, 2)
	near(t, "OOA", r.OOA, 1)
	near(t, "undersegmentation error", r.UndersegmentationError, 0.25)
}

func TestNoTransitions(t *testing.T) {
	r := evaluate(t, path(3), Truth{Class: []int32{1, 1, 1}}, []uint32{0, 0, 0}, 1)
	for name, v := range map[string]Ratio{"BR printed": r.BRAsPrinted, "BR coded": r.BRAsCoded, "BP": r.BP} {
		near(t, name, v, math.NaN())
	}
	text, err := json.Marshal(r)
	must.OK(t, err)
	must.Say(t, string(text), `"br_as_coded":null`, `"ooa":1`)
}

func TestErrorsNameTheValue(t *testing.T) {
	g := path(3)
	for _, c := range []struct {
		truth     Truth
		component []uint32
		want      string
	}{
		{Truth{}, []uint32{0, 0}, "2 components for a graph of 3"},
		{Truth{Class: make([]int32, 4)}, []uint32{0, 0, 0}, "4 true classes"},
		{Truth{Object: make([]int32, 1)}, []uint32{0, 0, 0}, "1 true objects"},
		{Truth{}, []uint32{0, 5, 0}, "vertex 1 is in component 5"},
	} {
		must.Fail(Evaluate(parallel.Run{}, g, c.truth, c.component, 2))(t, c.want)
	}
}

// random returns a random graph, truth (with ignored and large labels) and partition.
func random(n, labels, count int, seed uint64) (*neighbor.Graph, Truth, []uint32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	g := &neighbor.Graph{Start: make([]uint32, n+1)}
	truth := Truth{Class: make([]int32, n), Object: make([]int32, n)}
	component := make([]uint32, n)
	for u := range n {
		for v := u + 1; v < min(n, u+12); v++ {
			if rng.IntN(3) == 0 {
				g.Head = append(g.Head, uint32(v))
			}
		}
		g.Start[u+1] = uint32(len(g.Head))
		truth.Class[u] = int32(rng.IntN(labels)) - 1
		truth.Object[u] = int32(rng.IntN(labels))*100_000_007 - 1
		component[u] = uint32(rng.IntN(count))
	}
	return g, truth, component
}

// TestAgainstDefinition computes the definitions in quadratic time.
func TestAgainstDefinition(t *testing.T) {
	for seed := range uint64(20) {
		const n, count = 60, 9
		g, truth, component := random(n, 5, count, seed)
		var c Counts
		c.Points = n
		share := func(label []int32) (most, known int64) {
			for s := range uint32(count) {
				tally := map[int32]int64{}
				best := int64(0)
				for i := range n {
					if component[i] == s && label[i] >= 0 {
						known++
						tally[label[i]]++
						best = max(best, tally[label[i]])
					}
				}
				most += best
			}
			return most, known
		}
		c.Pure, c.Classified = share(truth.Class)
		c.Overlap, c.InObject = share(truth.Object)
		type edge struct{ u, v uint32 }
		var pred, real []edge
		for u := range uint32(n) {
			for _, v := range g.Head[g.Start[u]:g.Start[u+1]] {
				if truth.Object[u] < 0 || truth.Object[v] < 0 {
					continue
				}
				if component[u] != component[v] {
					pred = append(pred, edge{u, v})
				}
				if truth.Object[u] != truth.Object[v] {
					real = append(real, edge{u, v})
				}
			}
		}
		common := func(a, s []edge) (n int64) { // |a ∩ expand(s)|
			for _, e := range a {
				for _, f := range s {
					if e.u == f.u || e.u == f.v || e.v == f.u || e.v == f.v {
						n++
						break
					}
				}
			}
			return n
		}
		c.TrueEdges, c.Predicted = int64(len(real)), int64(len(pred))
		c.TrueFound, c.PredictedGood = common(real, pred), common(pred, real)
		got := evaluate(t, g, truth, component, count).Counts
		c.Segments, c.Pieces, c.Objects = got.Segments, got.Pieces, 4
		must.Need(t, got == c, "seed %d: %+v, want %+v", seed, got, c)
		must.Equal(t, got.Segments, count, "seed %d: segments", seed)
	}
}

func TestSameForAnyThreads(t *testing.T) {
	g, truth, component := random(50_000, 9, 700, 3)
	var want Report
	for i, threads := range []int{1, 2, 7} {
		r := must.Get(Evaluate(parallel.Run{Threads: threads}, g, truth, component, 700))(t)
		if i == 0 {
			want = r
		} else if !reflect.DeepEqual(r, want) {
			t.Errorf("%d threads: %+v, want %+v", threads, r, want)
		}
	}
}

func TestCountsAdd(t *testing.T) {
	a := Counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	b := a
	b.Add(a)
	must.Hold(t, b == (Counts{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24}), "%+v", b)
}

func TestLabel(t *testing.T) {
	for v, want := range map[float64]int32{0: 0, 1: 1, 255: 255, math.MaxInt32: math.MaxInt32, -1: None,
		math.Copysign(0, -1): 0} {
		got, ok := Label(v)
		must.Hold(t, ok, "%v is refused", v)
		must.Equal(t, got, want, "what %v becomes", v)
		must.OK(t, CheckLabels("Class", []float64{0, v}))
	}
	for _, v := range []float64{-3, -2, -0.5, 0.5, 1.5, 1e-300, math.MaxInt32 + 1, 1e300,
		math.NaN(), math.Inf(1),
		math.Inf(-1)} {
		got, ok := Label(v)
		must.Hold(t, !ok, "%v is read as %d", v, got)
		must.Fail(CheckLabels("Class", []float64{0, 7, v}))(t, `dimension "Class" of point 2 is `)
	}
	ids := must.Get(IDs("ID", []float64{-9, -1, 0, 1, math.MaxUint32}))(t)
	must.Equal(t, ids, []uint32{0, 0, 0, 1, math.MaxUint32}, "ids")
	for _, v := range []float64{math.Inf(-1), 0.5, math.MaxUint32 + 1, math.NaN(), math.Inf(1)} {
		must.Fail(IDs("ID", []float64{7, v}))(t, `dimension "ID" of point 1 is `)
	}
}

// TestTable: each field has one row, with its name in JSON.
func TestTable(t *testing.T) {
	must.Equal(t, len(Table()), reflect.TypeFor[Scores]().NumField(), "rows of the table of fields")
	for _, row := range Table() {
		var s Scores
		*row.Field(&s) = 0.5
		text, err := json.Marshal(s)
		var named map[string]float64
		if err == nil {
			err = json.Unmarshal(text, &named)
		}
		must.OK(t, err)
		must.Equal(t, named[row.Name], 0.5, "%s in %s", row.Name, text)
		must.Hold(t, row.Label != "", "%s has no label", row.Name)
		must.Hold(t, row.Help != "", "%s has no help", row.Name)
	}
	got := (Counts{Pure: 1, Classified: 2}).Scores()
	must.Hold(t, got.OOA == 0.5, "%+v", got)
}

// TestRatios: F of boundary recall 0.6 and precision 0.3 is 0.4, 0 if both are 0; a ratio of nothing has no
// digits.
func TestRatios(t *testing.T) {
	for s, want := range map[Scores]Ratio{{BRAsCoded: 0.6, BP: 0.3}: 0.4, {}: 0, {BP: 1}: 0} {
		got := s.F()
		must.Hold(t, math.Abs(float64(got-want)) < 1e-12, "%+v: F is %v, want %v", s, got, want)
	}
	for r, want := range map[Ratio][2]string{0.12345678: {"12.3", "0.123457"}, Ratio(math.NaN()): {"–", ""}} {
		must.Equal(t, [2]string{r.Percent(), r.Digits()}, want, "%v", float64(r))
	}
}

// TestQuantilesOfSizes: the nearest rank of 1 to 200, of three segments and of a single one.
func TestQuantilesOfSizes(t *testing.T) {
	sizes := make([]uint32, 200)
	for i := range sizes {
		sizes[i] = uint32(i + 1)
	}
	for _, c := range []struct {
		sizes []uint32
		want  Sizes
	}{
		{sizes, Sizes{Mean: 100.5, Min: 1, P05: 10, P25: 50, Median: 100, P75: 150, P95: 190, Max: 200}},
		{[]uint32{5, 2, 4}, Sizes{Mean: Ratio(11. / 3), Min: 2, P05: 2, P25: 2, Median: 4, P75: 5,
			P95: 5, Max: 5}},
		{sizes[6:7], Sizes{Mean: 7, Min: 7, P05: 7, P25: 7, Median: 7, P75: 7, P95: 7, Max: 7}},
	} {
		must.Equal(t, *SizesOf(c.sizes), c.want, "sizes")
	}
}

// TestUnusedComponents: a component without points is no segment.
func TestUnusedComponents(t *testing.T) {
	r := evaluate(t, path(3), Truth{Class: []int32{1, 1, 1}}, []uint32{2, 0, 2}, 4)
	must.Hold(t, r.Counts.Segments == 2, "%d segments", r.Counts.Segments)
}
