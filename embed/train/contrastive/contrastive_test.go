// SPDX-License-Identifier: BSD-3-Clause

package contrastive

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// figure3 is the paper's example: three objects of 4, 3 and 2 vertices, and a
// partition that merges the first two and cuts the third.
func figure3(t *testing.T) (g *neighbor.Graph, object, component []uint32,
	transitions map[[2]uint32]float64) {
	g = must.Get(neighbor.FromEdges(9, [][2]uint32{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {8, 7}, {4, 6}, {6, 5},
		{1, 7}, {7, 2}, {2, 8}, {3, 4}, {4, 2}, {2, 5}}))(t)
	object = []uint32{0, 0, 0, 0, 1, 1, 1, 2, 2}
	component = []uint32{0, 0, 0, 0, 0, 0, 0, 1, 2}
	return g, object, component, map[[2]uint32]float64{
		{3, 4}: 3. / 3, {2, 4}: 3. / 3, {2, 5}: 3. / 3, {2, 8}: 1. / 1, {1, 7}: 1. / 2, {2, 7}: 1. / 2,
	}
}

func TestFigure3(t *testing.T) {
	g, object, component, want := figure3(t)
	e := NewEdges(g, object)
	w := Weighting{Scheme: "cross-partition", Strength: 5}
	w.Set(g, e, object, component)
	base := 5 * 13. / 9 // M₀ = μ̃|E|/|V|
	seen := 0
	for u := range g.Vertices() {
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			share, inter := want[[2]uint32{uint32(u), g.Head[k]}]
			must.Hold(t, inter == (e.Kind[k] == Inter), "edge %d–%d has kind %d", u, g.Head[k], e.Kind[k])
			expect := 1.0
			if inter {
				expect = base * share
				seen++
			}
			must.Hold(t, math.Abs(float64(e.Weight[k])-expect) <= 1e-5,
				"edge %d–%d weighs %g, want %g", u, g.Head[k], e.Weight[k], expect)
		}
	}
	must.Equal(t, seen, 6, "transitions seen")
	must.Equal(t, e.Inters, 6, "e.Inters")
	must.Equal(t, e.Counted, 13, "e.Counted")
}

func TestSeal(t *testing.T) {
	g, object, component, _ := figure3(t)
	e := NewEdges(g, object)
	Weighting{Scheme: "seal", Strength: 5}.Set(g, e, object, component)
	// the component {0..6} has 7 vertices, 4 in its largest object
	for _, edge := range [][2]int{{3, 4}, {1, 7}} {
		must.Equal(t, weightOf(g, e, edge[0], edge[1]), 1+5*3, "weight of edge %v", edge)
	}
	must.Equal(t, weightOf(g, e, 0, 1), 1, "weight of an intra edge")
}

func TestProportional(t *testing.T) {
	g, object, _, _ := figure3(t)
	e := NewEdges(g, object)
	Weighting{Scheme: "proportional", Strength: 5}.Set(g, e, object, nil)
	sum := map[Kind]float64{}
	for k, w := range e.Weight {
		sum[e.Kind[k]] += float64(w)
	}
	must.Hold(t, math.Abs(sum[Intra]-13) <= 1e-4, "sum[Intra] is %v, want 13 within 1e-4", sum[Intra])
	must.Hold(t, math.Abs(sum[Inter]-65) <= 1e-4, "sum[Inter] is %v, want 65 within 1e-4", sum[Inter])
}

func weightOf(g *neighbor.Graph, e *Edges, u, v int) float64 {
	for k := g.Start[u]; k < g.Start[u+1]; k++ {
		if int(g.Head[k]) == v {
			return float64(e.Weight[k])
		}
	}
	return math.NaN()
}

func TestIgnoredEdgesDoNotCount(t *testing.T) {
	g, object, component, _ := figure3(t)
	object[7] = arrays.None
	e := NewEdges(g, object)
	must.Need(t, e.Counted == 10, "edges: got %v, want 10", e.Counted)
	must.Need(t, e.Inters == 4, "transitions count: got %v, want 4", e.Inters)
	must.Need(t, e.Vertices == 8, "vertices: got %v, want 8", e.Vertices)
	Weighting{Scheme: "cross-partition", Strength: 5}.Set(g, e, object, component)
	rng := rand.New(rand.NewPCG(1, 1))
	x := points(rng, 9)
	grad := make([]float64, len(x))
	Value(Loss{Delta: 0.3}, g, e, x, 4, grad)
	for c := range 4 {
		must.Need(t, grad[7*4+c] == 0, "a vertex in no object has a gradient")
	}
}

func points(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n*4)
	for i := range x {
		x[i] = 0.3 * rng.NormFloat64()
	}
	return x
}

// TestGradient compares with central differences, for both pairs of functions.
func TestGradient(t *testing.T) {
	g, object, component, _ := figure3(t)
	e := NewEdges(g, object)
	Weighting{Scheme: "cross-partition", Strength: 5}.Set(g, e, object, component)
	rng := rand.New(rand.NewPCG(2, 1))
	for _, l := range []Loss{{Delta: 0.2}, {Delta: 0.3}, {Absolute: true}} {
		x := points(rng, 9)
		grad := make([]float64, len(x))
		Value(l, g, e, x, 4, grad)
		for i := range x {
			want := must.Slope(x, i, func() float64 { return Value[float64](l, g, e, x, 4, nil) })
			must.Need(t, math.Abs(want-grad[i]) <= 1e-7*(1+math.Abs(want)),
				"%+v: gradient %d is %g, by differences %g", l, i, grad[i], want)
		}
	}
}

func TestFunctions(t *testing.T) {
	l := Loss{Delta: 0.3}
	v, _ := l.phi(0.3)
	must.Hold(t, math.Abs(v-0.3*(math.Sqrt2-1)) <= 1e-15, "φ(δ) = %g", v)
	v, s := l.psi(1.5)
	must.Equal(t, v, 0, "ψ(1.5)")
	must.Equal(t, s, 0, "slope")
	v, _ = l.psi(0.25)
	must.Hold(t, v == 0.75, "ψ(0.25) = %g", v)
	// no loss where segments are constant and a distance of 1 apart
	g, object, component, _ := figure3(t)
	e := NewEdges(g, object)
	Weighting{Scheme: "cross-partition", Strength: 5}.Set(g, e, object, component)
	x := make([]float32, 9*4)
	for i, o := range object {
		x[4*i+int(o)] = 1
	}
	must.Equal(t, Value[float32](l, g, e, x, 4, nil), 0, "loss of perfect embeddings")
	for k, bad := range []error{Loss{}.Validate(), Loss{Delta: 1e3}.Validate(),
		Weighting{Scheme: "x"}.Validate(),
		Weighting{Scheme: "seal"}.Validate()} {
		must.Hold(t, bad != nil, "bad setting %d was accepted", k)
	}
	for _, good := range []error{Loss{Delta: 0.3}.Validate(), Loss{Absolute: true}.Validate(),
		Weighting{Scheme: "none"}.Validate()} {
		must.OK(t, good)
	}
}

// TestValueByHand: φ(3) = 4 (5/4 − 1) = 1 with δ = 4, and ψ(1/4) = 3/4; the mean is over edges that count.
func TestValueByHand(t *testing.T) {
	g := must.Get(neighbor.FromEdges(5, [][2]uint32{{0, 1}, {1, 2}, {3, 4}}))(t)
	e := NewEdges(g, []uint32{7, 7, 8, arrays.None, 8})
	x := []float64{0, 3, 3.25, 9, 0}
	for _, c := range []struct {
		loss        Loss
		inter, want float64
	}{{Loss{Delta: 4}, 1, 1.75 / 2}, {Loss{Delta: 4}, 4, 2}, {Loss{Absolute: true}, 1, 2.75 / 2}} {
		e.Weight[g.Start[1]] = float32(c.inter)
		got := Value[float64](c.loss, g, e, x, 1, nil)
		must.Hold(t, math.Abs(got-c.want) <= 1e-12, "%+v with weight %g: %g, want %g", c.loss,
			c.inter, got, c.want)
	}
}
