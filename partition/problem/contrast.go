// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Contrast returns exp(−‖e_i − e_j‖²/σ) of every edge, in Graph.Head's order,
// for an embedding of |V| × dim values. σ must be positive.
func Contrast(g *neighbor.Graph, embedding []float32, dim int, sigma float64, run parallel.Run) (c []float32,
	err error) {
	defer parallel.Catch(&err)
	return contrastOf(run, g, &Terms{Embedding: embedding, Dim: dim, EdgeDecay: sigma}), nil
}

// contrastOf returns the contrasts of a graph's edges, see Build.
func contrastOf(run parallel.Run, g *neighbor.Graph, t *Terms) []float32 {
	contrast := make([]float32, g.Edges())
	run.Do(g.Vertices(), vertexBlock, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			e, own := t.Embedding[u*t.Dim:(u+1)*t.Dim], t.damping(u)
			for k := g.Start[u]; k < g.Start[u+1]; k++ {
				v := int(g.Head[k])
				square := arithmetic.SquaredDistance(e, t.Embedding[v*t.Dim:(v+1)*t.Dim])
				square /= 1 + (own+t.damping(v))/3
				contrast[k] = float32(arithmetic.Exp(-float64(square) / t.EdgeDecay))
			}
		}
	})
	return contrast
}

// damping returns the damping of a vertex.
func (t *Terms) damping(v int) float32 {
	if t.DampingOf == nil {
		return 0
	}
	return t.DampingOf(t.Scattering[v])
}
