// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"sync"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// setBlock is the number of points a worker takes at a time, fixed so that
// sums do not depend on the number of threads.
const setBlock = 256

// setLayers is two layers on every neighbour and the maximum over them.
type setLayers[T Real] struct {
	shape          setShape
	chain          *denseLayers[T] // of both layers
	chains         sync.Pool       // copies of chain, which compute with group normalisation
	hidden, second *layer[T]

	input, inner sums // moments of x and of the hidden layer
	w1, t1       []T  // folded hidden layer, s × c1
	a            []T  // relu(w1 x + t1), points × neighbours × c1
	w2, w2t, t2  []T  // folded second layer, c1 × c2 and c2 × c1
	out          []T
	arg          []uint8
	partial      []T
	flat         []T // input of the spatial transform, kept for backward
}

// forward computes n × c2 values from x, n × k × s.
func (u *setLayers[T]) forward(run parallel.Run, k kernels[T], n int, x, params []T) {
	s := &u.shape
	u.out = arrays.Resized(u.out, n*s.c2)
	u.arg = arrays.Resized(u.arg, n*s.c2)
	if u.hidden.Groups > 0 {
		u.groupForward(run, k, n, x, params)
		return
	}
	p1 := u.hidden.part(params)
	p2 := u.second.part(params)
	rows, inner := s.k*s.s, s.k*s.c1 // values of a point
	u.total(run, n, &u.input, s.s, func(lo, hi int, sum, square []T) {
		addMoments(k, (hi-lo)*s.k, s.s, x[lo*rows:hi*rows], sum, square)
	})
	u.hidden.moments(p1, &u.input)
	u.hidden.normalise(p1)
	u.w1 = arrays.Resized(u.w1, s.s*s.c1)
	u.t1 = arrays.Resized(u.t1, s.c1)
	fold(u.hidden, p1, nil, u.w1, u.t1)
	u.a = arrays.Resized(u.a, n*inner)
	u.total(run, n, &u.inner, s.c1, func(lo, hi int, sum, square []T) {
		a := u.a[lo*inner : hi*inner]
		u.activate(k, hi-lo, x[lo*rows:], a)
		addMoments(k, (hi-lo)*s.k, s.c1, a, sum, square)
	})
	u.second.moments(p2, &u.inner)
	u.second.normalise(p2)
	u.w2 = arrays.Resized(u.w2, s.c1*s.c2)
	u.w2t = arrays.Resized(u.w2t, s.c1*s.c2)
	u.t2 = arrays.Resized(u.t2, s.c2)
	fold(u.second, p2, u.w2t, u.w2, u.t2)
	run.Do(n, setBlock, func(lo, hi int) {
		k.setMax(hi-lo, s, u.a[lo*inner:], u.w2, u.t2, u.out[lo*s.c2:], u.arg[lo*s.c2:])
	})
}

// fold writes the layer with its normalisation folded in: across is in × out,
// along out × in.
func fold[T Real](l *layer[T], p part[T], along, across, shift []T) {
	for c := range l.Out {
		for a := range l.In {
			v := T(l.scale[c] * float64(p.weight[c*l.In+a]))
			across[a*l.Out+c] = v
			if along != nil {
				along[c*l.In+a] = v
			}
		}
		shift[c] = T(l.shift[c])
	}
}

// total adds the moments of every block in order.
func (u *setLayers[T]) total(run parallel.Run, n int, into *sums, width int,
	block func(lo, hi int, sum, square []T)) {
	each := width + width*width
	total := reduce(run, n, setBlock, each, &u.partial, func(lo, hi int, sum []T) {
		block(lo, hi, sum[:width], sum[width:])
	})
	into.count = float64(n * u.shape.k)
	into.sum = total[:width]
	into.square = total[width:]
}

// reduce runs body on every block with a zeroed array of its own and adds the
// arrays in the blocks' order.
func reduce[T Real](run parallel.Run, n, block, each int, scratch *[]T,
	body func(lo, hi int, sum []T)) []float64 {
	blocks := (n + block - 1) / block
	*scratch = arrays.Resized(*scratch, blocks*each)
	sums := *scratch
	run.Do(n, block, func(lo, hi int) {
		at := lo / block * each
		own := sums[at : at+each]
		clear(own)
		body(lo, hi, own)
	})
	total := make([]float64, each)
	for b := range blocks {
		for i, v := range sums[b*each : (b+1)*each] {
			total[i] += float64(v)
		}
	}
	return total
}

// backward adds the parameters' gradient, given g, the gradient at out, which
// it masks with the ReLU. If p is given (rows of sp channels, the offsets
// before the spatial transform) it returns the gradient at Ω, n × 4.
func (u *setLayers[T]) backward(run parallel.Run, k kernels[T], n int, x, params, grad, g, p []T, sp int,
	omega []T) {
	if u.hidden.Groups > 0 {
		u.groupBackward(run, k, n, x, params, grad, g, p, sp, omega)
		return
	}
	s := &u.shape
	p1 := u.hidden.part(params)
	p2 := u.second.part(params)
	g1 := u.hidden.part(grad)
	g2 := u.second.part(grad)
	rows, inner := s.k*s.s, s.k*s.c1
	sparse := reduce(run, n, setBlock, s.c2+s.c2*s.c1, &u.partial, func(lo, hi int, sum []T) {
		own := g[lo*s.c2 : hi*s.c2]
		for i, v := range u.out[lo*s.c2 : hi*s.c2] {
			if !(v > 0) {
				own[i] = 0
			}
		}
		u.sparse(hi-lo, u.a[lo*inner:], own, u.arg[lo*s.c2:], sum[:s.c2], sum[s.c2:])
	})
	k0, k1 := u.second.normGradient(p2, g2, &u.inner, sparse[:s.c2], sparse[s.c2:])
	offset, slope := u.affine(u.second, p2, k0, k1)
	var pouter []T
	if p != nil {
		pouter = make([]T, n*2*s.c1)
	}
	dense := reduce(run, n, setBlock, s.c1+s.s*s.c1, &u.partial, func(lo, hi int, sum []T) {
		var raw, out []T
		if p != nil {
			raw, out = p[lo*s.k*sp:], pouter[lo*2*s.c1:]
		}
		u.back(k, hi-lo, x[lo*rows:], u.a[lo*inner:], g[lo*s.c2:], u.arg[lo*s.c2:], offset, slope, raw,
			sp, sum[:s.c1],
			sum[s.c1:], out)
	})
	outer := make([]float64, s.c1*s.s)
	for e := range s.s {
		for h := range s.c1 {
			outer[h*s.s+e] = dense[s.c1+e*s.c1+h]
		}
	}
	k0, k1 = u.hidden.normGradient(p1, g1, &u.input, dense[:s.c1], outer)
	if p != nil {
		u.omegaGradient(run, n, x, p, sp, pouter, p1, k0, k1, omega)
	}
}

// affine returns −Wᵀk0 and −Wᵀ diag(k1) W, the part of the gradient at a
// layer's input that every row has.
func (u *setLayers[T]) affine(l *layer[T], p part[T], k0, k1 []float64) (offset, slope []T) {
	n := l.In
	o := make([]float64, n)
	q := make([]float64, n*n)
	for c := range l.Out {
		w := p.weight[c*n : (c+1)*n]
		for a, x := range w {
			o[a] -= float64(x) * k0[c]
			for b, y := range w {
				q[a*n+b] -= float64(x) * float64(y) * k1[c]
			}
		}
	}
	return convert[T](o), convert[T](q)
}

func convert[T Real](x []float64) []T {
	y := make([]T, len(x))
	assign(y, x)
	return y
}

// omegaGradient completes the gradient at the 2 × 2 matrix Ω of every point,
// where the first two channels of x are p·Ω: dΩ = Σ_j p_j dx_jᵀ.
func (u *setLayers[T]) omegaGradient(run parallel.Run, n int, x, p []T, sp int, pouter []T, p1 part[T], k0,
	k1 []float64, omega []T) {
	s := &u.shape
	all, allSlope := u.affine(u.hidden, p1, k0, k1) // s, s × s
	run.Each(n, setBlock, func(i int) {
		out := omega[4*i : 4*i+4]
		for a := range 2 {
			y := pouter[(2*i+a)*s.c1 : (2*i+a+1)*s.c1]
			for b := range 2 {
				out[2*a+b] = dot(y, u.w1[b*s.c1:(b+1)*s.c1])
			}
		}
		for j := range s.k {
			row := x[(i*s.k+j)*s.s : (i*s.k+j+1)*s.s]
			at := (i*s.k + j) * sp
			for b := range 2 {
				d := all[b] + dot(row, allSlope[b*s.s:(b+1)*s.s])
				out[b] += p[at] * d
				out[2+b] += p[at+1] * d
			}
		}
	})
}

func dot[T Real](a, b []T) T {
	var s T
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
