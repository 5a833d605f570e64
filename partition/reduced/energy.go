package reduced

import (
	"superpoint/partition"
	"superpoint/partition/parallel"
)

// Energy returns the energy of the partition label, whose ids are dense in
// [0, count), less what the means inside the vertices have lost already (a
// constant of the graph).
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

// values returns the best f of each component.
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
		partition.Project(row[:g.Sphere])
	}
	return f
}
