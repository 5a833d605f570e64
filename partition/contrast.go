package partition

import (
	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Contrast returns exp(−‖e_i − e_j‖²/σ) of every edge, in Graph.Head's order,
// for an embedding of |V| × dim values. σ must be positive.
func Contrast(g *neighbor.Graph, embedding []float32, dim int, sigma float64, run parallel.Run) ([]float32, error) {
	contrast := make([]float32, g.Edges())
	return contrast, run.For(g.Vertices(), vertexBlock, func(lo, hi int) {
		contrasts(contrast, g, embedding, dim, sigma, lo, hi)
	})
}

// plainContrasts is contrasts in plain Go.
func plainContrasts(contrast []float32, g *neighbor.Graph, embedding []float32, dim int, sigma float64, lo, hi int) {
	for u := lo; u < hi; u++ {
		e := embedding[u*dim : (u+1)*dim]
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			v := int(g.Head[k]) * dim
			contrast[k] = float32(arithmetic.Exp(-float64(arithmetic.SquaredDistance(e, embedding[v:v+dim])) / sigma))
		}
	}
}
