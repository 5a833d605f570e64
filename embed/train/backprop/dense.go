// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// denseBlock is the number of points a worker takes at a time.
const denseBlock = 1024

// wide rounds a width up to whole vectors of the kernels. The added columns
// hold zeros.
func wide(n int) int { return (n + 15) &^ 15 }

// denseLayers is a chain of fully connected layers: those after a maximum, the last of which is not
// normalised, and with group normalisation those before it, too.
type denseLayers[T Real] struct {
	layers  []layer[T]
	rows    int   // of a point
	z, a    [][]T // before and after the normalisation and ReLU; a[0] is the input
	w, wt   []T
	coeff   [4][]T
	partial []T
}

// forward computes n × wide(out) values from x, n × wide(in). x must stay
// until backward.
func (u *denseLayers[T]) forward(run parallel.Run, k kernels[T], n int, x, params []T) []T {
	if u.z == nil {
		u.z = make([][]T, len(u.layers))
		u.a = make([][]T, len(u.layers)+1)
	}
	u.a[0] = x
	for i := range u.layers {
		l := &u.layers[i]
		p := l.part(params)
		in := wide(l.In)
		out := wide(l.Out)
		u.z[i] = arrays.Resized(u.z[i], n*out)
		z, x := u.z[i], u.a[i]
		u.transpose(l, p)
		run.Do(n, denseBlock, func(lo, hi int) {
			k.gemm(hi-lo, out, in, x[lo*in:], in, 1, u.wt, out, z[lo*out:], out, false)
			if !l.Batch() {
				for i := lo; i < hi; i++ {
					axpy(1, p.bias, z[i*out:])
				}
			}
		})
		if !l.Norm {
			return z
		}
		u.a[i+1] = arrays.Resized(u.a[i+1], n*out)
		a := u.a[i+1]
		if l.Groups > 0 {
			l.groupForward(run, u.rows, n, p, z, a)
			continue
		}
		u.statistics(run, n, l, z, out)
		l.normalise(p)
		u.spread(l, out)
		run.Do(n, denseBlock, func(lo, hi int) {
			affineRelu(hi-lo, out, z[lo*out:], u.coeff[0], u.coeff[1], a[lo*out:])
		})
	}
	return u.a[len(u.layers)]
}

// transpose writes the layer's weights as out × in and in × out with zeros in
// the added columns.
func (u *denseLayers[T]) transpose(l *layer[T], p part[T]) {
	in := wide(l.In)
	out := wide(l.Out)
	u.w = arrays.Resized(u.w, in*out)
	u.wt = arrays.Resized(u.wt, in*out)
	clear(u.w)
	clear(u.wt)
	for c := range l.Out {
		for a := range l.In {
			v := p.weight[c*l.In+a]
			u.w[c*in+a], u.wt[a*out+c] = v, v
		}
	}
}

// statistics sets the layer's mean and variance from z, block by block (Chan,
// Golub and LeVeque 1983).
func (u *denseLayers[T]) statistics(run parallel.Run, n int, l *layer[T], z []T, out int) {
	blocks := (n + denseBlock - 1) / denseBlock
	u.partial = arrays.Resized(u.partial, blocks*2*out)
	run.Do(n, denseBlock, func(lo, hi int) {
		own := u.partial[lo/denseBlock*2*out:]
		columnMoments(hi-lo, out, z[lo*out:], own[:out], own[out:2*out])
	})
	l.mean = arrays.Resized(l.mean, l.Out)
	l.variance = arrays.Resized(l.variance, l.Out)
	for c := range l.Out {
		var count, mean, square float64
		for b := range blocks {
			size := float64(min(denseBlock, n-b*denseBlock))
			d := float64(u.partial[b*2*out+c]) - mean
			square += float64(u.partial[(b*2+1)*out+c]) + d*d*count*size/(count+size)
			count += size
			mean += d * size / count
		}
		l.mean[c], l.variance[c] = mean, square/count
	}
}

// spread writes scale, shift and mean as T with zeros in the added columns.
func (u *denseLayers[T]) spread(l *layer[T], out int) {
	for i := range u.coeff {
		u.coeff[i] = arrays.Resized(u.coeff[i], out)
		clear(u.coeff[i])
	}
	for c := range l.Out {
		u.coeff[0][c] = T(l.scale[c])
		u.coeff[1][c] = T(l.shift[c])
		u.coeff[2][c] = T(l.mean[c])
	}
}

// backward adds the parameters' gradient and returns the gradient at the input,
// n × wide(in). g, the gradient at the output, is overwritten.
func (u *denseLayers[T]) backward(run parallel.Run, k kernels[T], n int, params, grad, g []T) []T {
	for i := len(u.layers) - 1; i >= 0; i-- {
		l := &u.layers[i]
		p := l.part(params)
		d := l.part(grad)
		in := wide(l.In)
		out := wide(l.Out)
		switch {
		case l.Batch():
			u.normBackward(run, n, l, d, u.z[i], u.a[i+1], g)
		case l.Norm:
			l.groupBackward(run, u.rows, n, p, d, u.z[i], u.a[i+1], g, &u.partial)
		}
		x := u.a[i]
		back := make([]T, n*in)
		u.transpose(l, p)
		each := out * in
		total := reduce(run, n, denseBlock, each+out, &u.partial, func(lo, hi int, sum []T) {
			k.gemm(out, in, hi-lo, g[lo*out:], 1, out, x[lo*in:], in, sum, in, true)
			if !l.Batch() {
				for i := lo; i < hi; i++ {
					axpy(1, g[i*out:(i+1)*out], sum[each:])
				}
			}
			k.gemm(hi-lo, in, out, g[lo*out:], out, 1, u.w, in, back[lo*in:], in, false)
		})
		for c := range l.Out {
			for a := range l.In {
				d.weight[c*l.In+a] += T(total[c*in+a])
			}
			d.bias[c] += T(total[each+c])
		}
		g = back
	}
	return g
}

// normBackward takes g from the output of the ReLU to z.
func (u *denseLayers[T]) normBackward(run parallel.Run, n int, l *layer[T], d part[T], z, a, g []T) {
	out := wide(l.Out)
	u.spread(l, out)
	total := reduce(run, n, denseBlock, 2*out, &u.partial, func(lo, hi int, sum []T) {
		normSums(hi-lo, out, g[lo*out:], a[lo*out:], z[lo*out:], u.coeff[2], sum[:out], sum[out:])
	})
	count := float64(n)
	for c := range l.Out {
		dgamma := total[out+c] / l.deviation(c)
		d.gamma[c] += T(dgamma)
		d.beta[c] += T(total[c])
		k1 := l.scale[c] * dgamma / (count * l.deviation(c))
		u.coeff[1][c] = T(l.scale[c]*total[c]/count - k1*l.mean[c])
		u.coeff[3][c] = T(k1)
	}
	run.Do(n, denseBlock, func(lo, hi int) {
		normApply(hi-lo, out, g[lo*out:], z[lo*out:], u.coeff[0], u.coeff[1], u.coeff[3])
	})
}
