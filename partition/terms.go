package partition

import (
	"slices"

	"github.com/golang/geo/r3"

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
	Contrast  []float32                // of the edges, where it is known already; else nil
}

// Build returns the problem of equation 1 of Landrieu and Boussaha 2019 on a graph:
// values [e, α·position] and edges of contrast exp(−‖e_i − e_j‖²/σ). Lambda and
// MinSize are for the caller to set, or for SearchTarget. Where an embedding is
// trusted less, by t, its value is t·e, and an edge has its contrast times t of
// both ends: a region of one t is cut as if it were 1 and the weight of positions
// α/t.
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
	m, n := t.Dim, g.Vertices()
	p.Dim = m
	if t.Weight != 0 {
		p.Dim = m + 3
	}
	p.Values = make([]float32, n*p.Dim)
	err = run.For(n, vertexBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := p.Values[i*p.Dim : (i+1)*p.Dim]
			copy(row, t.Embedding[i*m:(i+1)*m])
			if t.Trust != nil {
				for c := range row[:m] {
					row[c] *= t.Trust[i]
				}
			}
			if t.Weight == 0 {
				continue
			}
			at := t.Position(uint32(i))
			if t.Drift != nil {
				d := t.Drift[3*i : 3*i+3]
				at = at.Add(r3.Vector{X: float64(d[0]), Y: float64(d[1]), Z: float64(d[2])})
			}
			row[m], row[m+1], row[m+2] = float32(t.Weight*at.X), float32(t.Weight*at.Y), float32(t.Weight*at.Z)
		}
	})
	return p, err
}

// damp multiplies the contrast of every edge by the trust in both its ends.
func damp(run parallel.Run, g *neighbor.Graph, contrast, trust []float32) error {
	return run.For(g.Vertices(), vertexBlock, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for k := g.Start[u]; k < g.Start[u+1]; k++ {
				contrast[k] *= trust[u] * trust[g.Head[k]]
			}
		}
	})
}
