package backprop

import (
	"math"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// moments are mean and 1/σ, σ = √(variance + ε), of the values of one group of channels in all rows of one point.
type moments[T Real] struct{ mean, scale T }

// groupMoments measures the columns lo to lo + size − 1 of z, which has rows of out numbers.
func (l *layer[T]) groupMoments(z []T, out, lo, size int) (m moments[T]) {
	count := T(len(z) / out * size)
	for at := lo; at < len(z); at += out {
		for _, v := range z[at : at+size] {
			m.mean += v
		}
	}
	m.mean /= count
	var square T
	for at := lo; at < len(z); at += out {
		for _, v := range z[at : at+size] {
			square += (v - m.mean) * (v - m.mean)
		}
	}
	m.scale = T(1 / math.Sqrt(float64(square/count)+l.eps))
	return m
}

// groupForward writes a = relu(γ (z − mean)/σ + β), and 0 to the added columns.
func (l *layer[T]) groupForward(run parallel.Run, rows, n int, p part[T], z, a []T) error {
	out, size := wide(l.Out), l.Out/l.Groups
	each := rows * out
	l.groups = arrays.Resized(l.groups, n/rows*l.Groups)
	return run.For(n/rows, setBlock, func(from, to int) {
		if out > l.Out {
			clear(a[from*each : to*each])
		}
		for i := from; i < to; i++ {
			z, a := z[i*each:(i+1)*each], a[i*each:(i+1)*each]
			for k := range l.Groups {
				lo := k * size
				m := l.groupMoments(z, out, lo, size)
				l.groups[i*l.Groups+k] = m
				gamma, beta := p.gamma[lo:lo+size], p.beta[lo:lo+size]
				for at := lo; at < len(z); at += out {
					a := a[at : at+size]
					for c, v := range z[at : at+size] {
						a[c] = max(0, gamma[c]*m.scale*(v-m.mean)+beta[c])
					}
				}
			}
		}
	})
}

// groupBackward adds the gradients of γ and β and takes g from a, the output of the ReLU, to z. With ẑ = (z − mean)/σ
// and h = γ·g, the gradient at z is (h − mean(h) − ẑ·mean(h·ẑ))/σ; means are over the group's channels and the point's
// rows.
func (l *layer[T]) groupBackward(run parallel.Run, rows, n int, p, grad part[T], z, a, g []T, partial *[]T) error {
	out, size := wide(l.Out), l.Out/l.Groups
	each, count := rows*out, T(rows*size)
	total, err := reduce(run, n/rows, setBlock, 2*l.Out, partial, func(from, to int, sum []T) {
		for i := from * l.Groups; i < to*l.Groups; i++ {
			lo, m := i%l.Groups*size, l.groups[i]
			first := i/l.Groups*each + lo
			gamma, dgamma, dbeta := p.gamma[lo:lo+size], sum[lo:lo+size], sum[l.Out+lo:l.Out+lo+size]
			var h, along T // sums of h and of h·ẑ
			for at := first; at < first+each; at += out {
				z, a := z[at:at+size], a[at:at+size]
				for c, d := range g[at : at+size] {
					if d == 0 {
						continue
					}
					if !(a[c] > 0) {
						g[at+c] = 0
						continue
					}
					v := (z[c] - m.mean) * m.scale
					dgamma[c] += d * v
					dbeta[c] += d
					h += gamma[c] * d
					along += gamma[c] * d * v
				}
			}
			h, along = h/count, along/count
			for at := first; at < first+each; at += out {
				g := g[at : at+size]
				for c, v := range z[at : at+size] {
					g[c] = (gamma[c]*g[c] - h - (v-m.mean)*m.scale*along) * m.scale
				}
			}
		}
	})
	for c := range grad.gamma {
		grad.gamma[c] += T(total[c])
		grad.beta[c] += T(total[l.Out+c])
	}
	return err
}

// groupForward is forward with group normalisation: the chain on every neighbour, then the maximum.
func (u *setLayers[T]) groupForward(run parallel.Run, k kernels[T], n int, x, params []T) error {
	s := &u.shape
	a, err := u.chain.forward(run, k, n*s.k, padded(x, s.s), params)
	if err != nil {
		return err
	}
	width := wide(s.c2)
	return run.For(n, setBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			best, arg := u.out[i*s.c2:(i+1)*s.c2], u.arg[i*s.c2:(i+1)*s.c2]
			for j := range s.k {
				for c, v := range a[(i*s.k+j)*width:][:s.c2] {
					if j == 0 || v > best[c] {
						best[c], arg[c] = v, uint8(j)
					}
				}
			}
		}
	})
}

// groupBackward is backward with group normalisation.
func (u *setLayers[T]) groupBackward(run parallel.Run, k kernels[T], n int, params, grad, g, p []T, sp int,
	omega []T) error {
	s := &u.shape
	width := wide(s.c2)
	rows := make([]T, n*s.k*width)
	err := run.For(n*s.c2, setBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rows[(i/s.c2*s.k+int(u.arg[i]))*width+i%s.c2] = g[i]
		}
	})
	if err != nil {
		return err
	}
	back, err := u.chain.backward(run, k, n*s.k, params, grad, rows)
	if err != nil || p == nil {
		return err
	}
	return run.For(n, setBlock, func(lo, hi int) {
		for i := lo * s.k; i < hi*s.k; i++ {
			d, offset := back[i*wide(s.s):][:2], p[i*sp:][:2]
			for e := range 4 { // dΩ = Σ_j p_j dx_jᵀ
				omega[i/s.k*4+e] += offset[e/2] * d[e%2]
			}
		}
	})
}
