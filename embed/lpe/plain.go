// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/embed/layout"
)

// plain is the kernel in plain Go, the reference of those in C and CUDA.
var plain = kernel{plainRows, func(*network) int { return 0 }, plainEmbed}

func plainRows(n *network, columns []float32, count int, rows []int16) {
	hidden := int(n.layout.Hidden)
	sum := make([]int32, hidden)
	for i := range count {
		row := rows[i*n.stride : (i+1)*n.stride]
		clear(sum)
		for c := range n.kept {
			v := fixed(columns[i*n.kept+c], n.layout.Scale[c])
			row[hidden+c] = int16(v)
			for o := range sum {
				sum[o] += v * n.near[c*hidden+o]
			}
		}
		for o, v := range sum {
			row[o] = int16((v + 1<<15) >> 16)
		}
	}
}

func plainEmbed(n *network, inputs *embed.Inputs, s *chunk, w *worker, lo, hi int, out []float32) {
	p := plainPoint{n: n, inputs: inputs, chunk: s, sum: make([]int32, n.layout.Hidden)}
	dim, wide := int(n.layout.Dim), n.width-n.kept
	for i := lo; i < hi; i++ {
		p.gather(i, w.context[(i-lo)*wide:(i-lo+1)*wide])
		if len(n.st.fc) > 0 {
			p.transform()
		}
		e := n.lpe.run(p.relative, p.embedderSums, p.point)
		normalise(e[:dim], out[(i-lo)*dim:(i-lo+1)*dim])
	}
}

// plainPoint has the inputs of the network at one point.
type plainPoint struct {
	n        *network
	inputs   *embed.Inputs
	chunk    *chunk
	near     [][]int16  // rows of the neighbours
	relative [][6]int32 // relative channels of the neighbours
	point    []int32
	own      []int32 // bias of the embedder's first convolution, and columns at the point
	sum      []int32
}

// gather computes a point's channels in fixed point.
func (p *plainPoint) gather(i int, context []float32) {
	d := &p.n.layout
	hidden, stride := int(d.Hidden), p.n.stride
	row := func(j uint32) []int16 {
		at := int(p.chunk.number(j))
		return p.chunk.rows[at*stride : (at+1)*stride]
	}
	var offsets [layout.MostNeighbors][3]float32
	m := p.inputs.Measure(i, offsets[:])
	self := row(uint32(i))[hidden:]
	p.near = p.near[:0]
	p.relative = p.relative[:0]
	p.point = p.point[:0]
	for r := range p.inputs.Neighbors {
		near := row(m.Near[r%len(m.Near)])
		var x [6]int32
		for a := range 3 {
			x[a] = fixed(offsets[r][a]*m.Scale, 1<<layout.PositionExponent)
		}
		if d.Normal >= 0 {
			x[3] = turn(self[d.Normal:], near[hidden+int(d.Normal):])
		}
		if d.Rise > 0 {
			x[4] = fixed(min(max(offsets[r][2], -layout.HighestRise), layout.HighestRise),
				1<<layout.PositionExponent)
		}
		p.near = append(p.near, near)
		p.relative = append(p.relative, x)
	}
	for h, source := range p.n.channels {
		column := int(source.Column)
		switch {
		case source.Channel == layout.Column && column < p.n.kept:
			p.point = append(p.point, int32(self[column]))
		case source.Channel == layout.Column:
			p.point = append(p.point, fixed(context[column-p.n.kept], d.Scale[column]))
		default:
			p.point = append(p.point, fixed(m.Channel(source.Channel), d.Point[h]))
		}
	}
	p.own = append(p.own[:0], p.n.lpe.conv[0].bias...)
	if p.n.own != nil {
		for c := range p.n.kept {
			for o := range p.own {
				p.own[o] += int32(self[c]) * p.n.own[c*hidden+o]
			}
		}
	}
}

// turn returns 1 − |a · b| of two normals.
func turn(a, b []int16) int32 {
	dot := int32(a[0])*int32(b[0]) + int32(a[1])*int32(b[1]) + int32(a[2])*int32(b[2])
	return max(1<<layout.NormalExponent-max(dot, -dot)>>layout.NormalExponent, 0)
}

// transform computes Ω, multiplies x and y by it and writes its entries to the point
// channels.
func (p *plainPoint) transform() {
	st := &p.n.st
	o := st.run(p.relative, func(_ int, x *[6]int32) []int32 {
		return st.conv[0].add(x[:2], slices.Clone(st.conv[0].bias))
	}, nil)
	for k := range o[:4] {
		o[k] = min(max(o[k], -1<<15+1), 1<<15-1)
		if at := p.n.layout.Omega[k]; at >= 0 {
			p.point[at] = o[k]
		}
	}
	for r := range p.relative {
		x := &p.relative[r]
		x[0], x[1] = turned(x[0], x[1], o[0], o[2]), turned(x[0], x[1], o[1], o[3])
	}
}

func turned(x, y, a, b int32) int32 {
	const half = 1 << (layout.PositionExponent - 1)
	return min(max((x*a+y*b+half)>>layout.PositionExponent, -1<<15+1), 1<<15-1)
}

// embedderSums returns the sums of the embedder's first convolution for neighbour r.
func (p *plainPoint) embedderSums(r int, x *[6]int32) []int32 {
	first := &p.n.lpe.conv[0]
	for o := range p.sum {
		p.sum[o] = p.own[o] + int32(p.near[r][o])<<16
	}
	return first.add(x[:first.in], p.sum)
}

// run applies a PointNet to neighbours, the sums of whose first convolution sums computes,
// and to the point channels, which are appended after the maximum.
func (u *pointNet) run(set [][6]int32, sums func(r int, x *[6]int32) []int32, point []int32) []int32 {
	final := &u.conv[len(u.conv)-1]
	var most []int32
	for r := range set {
		x := u.conv[0].finish(sums(r, &set[r]))
		for i := 1; i < len(u.conv)-1; i++ {
			x = u.conv[i].apply(x)
		}
		y := final.add(x, make([]int32, final.wide))
		if most == nil {
			most = y
		}
		for o := range most {
			most[o] = max(most[o], y[o])
		}
	}
	for o := range most {
		most[o] += final.bias[o]
	}
	x := append(final.finish(most), point...)
	for i := range u.fc {
		x = u.fc[i].apply(x)
	}
	return x
}

// apply computes the layer for one row.
func (l *layer) apply(x []int32) []int32 { return l.finish(l.add(x, slices.Clone(l.bias))) }

// add adds the weighted inputs to sums, and returns these.
func (l *layer) add(x, sum []int32) []int32 {
	for i, v := range x {
		w := l.weight[i*l.wide : (i+1)*l.wide]
		for o := range w {
			sum[o] += v * w[o]
		}
	}
	return sum
}

// finish shifts and clamps sums in place.
func (l *layer) finish(sum []int32) []int32 {
	for o := range sum {
		sum[o] >>= l.shift[o]
		if l.most > 0 {
			sum[o] = min(max(sum[o], 0), l.most)
		}
	}
	return sum
}

// normalise scales x to length 1. Values are below 2^23, so the sum of up to 64 squares is
// below 2^52 and exact in float64. The zero vector becomes the first axis.
func normalise(x []int32, out []float32) {
	var square float64
	for _, v := range x {
		square += float64(v) * float64(v)
	}
	clear(out)
	if out[0] = 1; !(square > 0) {
		return
	}
	scale := 1 / math.Sqrt(square)
	for i, v := range x {
		out[i] = float32(float64(v) * scale)
	}
}
