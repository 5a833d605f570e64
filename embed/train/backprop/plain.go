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

// axpy adds f·x to y.
func axpy[T Real](f T, x, y []T) {
	if f == 0 {
		return
	}
	for j, v := range x {
		y[j] += f * v
	}
}

func (plain[T]) moments(rows, s int, x, sum, square []T) {
	for i := range rows {
		row := x[i*s : (i+1)*s]
		for a, v := range row {
			sum[a] += v
			axpy(v, row, square[a*s:(a+1)*s])
		}
	}
}

// hidden computes one row of the hidden layer.
func hidden[T Real](s, c1 int, x, w1, t1, a []T) {
	copy(a, t1[:c1])
	for d := range s {
		axpy(x[d], w1[d*c1:(d+1)*c1], a)
	}
	for h, v := range a {
		a[h] = max(v, 0)
	}
}

func (p plain[T]) setMoments(rows, s, c1 int, x, w1, t1, sum, square []T) {
	a := make([]T, c1)
	for i := range rows {
		hidden(s, c1, x[i*s:], w1, t1, a)
		p.moments(1, c1, a, sum, square)
	}
}

func (plain[T]) setMax(n int, u *setShape, x, w1, t1, w2, t2, out []T, arg []uint8) {
	a, z := make([]T, u.c1), make([]T, u.c2)
	for i := range n {
		best, at := out[i*u.c2:(i+1)*u.c2], arg[i*u.c2:(i+1)*u.c2]
		for j := range u.k {
			hidden(u.s, u.c1, x[(i*u.k+j)*u.s:], w1, t1, a)
			clear(z)
			for h, v := range a {
				axpy(v, w2[h*u.c2:(h+1)*u.c2], z)
			}
			for c, v := range z {
				if j == 0 || v > best[c] {
					best[c], at[c] = v, uint8(j)
				}
			}
		}
		for c := range best {
			best[c] = max(0, best[c]+t2[c])
		}
	}
}

func (plain[T]) setSparse(n int, u *setShape, x, w1, t1, g []T, arg []uint8, gsum, gouter []T) {
	a := make([]T, u.k*u.c1)
	for i := range n {
		hiddenRows(u, x[i*u.k*u.s:], w1, t1, a)
		for c := range u.c2 {
			v := g[i*u.c2+c]
			gsum[c] += v
			j := int(arg[i*u.c2+c])
			axpy(v, a[j*u.c1:(j+1)*u.c1], gouter[c*u.c1:(c+1)*u.c1])
		}
	}
}

// hiddenRows computes the hidden layer of all neighbours of a point.
func hiddenRows[T Real](u *setShape, x, w1, t1, a []T) {
	for j := range u.k {
		hidden(u.s, u.c1, x[j*u.s:], w1, t1, a[j*u.c1:(j+1)*u.c1])
	}
}

func (plain[T]) setBack(n int, u *setShape, x, w1, t1, w2t, g []T, arg []uint8, offset, q, p []T, sp int, ysum, youter,
	pouter []T) {
	a, y := make([]T, u.k*u.c1), make([]T, u.k*u.c1)
	for i := range n {
		rows := x[i*u.k*u.s:]
		hiddenRows(u, rows, w1, t1, a)
		for j := range u.k {
			d := y[j*u.c1 : (j+1)*u.c1]
			copy(d, offset[:u.c1])
			for h := range u.c1 {
				axpy(a[j*u.c1+h], q[h*u.c1:(h+1)*u.c1], d)
			}
		}
		for c := range u.c2 {
			j := int(arg[i*u.c2+c])
			axpy(g[i*u.c2+c], w2t[c*u.c1:(c+1)*u.c1], y[j*u.c1:(j+1)*u.c1])
		}
		var out []T
		if p != nil {
			out = pouter[i*2*u.c1 : (i+1)*2*u.c1]
			clear(out)
		}
		for j := range u.k {
			d := y[j*u.c1 : (j+1)*u.c1]
			for h := range d {
				if !(a[j*u.c1+h] > 0) {
					d[h] = 0
				}
			}
			axpy(1, d, ysum)
			for e := range u.s {
				axpy(rows[j*u.s+e], d, youter[e*u.c1:(e+1)*u.c1])
			}
			if p != nil {
				at := (i*u.k + j) * sp
				axpy(p[at], d, out[:u.c1])
				axpy(p[at+1], d, out[u.c1:])
			}
		}
	}
}

func (plain[T]) columnMoments(n, c int, z, mean, square []T) {
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

func (plain[T]) affineRelu(n, c int, z, s, t, out []T) {
	for i := range n {
		for j, v := range z[i*c : (i+1)*c] {
			out[i*c+j] = max(0, v*s[j]+t[j])
		}
	}
}

func (plain[T]) normSums(n, c int, g, out, z, mean, sum, dot []T) {
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

func (plain[T]) normApply(n, c int, g, z, s, k0, k1 []T) {
	for i := range n {
		for j := range c {
			at := i*c + j
			g[at] = s[j]*g[at] - k0[j] - k1[j]*z[at]
		}
	}
}
