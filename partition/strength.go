package partition

import (
	"math"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Lambda returns λ = λ̃/(4c) for the normalized regularization strength λ̃,
// with c = |E|/|V| the average connectivity of this graph (paper, appendix,
// "Regularization strength"). A graph without edges gives λ̃/4.
//
// The paper lists the k edges that leave each vertex, so its c is k and a
// mutual pair of neighbours is paid for twice. Here a pair is listed once, c is
// smaller by the mean multiplicity k|V|/|E|, and λ is larger by the same
// factor. In both the price of cutting every edge at contrast 1 is λ̃|V|/4, so
// λ̃ = 1 means the same.
//
// The authors' code minimises ½Σ‖f−y‖² + reg/(4k) Σ exp(½ − ½d²)[·] over the
// directed list: twice that is the paper's form with σ = 2 and
// λ = 2·e^½·reg/(4k), so its reg is λ̃ = 2√e·reg ≈ 3.3·reg here.
func Lambda(g *neighbor.Graph, normalized float64) float64 {
	if g.Edges() == 0 {
		return normalized / 4
	}
	return normalized * float64(g.Vertices()) / (4 * float64(g.Edges()))
}

// Contrast returns exp(−‖e_i − e_j‖²/σ) of every edge, in Graph.Head's order,
// for an embedding of |V| × dim values. σ must be positive.
func Contrast(g *neighbor.Graph, embedding []float32, dim int, sigma float64, run parallel.Run) ([]float32, error) {
	contrast := make([]float32, g.Edges())
	err := run.For(g.Vertices(), vertexBlock, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			e := embedding[u*dim : (u+1)*dim]
			for k := g.Start[u]; k < g.Start[u+1]; k++ {
				v := int(g.Head[k]) * dim
				contrast[k] = float32(arithmetic.Exp(-float64(arithmetic.SquaredDistance(e, embedding[v:v+dim])) / sigma))
			}
		}
	})
	return contrast, err
}

// MinSize returns the smallest component size at the normalized strength λ̃,
// given its value n at λ̃ = 1: max(½n, n + ½n·log λ̃), rounded up (paper, appendix,
// "Smallest superpoint"). Base 10 and rounding up are what gives the
// paper's example, 33 and 70 for n = 50 at λ̃ = 0.2 and 6.
func MinSize(n int, normalized float64) int {
	f := float64(n)
	return int(math.Ceil(math.Max(f/2, f+f/2*(arithmetic.Log(normalized)/math.Ln10))))
}
