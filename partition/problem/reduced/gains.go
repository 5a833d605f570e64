// SPDX-License-Identifier: BSD-3-Clause

package reduced

// gains returns the gains of merging along the edges of the vertices from lo to hi−1, row
// by row, in the memory of out: the weight of each edge minus Loss, divided by
// n_u n_v/(n_u+n_v) if even. For 7 columns without sphere (the learned embedding's 4 and the
// position) this factor of the loss is cancelled, not multiplied and divided again.
func (g *Graph) gains(lo, hi int, even bool, out []float32) []float32 {
	out = out[:0]
	for u := uint32(lo); u < uint32(hi); u++ {
		a := g.Size[u]
		for k := g.Start[u]; k < g.End[u]; k++ {
			v, price := g.Head[k], g.Scale*g.Weight[k]
			b := g.Size[v]
			switch {
			case !even:
				out = append(out, price-g.Loss(u, v))
			case g.Dim == 7 && g.Sphere == 0 && g.Weighted == 0:
				out = append(out, price*((a+b)/(a*b))-squaredDistance(g.mean(u), g.mean(v)))
			default:
				out = append(out, (price-g.Loss(u, v))*((a+b)/(a*b)))
			}
		}
	}
	return out
}
