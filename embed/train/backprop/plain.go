// SPDX-License-Identifier: BSD-3-Clause

package backprop

// plain holds the kernels in plain Go.
type plain[T Real] struct{}

func (plain[T]) gemm(n, m, k int, a []T, ar, ak int, b []T, ldb int, c []T, ldc int, accumulate bool) {
	for i := range n {
		row := c[i*ldc : i*ldc+m]
		if !accumulate {
			clear(row)
		}
		for t := range k {
			axpy(a[i*ar+t*ak], b[t*ldb:t*ldb+m], row)
		}
	}
}

func (k plain[T]) setMax(n int, s *setShape, a, w2, t2, out []T, arg []uint8) {
	z := make([]T, s.c2)
	for i := range n * s.k {
		at, j := i/s.k*s.c2, i%s.k
		best, arg := out[at:at+s.c2], arg[at:at+s.c2]
		k.gemm(1, s.c2, s.c1, a[i*s.c1:], s.c1, 1, w2, s.c2, z, s.c2, false)
		for c, v := range z {
			if j == 0 || v > best[c] {
				best[c] = v
				arg[c] = uint8(j)
			}
		}
	}
	for i, v := range out[:n*s.c2] {
		out[i] = max(0, v+t2[i%s.c2])
	}
}

// axpy adds f·x to y.
func axpy[T Real](f T, x, y []T) {
	if f == 0 {
		return
	}
	for j, v := range x {
		y[j] += f * v
	}
}

// addMoments adds Σx and Σxxᵀ over rows of a width.
func addMoments[T Real](k kernels[T], rows, width int, x, sum, square []T) {
	addRows(rows, width, x, sum)
	k.gemm(width, width, rows, x, 1, width, x, width, square, width, true)
}

// addRows adds up rows of a width.
func addRows[T Real](rows, width int, x, sum []T) {
	for i := range rows {
		axpy(1, x[i*width:(i+1)*width], sum)
	}
}

// activate computes the hidden layer of all neighbours of n points.
func (u *setLayers[T]) activate(k kernels[T], n int, x, a []T) {
	s := &u.shape
	for i := range n * s.k {
		copy(a[i*s.c1:], u.t1)
	}
	k.gemm(n*s.k, s.c1, s.s, x, s.s, 1, u.w1, s.c1, a, s.c1, true)
	for i, v := range a[:n*s.k*s.c1] {
		a[i] = max(v, 0)
	}
}

// sparse adds Σ g and Σ g aᵀ (c2 × c1) of n points, a taken at the neighbour of the maximum.
func (u *setLayers[T]) sparse(n int, a, g []T, arg []uint8, gsum, gouter []T) {
	s := &u.shape
	for i, v := range g[:n*s.c2] {
		c, at := i%s.c2, (i/s.c2*s.k+int(arg[i]))*s.c1
		gsum[c] += v
		axpy(v, a[at:at+s.c1], gouter[c*s.c1:(c+1)*s.c1])
	}
}

// back computes the gradient at the hidden layer,
//
//	y = [a > 0] (offset + q a + Σ_c g_c w2t_c [c's maximum is here]),
//
// adds Σy and Σ x yᵀ (s × c1), and, if p is given, writes Σ_j p_j y_jᵀ (2 × c1) of every point for the first
// two entries of p's rows of sp.
func (u *setLayers[T]) back(k kernels[T], n int, x, a, g []T, arg []uint8, offset, q, p []T, sp int,
	ysum, youter,
	pouter []T) {
	s := &u.shape
	rows := n * s.k
	y := make([]T, n*s.k*s.c1)
	for i := range rows {
		copy(y[i*s.c1:], offset)
	}
	k.gemm(rows, s.c1, s.c1, a, s.c1, 1, q, s.c1, y, s.c1, true)
	for i, v := range g[:n*s.c2] {
		c, at := i%s.c2, (i/s.c2*s.k+int(arg[i]))*s.c1
		axpy(v, u.w2t[c*s.c1:(c+1)*s.c1], y[at:at+s.c1])
	}
	for i, v := range a[:len(y)] {
		active := 0 // half of the branches on it would be mispredicted
		if v > 0 {
			active = 1
		}
		y[i] *= T(active)
	}
	addRows(rows, s.c1, y, ysum)
	k.gemm(s.s, s.c1, rows, x, 1, s.s, y, s.c1, youter, s.c1, true)
	for i := 0; p != nil && i < n; i++ {
		k.gemm(2, s.c1, s.k, p[i*s.k*sp:], 1, sp, y[i*s.k*s.c1:], s.c1, pouter[i*2*s.c1:], s.c1, false)
	}
}

// columnMoments writes the mean of every column and Σ(z − mean)².
func columnMoments[T Real](n, c int, z, mean, square []T) {
	clear(mean[:c])
	clear(square[:c])
	for i := range n {
		axpy(1/T(n), z[i*c:(i+1)*c], mean)
	}
	for i := range n {
		for j, v := range z[i*c : (i+1)*c] {
			d := v - mean[j]
			square[j] += d * d
		}
	}
}

// affineRelu writes max(0, s z + t).
func affineRelu[T Real](n, c int, z, s, t, out []T) {
	for i := range n {
		for j, v := range z[i*c : (i+1)*c] {
			out[i*c+j] = max(0, v*s[j]+t[j])
		}
	}
}

// normSums sets g to 0 where out is 0 and adds Σg and Σg(z − mean).
func normSums[T Real](n, c int, g, out, z, mean, sum, dot []T) {
	for i := range n {
		for j := range c {
			at := i*c + j
			if !(out[at] > 0) {
				g[at] = 0
			}
			sum[j] += g[at]
			dot[j] += g[at] * (z[at] - mean[j])
		}
	}
}

// normApply writes g = s g − k0 − k1 z.
func normApply[T Real](n, c int, g, z, s, k0, k1 []T) {
	for i := range n {
		for j := range c {
			at := i*c + j
			g[at] = s[j]*g[at] - k0[j] - k1[j]*z[at]
		}
	}
}
