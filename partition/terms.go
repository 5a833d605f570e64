package partition

import (
	"github.com/golang/geo/r3"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Terms are what the paper's problem is made of.
type Terms struct {
	Embedding []float32 // e, |V| × Dim, row major
	Dim       int
	EdgeDecay float64                  // σ of the contrast
	Weight    float64                  // α, per metre; 0 leaves positions out
	Position  func(v uint32) r3.Vector // metres, of every vertex; not asked for where Weight is 0
	Contrast  []float32                // of the edges, where it is known already; else nil
}

// Build returns the problem of equation 1 of Landrieu and Boussaha 2019 on a graph:
// values [e, α·position] and edges of contrast exp(−‖e_i − e_j‖²/σ). Lambda and
// MinSize are for the caller to set, or for SearchTarget.
func Build(run parallel.Run, g *neighbor.Graph, t Terms) (p *Problem, err error) {
	p = &Problem{Graph: g, Dim: t.Dim, Values: t.Embedding, Contrast: t.Contrast}
	if p.Contrast == nil {
		if p.Contrast, err = Contrast(g, t.Embedding, t.Dim, t.EdgeDecay, run); err != nil {
			return nil, err
		}
	}
	if t.Weight == 0 {
		return p, nil
	}
	p.Dim = t.Dim + 3
	n := g.Vertices()
	p.Values = make([]float32, n*p.Dim)
	err = run.For(n, vertexBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.fill(uint32(i), p.Values[i*p.Dim:(i+1)*p.Dim])
		}
	})
	return p, err
}

// fill sets the values of a vertex.
func (t *Terms) fill(v uint32, row []float32) {
	m := t.Dim
	copy(row, t.Embedding[int(v)*m:int(v+1)*m])
	at := t.Position(v).Mul(t.Weight)
	row[m], row[m+1], row[m+2] = float32(at.X), float32(at.Y), float32(at.Z)
}
