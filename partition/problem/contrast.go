// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// contrastOf returns the contrasts of a graph's edges, in Graph.Head's order, see Build.
func contrastOf(run parallel.Run, g *neighbor.Graph, t *Terms) []float32 {
	contrast := make([]float32, g.Edges())
	run.Do(g.Vertices(), contrastBlock, func(lo, hi int) {
		var damping [contrastBlock]float32
		for u := lo; u < hi; u++ {
			damping[u-lo] = t.damping(u)
		}
		for u := lo; u < hi; u++ {
			t.squaredDistances(g, u, contrast)
			for k := g.Start[u]; k < g.Start[u+1]; k++ {
				v := int(g.Head[k])
				both := damping[u-lo]
				if v < hi {
					both += damping[v-lo]
				} else {
					both += t.damping(v)
				}
				contrast[k] /= 1 + both/3
			}
		}
		row := contrast[g.Start[lo]:g.Start[hi]]
		arithmetic.Decay(row, t.EdgeDecay)
		if t.Rounded {
			for k, c := range row {
				row[k] = roundContrast(c)
			}
		}
	})
	return contrast
}

// contrastBlock is the number of vertices whose edges a cache holds.
const contrastBlock = 1 << 9

// squaredDistances sets the squared distances of the embeddings at the ends of a vertex's edges, in
// Graph.Head's order. The loop is unrolled for the learned embedding, which has 4 columns.
func (t *Terms) squaredDistances(g *neighbor.Graph, u int, square []float32) {
	own := t.Embedding[u*t.Dim : (u+1)*t.Dim]
	for k := g.Start[u]; k < g.Start[u+1]; k++ {
		v := int(g.Head[k])
		other := t.Embedding[v*t.Dim : (v+1)*t.Dim]
		if t.Dim != 4 {
			square[k] = arithmetic.SquaredDistance(own, other)
			continue
		}
		x := (*[4]float32)(own)
		y := (*[4]float32)(other)
		d0 := x[0] - y[0]
		d1 := x[1] - y[1]
		d2 := x[2] - y[2]
		d3 := x[3] - y[3]
		square[k] = d0*d0 + d1*d1 + d2*d2 + d3*d3
	}
}

// damping returns the damping of a vertex.
func (t *Terms) damping(v int) float32 {
	if t.DampingOf == nil {
		return 0
	}
	return t.DampingOf(t.Scattering[v])
}

// ContrastSteps is the number of steps of a rounded contrast from 0 to 1.
const ContrastSteps = 1 << 16

// Rounded returns the contrasts rounded to multiples of 1/ContrastSteps, which are not copied if Build
// rounded them.
func (p *Problem) Rounded(run parallel.Run) []float32 {
	if p.rounded {
		return p.Contrast
	}
	c := make([]float32, len(p.Contrast))
	run.Each(len(c), vertexBlock, func(i int) { c[i] = roundContrast(p.Contrast[i]) })
	return c
}

// roundContrast rounds a contrast to a multiple of 1/65536: float32 numbers from 128 to 256 have steps
// of 2⁻¹⁶, so adding 128 rounds to it. Contrasts from 128 on, which no model has, are not
// rounded; their steps are at least as large.
func roundContrast(c float32) float32 {
	const shift = 128
	if c >= shift {
		return c
	}
	return float32(c+shift) - shift
}
