package partition

import (
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Terms are what the paper's problem is made of.
type Terms struct {
	Embedding []float32 // e, |V| × Dim, row major
	Dim       int
	Trust     []float32                // how much each embedding counts, above 0 to 1; nil for 1
	EdgeDecay float64                  // σ of the contrast
	Weight    float64                  // α, per metre; 0 leaves positions out
	Position  func(v uint32) r3.Vector // metres, of every vertex; not asked for where Weight is 0
	Drift     []float32                // |V| × 3, metres, added to positions; nil for none
	Compact   float64                  // weight of positions without the drift, in three more columns, as a part of Weight
	Flatten   float64                  // by how much heights count less than distances on the map, 0 to 1
	Contrast  []float32                // of the edges, where it is known already; else nil
}

// Build returns the problem of equation 1 of Landrieu and Boussaha 2019 on a graph:
// values [e, α·position] and edges of contrast exp(−‖e_i − e_j‖²/σ). Lambda and
// MinSize are for the caller to set, or for SearchTarget. Where an embedding is
// trusted less, its value is trust times e and edges are damped.
func Build(run parallel.Run, g *neighbor.Graph, t Terms) (p *Problem, err error) {
	p = &Problem{Graph: g, Dim: t.Dim, Values: t.Embedding, Contrast: t.Contrast}
	if p.Contrast == nil {
		if p.Contrast, err = Contrast(g, t.Embedding, t.Dim, t.EdgeDecay, run); err != nil {
			return nil, err
		}
	}
	if t.Trust != nil {
		if t.Contrast != nil {
			p.Contrast = slices.Clone(t.Contrast)
		}
		if err := damp(run, g, p.Contrast, t.Trust); err != nil {
			return nil, err
		}
	} else if t.Weight == 0 {
		return p, nil
	}
	p.Dim = t.Dim + t.places()
	n := g.Vertices()
	p.Values = make([]float32, n*p.Dim)
	err = run.For(n, vertexBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.fill(uint32(i), p.Values[i*p.Dim:(i+1)*p.Dim])
		}
	})
	return p, err
}

// places returns the number of columns of positions.
func (t *Terms) places() int {
	switch {
	case t.Weight == 0:
		return 0
	case t.Compact == 0:
		return 3
	}
	return 6
}

// fill sets the values of a vertex.
func (t *Terms) fill(v uint32, row []float32) {
	m := t.Dim
	copy(row, t.Embedding[int(v)*m:int(v+1)*m])
	if t.Trust != nil {
		for c := range row[:m] {
			row[c] *= t.Trust[v]
		}
	}
	if t.Weight == 0 {
		return
	}
	at := t.Position(v)
	if t.Compact != 0 {
		t.place(row[m+3:], at, t.Compact*t.Weight)
	}
	if t.Drift != nil {
		d := t.Drift[3*v : 3*v+3]
		at = at.Add(r3.Vector{X: float64(d[0]), Y: float64(d[1]), Z: float64(d[2])})
	}
	t.place(row[m:], at, t.Weight)
}

// place sets three columns to a weighted position.
func (t *Terms) place(row []float32, at r3.Vector, weight float64) {
	at = at.Mul(weight)
	row[0], row[1], row[2] = float32(at.X), float32(at.Y), float32(at.Z*(1-t.Flatten))
}

// damp makes the contrast c of an edge whose ends are trusted by s and t
//
//	r³ c^(1/r),   r = (st)^¼
//
// A region of trust t is cut as if it were 1, the weight of positions α/t, σ √t
// times as large and λ 1/√t times. Clouds of val chose the powers
// (filter/compare/EVIDENCE.md).
func damp(run parallel.Run, g *neighbor.Graph, contrast, trust []float32) error {
	return run.For(g.Vertices(), vertexBlock, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for k := g.Start[u]; k < g.Start[u+1]; k++ {
				both := float64(trust[u]) * float64(trust[g.Head[k]])
				if both == 1 {
					continue
				}
				r := math.Sqrt(math.Sqrt(both))
				c := arithmetic.Exp(arithmetic.Log(float64(contrast[k])) / r)
				contrast[k] = float32(r * r * r * c)
			}
		}
	})
}
