package reduced

import (
	"math"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
)

// Energy returns the energy of the partition label, whose ids are dense in [0, count),
// without the fidelity term within the vertices, which is a constant of the graph.
func (g *Graph) Energy(run parallel.Run, label []uint32, count int) (float64, error) {
	f := g.values(label, count)
	n := g.Vertices()
	partial := make([]float64, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		var fidelity, contour float64
		for u := lo; u < hi; u++ {
			c := label[u]
			var d2 float64
			value := f[int(c)*g.Dim : int(c+1)*g.Dim]
			for k, y := range g.mean(uint32(u)) {
				d := float64(y) - value[k]
				d2 += d * d
			}
			fidelity += float64(g.Size[u]) * d2
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
	return e, err
}

// values returns the optimal value of each component: its mean, with the first Sphere
// columns projected onto the unit sphere.
func (g *Graph) values(label []uint32, count int) []float64 {
	f := make([]float64, count*g.Dim)
	size := make([]float64, count)
	for u, c := range label {
		n := float64(g.Size[u])
		size[c] += n
		row := f[int(c)*g.Dim : int(c+1)*g.Dim]
		for k, y := range g.mean(uint32(u)) {
			row[k] += n * float64(y)
		}
	}
	for c, n := range size {
		row := f[c*g.Dim : (c+1)*g.Dim]
		for k := range row {
			row[k] /= n
		}
		problem.Project(row[:g.Sphere])
	}
	return f
}

// Loss returns the increase of the fidelity term Σ‖f_i − y_i‖² when components u and v
// are merged:
//
//	n_u n_v/(n_u+n_v) ‖ȳ_u − ȳ_v‖²
//
// and, for columns whose f is on the unit sphere, with S = n·ȳ,
//
//	2(‖S_u‖ + ‖S_v‖ − ‖S_u + S_v‖).
//
// Loss(u, v) and Loss(v, u) have the same bits.
func (g *Graph) Loss(u, v uint32) float32 { return g.LossOf(u, g, v) }

// LossOf is Loss for vertex v of another graph o.
func (g *Graph) LossOf(u uint32, o *Graph, v uint32) float32 {
	a, b := g.Size[u], o.Size[v]
	x, y := g.mean(u), o.mean(v)
	if g.Sphere == 0 {
		return a * b / (a + b) * squaredDistance(x, y)
	}
	s := g.Sphere
	return a*b/(a+b)*squaredDistance(x[s:], y[s:]) + sphereLoss(a, b, x[:s], y[:s])
}

// sphereLoss is computed in float64, because the norms nearly cancel.
func sphereLoss(a, b float32, x, y []float32) float32 {
	var xx, yy, ss float64
	for k := range x {
		p, q := float64(a)*float64(x[k]), float64(b)*float64(y[k])
		xx += p * p
		yy += q * q
		ss += (p + q) * (p + q)
	}
	return float32(2 * (math.Sqrt(xx) + math.Sqrt(yy) - math.Sqrt(ss)))
}

// squaredDistance returns ‖x − y‖². For 7 columns (the learned embedding's 4 and the
// position) the sum is unrolled, in the order of the kernels.
func squaredDistance(x, y []float32) float32 {
	if len(x) == 7 && len(y) == 7 {
		d0, d1, d2, d3 := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		d4, d5, d6 := x[4]-y[4], x[5]-y[5], x[6]-y[6]
		return ((d0*d0 + d1*d1) + (d2*d2 + d3*d3)) + ((d4*d4 + d5*d5) + d6*d6)
	}
	return arithmetic.SquaredDistance(x, y)
}
