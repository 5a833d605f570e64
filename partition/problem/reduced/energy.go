// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// Energy returns the energy of the partition label, whose ids are dense in [0, count),
// without the fidelity term within the vertices, which is a constant of the graph.
func (g *Graph) Energy(run parallel.Run, label []uint32, count int) float64 {
	f := g.values(label, count)
	width := g.SumWidth()
	n := g.Vertices()
	const block = 1 << 13 // fixed: sums are in this order
	partial := make([]float64, (n+block-1)/block)
	run.Do(n, block, func(lo, hi int) {
		var fidelity, contour float64
		for u := lo; u < hi; u++ {
			c := label[u]
			value := f[int(c)*width : int(c)*width+g.Dim]
			fidelity += float64(g.Size[u]) * g.Distance(uint32(u), value)
			from, to := g.Start[u], g.End[u]
			for i, v := range g.Head[from:to] {
				if label[v] != c {
					contour += float64(g.Weight[int(from)+i])
				}
			}
		}
		partial[lo/block] = fidelity + float64(g.Scale)*contour
	})
	var e float64
	for _, x := range partial {
		e += x
	}
	return e
}

// values returns the optimal value of each component, in rows of SumWidth.
func (g *Graph) values(label []uint32, count int) []float64 {
	width := g.SumWidth()
	f := make([]float64, count*width)
	for u, c := range label {
		g.AddTo(f[int(c)*width:int(c+1)*width], uint32(u))
	}
	for c := 0; c < len(f); c += width {
		g.Fit(f[c:], f[c:c+width])
	}
	return f
}

// Loss returns the increase of the fidelity term when components u and v are merged:
//
//	n_u n_v/(n_u+n_v) ‖ȳ_u − ȳ_v‖²
//
// and for columns weighted by Mass with B in place of n.
//
// Loss(u, v) and Loss(v, u) have the same bits.
func (c *Components) Loss(u, v uint32) float32 { return c.LossOf(u, c, v) }

// LossOf is Loss for component v of o. The sums of the default model, with 5 columns and 2 with weights, are
// unrolled.
func (c *Components) LossOf(u uint32, o *Components, v uint32) float32 {
	a, b := c.Size[u], o.Size[v]
	if c.Dim == 7 && c.Weighted == 2 {
		m, n := c.Mass[u], o.Mass[v]
		x := (*[7]float32)(c.Mean[7*int(u):])
		y := (*[7]float32)(o.Mean[7*int(v):])
		d0 := x[0] - y[0]
		d1 := x[1] - y[1]
		d2 := x[2] - y[2]
		d3 := x[3] - y[3]
		d4 := x[4] - y[4]
		d5 := x[5] - y[5]
		d6 := x[6] - y[6]
		return a*b/(a+b)*(d0*d0+d1*d1+d2*d2+d3*d3+d4*d4) + m*n/(m+n)*(d5*d5+d6*d6)
	}
	x := c.mean(u)
	y := o.mean(v)
	p := c.plain()
	loss := a * b / (a + b) * squaredDistance(x[:p], y[:p])
	if c.Weighted > 0 {
		a, b := c.Mass[u], o.Mass[v]
		loss += a * b / (a + b) * squaredDistance(x[p:], y[p:])
	}
	return loss
}

// squaredDistance returns ‖x − y‖². For 7 columns (the learned embedding's 4 and the
// position) the sum is unrolled, in another order than in arithmetic.SquaredDistance.
func squaredDistance(x, y []float32) float32 {
	if len(x) == 7 && len(y) == 7 {
		d0 := x[0] - y[0]
		d1 := x[1] - y[1]
		d2 := x[2] - y[2]
		d3 := x[3] - y[3]
		d4 := x[4] - y[4]
		d5 := x[5] - y[5]
		d6 := x[6] - y[6]
		return ((d0*d0 + d1*d1) + (d2*d2 + d3*d3)) + ((d4*d4 + d5*d5) + d6*d6)
	}
	return arithmetic.SquaredDistance(x, y)
}
