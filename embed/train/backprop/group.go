// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// moments are mean and 1/σ, σ = √(variance + ε), of the values of one group of channels in all rows of one
// point.
type moments[T Real] struct{ mean, scale T }

// merged returns the moments of a group from mean and Σ(z − mean)² of its columns.
func (l *layer[T]) merged(rows T, mean, square []T) (m moments[T]) {
	for _, v := range mean {
		m.mean += v / T(len(mean))
	}
	var sum T
	for c, v := range mean {
		sum += square[c] + rows*(v-m.mean)*(v-m.mean)
	}
	m.scale = T(1 / math.Sqrt(float64(sum/(rows*T(len(mean))))+l.eps))
	return m
}

// groupForward writes a = relu(γ (z − mean)/σ + β), as s z + t with other s and t for every point.
func (l *layer[T]) groupForward(run parallel.Run, rows, n int, p part[T], z, a []T) {
	out := wide(l.Out)
	size := l.Out / l.Groups
	each := rows * out
	l.groups = arrays.Resized(l.groups, n/rows*l.Groups)
	run.Do(n/rows, setBlock, func(from, to int) {
		mean := make([]T, out)
		square := make([]T, out)
		s := make([]T, out)
		t := make([]T, out)
		for i := from; i < to; i++ {
			z := z[i*each : (i+1)*each]
			columnMoments(rows, out, z, mean, square)
			for g := range l.Groups {
				lo, hi := g*size, (g+1)*size
				m := l.merged(T(rows), mean[lo:hi], square[lo:hi])
				l.groups[i*l.Groups+g] = m
				for c := lo; c < hi; c++ {
					s[c] = p.gamma[c] * m.scale
					t[c] = p.beta[c] - m.mean*s[c]
				}
			}
			affineRelu(rows, out, z, s, t, a[i*each:])
		}
	})
}

// groupBackward adds the gradients of γ and β and takes g from a, the output of the ReLU, to z. With ẑ = (z −
// mean)/σ and h = γ·g, the gradient at z is (h − mean(h) − ẑ·mean(h·ẑ))/σ; means are over the group's
// channels and the point's rows.
func (l *layer[T]) groupBackward(run parallel.Run, rows, n int, p, grad part[T], z, a, g []T, partial *[]T) {
	out := wide(l.Out)
	size := l.Out / l.Groups
	each := rows * out
	count := T(rows * size)
	total := reduce(run, n/rows, setBlock, 2*l.Out, partial, func(from, to int, total []T) {
		mean := make([]T, out)
		sum := make([]T, out)
		dot := make([]T, out)
		s := make([]T, out)
		k0 := make([]T, out)
		k1 := make([]T, out)
		for i := from; i < to; i++ {
			groups := l.groups[i*l.Groups : (i+1)*l.Groups]
			for c := range l.Out {
				mean[c] = groups[c/size].mean
			}
			clear(sum)
			clear(dot)
			normSums(rows, out, g[i*each:], a[i*each:], z[i*each:], mean, sum, dot)
			for j, m := range groups {
				var h, along T // means of h and of h·ẑ
				for c := j * size; c < (j+1)*size; c++ {
					total[c] += dot[c] * m.scale
					total[l.Out+c] += sum[c]
					h += p.gamma[c] * sum[c] / count
					along += p.gamma[c] * dot[c] * m.scale / count
				}
				for c := j * size; c < (j+1)*size; c++ {
					s[c], k1[c] = p.gamma[c]*m.scale, m.scale*m.scale*along
					k0[c] = h*m.scale - k1[c]*m.mean
				}
			}
			normApply(rows, out, g[i*each:], z[i*each:], s, k0, k1)
		}
	})
	for c := range grad.gamma {
		grad.gamma[c] += T(total[c])
		grad.beta[c] += T(total[l.Out+c])
	}
}

// groupBlock is the number of points whose neighbours are computed at once: their values fit into a cache.
const groupBlock = 64

// alone runs loops within a loop.
func alone() parallel.Run { return parallel.Run{Threads: 1} }

// each computes the layers at all neighbours of the points lo to hi − 1, and passes the chain and its output
// to body.
func (u *setLayers[T]) each(k kernels[T], lo, hi int, x, params []T, body func(c *denseLayers[T], a []T)) {
	c, ok := u.chains.Get().(*denseLayers[T])
	if !ok {
		c = &denseLayers[T]{rows: u.chain.rows, layers: slices.Clone(u.chain.layers)}
	}
	defer u.chains.Put(c)
	s := &u.shape
	x = padded(x[lo*s.k*s.s:hi*s.k*s.s], s.s)
	body(c, c.forward(alone(), k, (hi-lo)*s.k, x, params))
}

// groupForward is forward with group normalisation: the layers at every neighbour, then the maximum.
func (u *setLayers[T]) groupForward(run parallel.Run, k kernels[T], n int, x, params []T) {
	s := &u.shape
	width := wide(s.c2)
	run.Do(n, groupBlock, func(lo, hi int) {
		u.each(k, lo, hi, x, params, func(_ *denseLayers[T], a []T) {
			for i := lo; i < hi; i++ {
				best, arg := u.out[i*s.c2:(i+1)*s.c2], u.arg[i*s.c2:(i+1)*s.c2]
				for j := range s.k {
					for c, v := range a[((i-lo)*s.k+j)*width:][:s.c2] {
						if j == 0 || v > best[c] {
							best[c] = v
							arg[c] = uint8(j)
						}
					}
				}
			}
		})
	})
}

// groupBackward is backward with group normalisation. It computes the layers again, because the values at all
// neighbours of a batch would take gigabytes.
func (u *setLayers[T]) groupBackward(run parallel.Run, k kernels[T], n int, x, params, grad, g, p []T, sp int,
	omega []T) {
	s := &u.shape
	width := wide(s.c2)
	total := reduce(run, n, groupBlock, len(grad), &u.partial, func(lo, hi int, sum []T) {
		u.each(k, lo, hi, x, params, func(chain *denseLayers[T], _ []T) {
			rows := make([]T, (hi-lo)*s.k*width)
			for i := lo * s.c2; i < hi*s.c2; i++ {
				rows[((i/s.c2-lo)*s.k+int(u.arg[i]))*width+i%s.c2] = g[i]
			}
			back := chain.backward(alone(), k, (hi-lo)*s.k, params, sum, rows)
			if p == nil {
				return
			}
			for i := lo * s.k; i < hi*s.k; i++ {
				d := back[(i-lo*s.k)*wide(s.s):][:2]
				offset := p[i*sp:][:2]
				for e := range 4 { // dΩ = Σ_j p_j dx_jᵀ
					omega[i/s.k*4+e] += offset[e/2] * d[e%2]
				}
			}
		})
	})
	for i, v := range total {
		grad[i] += T(v)
	}
}
