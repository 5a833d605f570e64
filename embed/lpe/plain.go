// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/embed/layout"
)

// plain is the kernel in plain Go, the reference for the kernels in C and CUDA.
//
// It needs no scratch memory: its slices are allocated as they are needed, which is slow and easy to check.
var plain = kernel{plainRows, func(*network) int { return 0 }, plainEmbed}

// Shapes: columns count × kept; a row has hidden sums, then the columns in fixed point. A sum is kept without
// its lower 16 bits, rounded, because the row of a neighbor is read k times and should be small. The bounds
// of weights (embed.mostFirst) keep it within 32 bits, and the rounded one within 16.
func plainRows(n *network, columns []float32, count int, rows []int16) {
	hidden := int(n.layout.Hidden)
	sum := make([]int32, hidden)
	for i := range count {
		row := rows[i*n.stride : (i+1)*n.stride]
		clear(sum)
		for c := range n.kept {
			// Float to fixed point happens once for each number, here and in gather. All that follows is in
			// integers.
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

// Context columns are read for the point only, not for its neighbors. So they are not in rows, but computed
// for the points of a block (worker.context), and have the indices from kept on.
func plainEmbed(n *network, inputs *embed.Inputs, s *chunk, w *worker, lo, hi int, out []float32) {
	p := plainPoint{n: n, inputs: inputs, chunk: s, sum: make([]int32, n.layout.Hidden)}
	dim, wide := int(n.layout.Dim), n.width-n.kept
	for i := lo; i < hi; i++ {
		// context has a row for each point of the block, of the columns that are not kept
		p.gather(i, w.context[(i-lo)*wide:(i-lo+1)*wide])
		if len(n.st.fc) > 0 {
			p.transform()
		}
		e := n.lpe.run(p.relative, p.embedderSums, p.point)
		normalise(e[:dim], out[(i-lo)*dim:(i-lo+1)*dim])
	}
}

// plainPoint has the inputs of the network at one point.
//
// Shapes: near and relative have an entry for each of the k neighbors, point one for each point channel, own
// and sum one for each output of the first convolution. All are in fixed point.
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
//
// Steps: (1) the measures of the neighborhood: offsets, radius and the like (Inputs.Measure); (2) relative
// channels of each neighbor; (3) point channels; (4) the part of the first convolution that the point itself
// adds.
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
	// A point with fewer than k neighbors repeats them in order: a maximum over neighbors does not change by
	// a repetition.
	for r := range p.inputs.Neighbors {
		near := row(m.Near[r%len(m.Near)])
		var x [6]int32
		for a := range 3 {
			// m.Scale is the reciprocal of the radius, so that offsets are about 1 in any cloud.
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
		// in the row already, in fixed point
		case source.Channel == layout.Column && column < p.n.kept:
			p.point = append(p.point, int32(self[column]))
		// a context column of the point
		case source.Channel == layout.Column:
			p.point = append(p.point, fixed(context[column-p.n.kept], d.Scale[column]))
		default:
			p.point = append(p.point, fixed(m.Channel(source.Channel), d.Point[h]))
		}
	}
	// It is computed once a point, and is where each neighbor's sum begins (embedderSums).
	p.own = append(p.own[:0], p.n.lpe.conv[0].bias...)
	// Differences of columns: the part −w·column(point), which is the same for all neighbors.
	if p.n.own != nil {
		for c := range p.n.kept {
			for o := range p.own {
				p.own[o] += int32(self[c]) * p.n.own[c*hidden+o]
			}
		}
	}
}

// turn returns 1 − |a · b| of two normals.
//
// A normal has no direction, so that the sign of the product is left out. Normals have 14 bits, their product
// 28, and the shift leaves 14.
func turn(a, b []int16) int32 {
	dot := int32(a[0])*int32(b[0]) + int32(a[1])*int32(b[1]) + int32(a[2])*int32(b[2])
	return max(1<<layout.NormalExponent-max(dot, -dot)>>layout.NormalExponent, 0)
}

// transform computes Ω, multiplies x and y by it and writes its entries to the point
// channels.
//
// Its network reads x and y of the neighbors only, the first two relative channels, before they are turned.
// Its outputs are the entries xx, xy, yx, yy of Ω.
func (p *plainPoint) transform() {
	st := &p.n.st
	o := st.run(p.relative, func(_ int, x *[6]int32) []int32 {
		return st.conv[0].add(x[:2], slices.Clone(st.conv[0].bias))
	}, nil)
	// Ω is kept in 16 bits, as other point channels. The identity is in the bias of the last layer
	// (quantize).
	for k := range o[:4] {
		o[k] = min(max(o[k], -1<<15+1), 1<<15-1)
		if at := p.n.layout.Omega[k]; at >= 0 {
			p.point[at] = o[k]
		}
	}
	for r := range p.relative {
		x := &p.relative[r]
		// The row (x, y) times the matrix Ω, both from the values before.
		x[0], x[1] = turned(x[0], x[1], o[0], o[2]), turned(x[0], x[1], o[1], o[3])
	}
}

// The sum of two products of numbers up to 32767, and half, is below 2³¹. Half is added because >> rounds
// down.
func turned(x, y, a, b int32) int32 {
	const half = 1 << (layout.PositionExponent - 1)
	return min(max((x*a+y*b+half)>>layout.PositionExponent, -1<<15+1), 1<<15-1)
}

// embedderSums returns the sums of the embedder's first convolution for neighbour r.
//
// The kept half of a neighbor's sum returns to its place by 16 bits; rounding has changed it by at most 2¹⁵
// (plainRows).
func (p *plainPoint) embedderSums(r int, x *[6]int32) []int32 {
	first := &p.n.lpe.conv[0]
	for o := range p.sum {
		p.sum[o] = p.own[o] + int32(p.near[r][o])<<16
	}
	return first.add(x[:first.in], p.sum)
}

// run applies a PointNet to neighbours, the sums of whose first convolution sums computes,
// and to the point channels, which are appended after the maximum.
//
// Claim: the bias may be added, and the sum shifted and clamped, after the maximum over neighbors. Reason:
// all three are monotonic and the same for each neighbor, so that they commute with the maximum: max f(x) =
// f(max x). It saves them for all neighbors but one.
func (u *pointNet) run(set [][6]int32, sums func(r int, x *[6]int32) []int32, point []int32) []int32 {
	// A PointNet has at least two convolutions (embed.PointNet), so that final is not the first one.
	final := &u.conv[len(u.conv)-1]
	var most []int32
	for r := range set {
		x := u.conv[0].finish(sums(r, &set[r]))
		for i := 1; i < len(u.conv)-1; i++ {
			x = u.conv[i].apply(x)
		}
		// without the bias, which is added to the maximum
		y := final.add(x, make([]int32, final.wide))
		// The maximum starts at the first neighbor and not at 0, because sums may all be negative.
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
	// most has padded width, so point channels are where transposed has put their weights.
	x := append(final.finish(most), point...)
	// The last layer is not clamped (most is 0): entries of Ω and of embeddings have both signs.
	for i := range u.fc {
		x = u.fc[i].apply(x)
	}
	return x
}

// apply computes the layer for one row.
func (l *layer) apply(x []int32) []int32 { return l.finish(l.add(x, slices.Clone(l.bias))) }

// add adds the weighted inputs to sums, and returns these.
//
// Products fit: |Σ w·x| is below 2³¹ for each layer of a valid model (embed.IntegerWeights.Load), in any
// order of terms.
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
//
// An arithmetic shift rounds to −∞, as shifts of vectors do, in Go, C and CUDA.
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
//
// The square root and the division of IEEE 754 are rounded correctly, so that their bits are the same on
// every processor.
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
