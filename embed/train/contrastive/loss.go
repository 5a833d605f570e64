// SPDX-License-Identifier: BSD-3-Clause

// Package contrastive is the graph-structured contrastive loss (Landrieu and
// Boussaha 2019, section 2) and the weights of its transition edges:
//
//	ℓ(e)·|E| = Σ_intra w φ(e_u − e_v) + Σ_inter μ ψ(e_u − e_v)
//	φ(x) = δ (√(1 + ‖x‖²/δ²) − 1)      ψ(x) = max(0, 1 − ‖x‖)
//
// An edge is inter (a true transition) if its ends lie in different objects,
// intra if they lie in the same; edges with an end in no object do not count.
// Every unordered pair of neighbours counts once. Everything is sequential and
// so gives the same bits on any machine with the same arithmetic.
package contrastive

import (
	"fmt"
	"math"

	"superpoint/partition/neighbor"
)

// Real is the type of embeddings and gradients.
type Real interface{ float32 | float64 }

// Loss is the pair of functions φ and ψ.
type Loss struct {
	// δ of the pseudo-Huber function; 0.3 in the paper's figure, 0.2 in the authors' code
	Delta    float64 `yaml:"delta"`
	Absolute bool    `yaml:"absolute,omitempty"` // the paper's ablation: φ(x) = ‖x‖ and ψ(x) = −‖x‖
}

// Validate returns an error if δ cannot be used.
func (l Loss) Validate() error {
	if !l.Absolute && !(l.Delta > 0 && l.Delta < 1e3) {
		return fmt.Errorf("loss: δ = %g; it must be above 0, the paper has 0.3", l.Delta)
	}
	return nil
}

// nearest is the length below which the direction of a difference is taken as
// undefined, so its gradient is damped.
const nearest = 1e-6

// phi returns φ and its derivative along x divided by ‖x‖, for d = ‖x‖.
func (l Loss) phi(d float64) (value, slope float64) {
	if l.Absolute {
		return d, 1 / max(d, nearest)
	}
	root := math.Sqrt(1 + d*d/(l.Delta*l.Delta))
	return l.Delta * (root - 1), 1 / (l.Delta * root)
}

// psi is phi for ψ.
func (l Loss) psi(d float64) (value, slope float64) {
	if l.Absolute {
		return -d, -1 / max(d, nearest)
	}
	if d >= 1 {
		return 0, 0
	}
	return 1 - d, -1 / max(d, nearest)
}

// Value returns ℓ for embeddings of |V| × dim values and, if gradient is not
// nil, writes its gradient there.
func Value[T Real](l Loss, g *neighbor.Graph, edges *Edges, e []T, dim int, gradient []T) float64 {
	clear(gradient)
	if edges.Counted == 0 {
		return 0
	}
	sum, per := 0.0, 1/float64(edges.Counted)
	for u := range g.Vertices() {
		a := e[u*dim : (u+1)*dim]
		for k := g.Start[u]; k < g.Start[u+1]; k++ {
			kind := edges.Kind[k]
			if kind == Ignored {
				continue
			}
			v := int(g.Head[k])
			b := e[v*dim : (v+1)*dim]
			value, slope := l.of(kind, math.Sqrt(squaredDistance(a, b)))
			w := float64(edges.Weight[k])
			sum += w * value
			if gradient == nil || slope == 0 {
				continue
			}
			f := T(w * slope * per)
			for c := range a {
				x := f * (a[c] - b[c])
				gradient[u*dim+c] += x
				gradient[v*dim+c] -= x
			}
		}
	}
	return sum * per
}

// of returns the loss of an edge whose embeddings have a distance, and its slope.
func (l Loss) of(kind Kind, distance float64) (value, slope float64) {
	if kind == Inter {
		return l.psi(distance)
	}
	return l.phi(distance)
}

func squaredDistance[T Real](a, b []T) (square float64) {
	for c := range a {
		x := float64(a[c] - b[c])
		square += x * x
	}
	return square
}
