// SPDX-License-Identifier: BSD-3-Clause

package problem_test

import (
	"math"
	"slices"
	"testing"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	must.Hold(t, math.Abs(got-want) <= 1e-6*(1+math.Abs(want)), "%s: %g, want %g", what, got, want)
}

// A triangle 0, 1, 2 with a pendant vertex 3; two columns.
func triangle() *problem.Problem {
	return &problem.Problem{
		Graph: oracle.Graph(4, [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}}), Dim: 2,
		Values:   []float32{1, 0, 0, 1, 1, 1, 3, 4},
		Contrast: []float32{.5, .25, 1, .125}, Lambda: 2, MinSize: 1,
	}
}

func TestEnergyHandWorked(t *testing.T) {
	p := triangle()
	for _, c := range []struct {
		ids    []uint32
		energy float64
	}{
		{[]uint32{0, 1, 2, 3}, 2 * 1.875},
		{[]uint32{0, 0, 1, 2}, 1 + 2*(.25+1+.125)},        // mean (½, ½): 4 × ¼
		{[]uint32{0, 0, 0, 1}, 4./3 + 2*.125},             // means ⅔: 2 × (1/9 + 4/9 + 1/9)
		{[]uint32{0, 0, 0, 0}, 4./3 + .75*(49./9+100./9)}, // plus n·1/(n+1)·‖(3,4) − (⅔,⅔)‖²
		{[]uint32{0, 1, 1, 1}, 14./3 + 6 + 2*(.5+.25)},    // columns 0,1,3 and 1,1,4
	} {
		count := arrays.Number(slices.Clone(c.ids), 4)
		e := p.Energy(parallel.Run{}, c.ids, count)
		near(t, "energy", e, c.energy)
		near(t, "oracle", oracle.Energy(p, c.ids), c.energy)
	}
	p.Weight = []float32{1, 3, 1, 2} // the means of {0,1} are (¼, ¾): 2·(1·9/16 + 3/16)
	e := p.Energy(parallel.Run{}, []uint32{0, 0, 1, 2}, 3)
	near(t, "energy with weights", e, 2*(9./16+3./16)+2*1.375)
}

// TestLambdaKeepsCostOfAllEdges: the cost of cutting every edge at contrast 1 is λ̃|V|/4, as in
// the paper's directed graph: λ̃/(4k)·k|V|.
func TestLambdaKeepsCostOfAllEdges(t *testing.T) {
	for _, g := range []*problem.Problem{triangle(), oracle.Grid(20, 1, 1)} {
		lambda := problem.Lambda(g.Graph, nil, 3)
		near(t, "price", lambda*float64(g.Graph.Edges()), 3*float64(g.Graph.Vertices())/4)
	}
	near(t, "no edges", problem.Lambda(oracle.Graph(3, nil), nil, 2), .5)
}

func TestContrast(t *testing.T) {
	p := triangle()
	built := must.Get(problem.Build(parallel.Run{}, p.Graph, problem.Terms{Embedding: p.Values, Dim: 2,
		EdgeDecay: .5}))(t)
	for i, d := range []float64{2, 1, 1, 13} { // squared distances of the edges
		near(t, "contrast", float64(built.Contrast[i]), math.Exp(-2*d))
	}
}

// TestBuildValues: values are the embedding, then positions times their weight; scattering damps the
// embedding and its differences along edges, and gives the horizontal position its own weights. Without a
// weight of positions, values have no position.
func TestBuildValues(t *testing.T) {
	g := triangle()
	n := g.Graph.Vertices()
	terms := problem.Terms{Embedding: g.Values, Dim: 2, EdgeDecay: .5, Weight: .5,
		Position: func(v uint32) r3.Vector { return r3.Vector{X: 8 * float64(v), Y: 4, Z: 16 * float64(v)} }}
	q, err := problem.Build(parallel.Run{}, g.Graph, terms)
	must.OK(t, err)
	for v := range n {
		want := []float32{g.Values[2*v], g.Values[2*v+1], 4 * float32(v), 2, 8 * float32(v)}
		must.Equal(t, q.Values[v*q.Dim:(v+1)*q.Dim], want, "vertex %d: values", v)
	}
	terms.Scattering = []float32{0, .75, 0, 0}
	terms.DampingOf = func(scattering float32) float32 { return scattering }
	damped := must.Get(problem.Build(parallel.Run{}, g.Graph, terms))(t)
	q.Values[6] *= 7. / 16
	must.Hold(t, slices.Equal(damped.Values, q.Values), "damped: values %v, want %v", damped.Values, q.Values)
	for i, distance := range []float64{2 / 1.25, 1, 1 / 1.25, 13} { // of edges 0-1, 0-2, 1-2 and 2-3
		near(t, "contrast", float64(damped.Contrast[i]), math.Exp(-distance/.5))
	}
	terms.WeightOf = func(scattering float32) float32 { return 1 + 1.01*scattering }
	weighted := must.Get(problem.Build(parallel.Run{}, g.Graph, terms))(t)
	// 1.7575, in sixteenths
	must.Hold(t, slices.Equal(weighted.Weight, []float32{1, 1.75, 1, 1}), "weights %v", weighted.Weight)
	for u := range n {
		row := damped.Values[u*5:]
		must.Equal(t, weighted.Values[u*5:(u+1)*5], []float32{row[0], row[1], row[4], row[2], row[3]},
			"weighted: values")
	}
	terms.Weight = math.MaxFloat64
	weighted = must.Get(problem.Build(parallel.Run{}, g.Graph, terms))(t)
	weighted.Lambda = 1
	must.Fail(weighted.Validate(parallel.Run{}))(t, "value +Inf in row 0, column 4")
	terms.Weight = 0
	q, err = problem.Build(parallel.Run{}, g.Graph, terms)
	must.Need(t, err == nil, "without a weight: %v", err)
	must.Equal(t, q.Values, g.Values, "without a weight: values")
}

// TestMinSize: in the paper's example n = 50 becomes 33 at λ̃ = 0.2 and 70 at 6.
func TestMinSize(t *testing.T) {
	for _, c := range []struct {
		n          int
		normalized float64
		want       int
	}{{50, 1, 50}, {50, .2, 33}, {50, 6, 70}, {50, .01, 25}, {0, 2, 0}} {
		must.Equal(t, problem.MinSize(c.n, c.normalized), c.want, "n %d, λ̃ %g", c.n, c.normalized)
	}
}

func TestValidateNamesTheFault(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		part  string
		spoil func(p *problem.Problem)
	}{
		{"no graph", func(p *problem.Problem) { p.Graph = nil }},
		{"0 columns", func(p *problem.Problem) { p.Dim = 0 }},
		{"7 values", func(p *problem.Problem) { p.Values = p.Values[1:] }},
		{"3 contrasts", func(p *problem.Problem) { p.Contrast = p.Contrast[1:] }},
		{"λ = 0", func(p *problem.Problem) { p.Lambda = 0 }},
		{"λ = NaN", func(p *problem.Problem) { p.Lambda = math.NaN() }},
		{"λ = +Inf", func(p *problem.Problem) { p.Lambda = math.Inf(1) }},
		{"-1 vertices", func(p *problem.Problem) { p.MinSize = -1 }},
		{"row 2, column 1", func(p *problem.Problem) { p.Values[5] = nan; p.Values[6] = nan }},
		{"contrast -1 in row 3", func(p *problem.Problem) { p.Contrast[3] = -1 }},
		{"2 columns with weights, of 1", func(p *problem.Problem) {
			p.Dim, p.Values, p.Weight = 1, p.Values[:4], []float32{1, 1, 1, 1}
		}},
		{"3 weights for 4", func(p *problem.Problem) { p.Weight = []float32{1, 1, 1} }},
		{"weight 0.5 in row 2", func(p *problem.Problem) { p.Weight = []float32{1, 1, .5, 1} }},
		{"weight 1.3 in row 1", func(p *problem.Problem) { p.Weight = []float32{1, 1.3, 1, 1} }},
		{"edges of vertex 0", func(p *problem.Problem) { p.Graph.Head[0] = 0 }},
		{"edges of vertex 2", func(p *problem.Problem) { p.Graph.Head[3] = 4 }},
	} {
		p := triangle()
		c.spoil(p)
		must.Fail(p.Validate(parallel.Run{}))(t, c.part)
	}
	must.OK(t, triangle().Validate(parallel.Run{}))
}

func TestSearchTargetReaches(t *testing.T) {
	p := oracle.Grid(100, 1, 0)
	for _, size := range []float64{8, 50, 400} {
		f := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, p, size, nil))(t)
		must.Need(t, f.Reached, "size %g: f.Reached is false", size)
		must.Hold(t, math.Abs(f.Mean/size-1) <= .05,
			"size %g: f.Mean/size is %v, want 1 within .05", size, f.Mean/size)
		must.Equal(t, f.MinSize, int(math.Max(1, math.Round(size/10))), "size %g: smallest", size)
		must.Hold(t, f.Solves <= 8, "size %g: %d solves", size, f.Solves)
		again, _ := problem.SearchTarget(parallel.Run{Threads: 1}, local.Solver{}, p, size, nil)
		must.Equal(t, again.Regularization, f.Regularization, "size %g: again.Regularization", size)
		must.Equal(t, again.Energy, f.Energy, "size %g: again.Energy", size)
	}
}

// withClumps returns a problem with further vertices, in chains of size of equal values.
func withClumps(t *testing.T, p *problem.Problem, clumps, size int) *problem.Problem {
	n, more := p.Graph.Vertices(), *p
	var edges [][2]uint32
	for u := range n {
		for _, v := range p.Graph.Of(u) {
			edges = append(edges, [2]uint32{uint32(u), v})
		}
	}
	for u := n; u < n+clumps*size; u++ {
		more.Values = append(more.Values, p.Values[:p.Dim]...)
		if (u-n)%size > 0 {
			edges = append(edges, [2]uint32{uint32(u - 1), uint32(u)})
			more.Contrast = append(more.Contrast, 1)
		}
	}
	more.Graph = must.Get(neighbor.FromEdges(n+clumps*size, edges))(t)
	return &more
}

// TestSearchTargetWithIsolatedVertices: isolated vertices change neither λ nor the other components.
func TestSearchTargetWithIsolatedVertices(t *testing.T) {
	p := oracle.Grid(60, 1, 0)
	want := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, p, 50, nil))(t)
	n, more := p.Graph.Vertices(), withClumps(t, p, 100, 3)
	more.Isolated = append(make([]bool, n), slices.Repeat([]bool{true}, 300)...)
	got := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, more, 50, nil))(t)
	must.Equal(t, got.Regularization, want.Regularization, "got.Regularization")
	must.Equal(t, got.Mean, want.Mean, "mean size")
	must.Equal(t, got.Component[:n], want.Component, "got.Component[:n]")
	must.Equal(t, problem.Lambda(more.Graph, more.Isolated, 3), problem.Lambda(p.Graph, nil, 3),
		"λ with isolated vertices")
	all := slices.Repeat([]bool{true}, n)
	p.Isolated = all
	f, err := problem.SearchTarget(parallel.Run{}, local.Solver{}, p, 50, nil)
	must.Need(t, err == nil, "where all vertices are isolated: %v", err)
	must.Equal(t, f.Mean, want.Mean, "where all vertices are isolated: f.Mean")
}

// TestSearchTargetWithClumps: parts of the graph that are smaller than the target size, as in scans of trees,
// do not make the other components larger.
func TestSearchTargetWithClumps(t *testing.T) {
	p := oracle.Grid(60, 1, 0)
	want := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, p, 100, nil))(t)
	const clumps, size = 30, 9
	more := withClumps(t, p, clumps, size)
	got := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, more, 100, nil))(t)
	must.Need(t, got.Count-want.Count >= clumps,
		"got.Count-want.Count is %v, want at least %v", got.Count-want.Count, clumps)
	must.Hold(t, math.Abs(math.Log(got.Regularization/want.Regularization)) <= .1,
		"math.Abs(math.Log(got.Regularization/want.Regularization)) is %v, want at most .1",
		math.Abs(math.Log(got.Regularization/want.Regularization)))
	f := must.Get(problem.SearchTarget(parallel.Run{}, local.Solver{}, more, 4000, nil))(t)
	must.Hold(t, !f.Reached,
		"no part of the graph has 4000 vertices, and the mean size of these components is %v", f.Mean)
}

func TestSearchTargetReportsFailure(t *testing.T) {
	p := oracle.Grid(20, 1, 0)
	f, err := problem.SearchTarget(parallel.Run{}, local.Solver{}, p, 5000, nil)
	must.Need(t, err == nil, "400 vertices into components of 5000: %v", err)
	must.Hold(t, !f.Reached, "400 vertices into components of 5000: f.Reached is true")
	must.Need(t, f.Count == 1, "400 vertices into components of 5000: f.Count is %v, want 1", f.Count)
	must.Equal(t, f.Mean, 400, "400 vertices into components of 5000: f.Mean")
	empty := &problem.Problem{Graph: oracle.Graph(0, nil), Dim: 1}
	f, err = problem.SearchTarget(parallel.Run{}, local.Solver{}, empty, 5, nil)
	must.Need(t, err == nil, "no vertices: %v", err)
	must.Hold(t, !f.Reached, "no vertices: f.Reached is true")
	must.Equal(t, f.Count, 0, "no vertices: f.Count")
	for _, size := range []float64{0, .5, -3, math.NaN(), math.Inf(1)} {
		must.Fail(problem.SearchTarget(parallel.Run{}, local.Solver{}, p, size, nil))(t, "mean size")
	}
}
