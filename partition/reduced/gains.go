package reduced

// plainGains is gains in plain Go: the weight of each edge less what the fidelity term
// loses, divided by n_u n_v/(n_u+n_v) if even. With 7 columns off the sphere, the learned
// embedding's 4 and the position, the loss is not multiplied first by what it is divided by.
func (g *Graph) plainGains(lo, hi int, even bool, out []float32) []float32 {
	out = out[:0]
	for u := uint32(lo); u < uint32(hi); u++ {
		a := g.Size[u]
		for k := g.Start[u]; k < g.End[u]; k++ {
			v, price := g.Head[k], g.Scale*g.Weight[k]
			b := g.Size[v]
			switch {
			case !even:
				out = append(out, price-g.Loss(u, v))
			case g.Dim == 7 && g.Sphere == 0:
				out = append(out, price*((a+b)/(a*b))-squaredDistance(g.mean(u), g.mean(v)))
			default:
				out = append(out, (price-g.Loss(u, v))*((a+b)/(a*b)))
			}
		}
	}
	return out
}
