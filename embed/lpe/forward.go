package lpe

import (
	"math"

	"superpoint/embed"
)

// buffers are a kernel's activations; each holds net.rows rows of the widest
// layer.
type buffers [3][]float32

// plain is the plain Go kernel, the twin of the one in C.
func plain(net *network, inputs *embed.Inputs, lo, hi int, out, scratch []float32) {
	set, point, scratch := net.split(scratch)
	for i := lo; i < hi; i += batch {
		n := min(batch, hi-i)
		inputs.GatherRange(i, i+n, net.rows, set, point) // repeated rows leave the maximum as it is
		forward(net, n, set, point, out[(i-lo)*net.dim:], scratch)
	}
}

// forward embeds n ≤ batch points. set holds net.rows × net.channels values per
// point, point net.points.
func forward(net *network, n int, set, point, out, scratch []float32) {
	var buf buffers
	size := net.rows * net.widest()
	for i := range buf {
		buf[i] = scratch[i*size : (i+1)*size]
	}
	row := net.rows * net.channels
	for i := range n {
		s, p := set[i*row:(i+1)*row], point[i*net.points:(i+1)*net.points]
		if len(net.st.fc) > 0 {
			net.transform(s, p, &buf)
		}
		e := net.lpe.run(net.rows, s, net.channels, p, &buf)
		normalise(e[:net.dim], out[i*net.dim:(i+1)*net.dim])
	}
}

// transform computes Ω, writes its entries among the point channels and
// applies it to the set's x and y.
func (net *network) transform(set, point []float32, buf *buffers) {
	o := net.st.run(net.rows, set, net.channels, nil, buf)
	xx, xy, yx, yy := o[0]+1, o[1], o[2], o[3]+1
	for k, v := range [4]float32{xx, xy, yx, yy} {
		if net.omega[k] >= 0 {
			point[net.omega[k]] = v
		}
	}
	for r := range net.rows {
		p := set[r*net.channels : r*net.channels+2]
		p[0], p[1] = p[0]*xx+p[1]*yx, p[0]*xy+p[1]*yy
	}
}

// run applies the unit to one set, whose rows are stride apart, and to the
// point channels that join after the maximum. It returns the last layer's
// values.
func (u *unit) run(rows int, set []float32, stride int, point []float32, buf *buffers) []float32 {
	in := set
	for i := range len(u.conv) - 1 {
		l, to := &u.conv[i], buf[i%2]
		for r := range rows {
			l.apply(in[r*stride:], to[r*l.wide:(r+1)*l.wide])
		}
		in, stride = to, l.wide
	}
	final := &u.conv[len(u.conv)-1]
	x := buf[2][:final.wide+len(point)]
	final.pool(rows, in, stride, buf[(len(u.conv)-1)%2], x[:final.wide])
	copy(x[final.wide:], point)
	for i := range u.fc {
		l := &u.fc[i]
		to := buf[i%2][:l.wide]
		l.apply(x, to)
		x = to
	}
	return x
}

// apply computes one row.
func (l *layer) apply(in, out []float32) {
	l.products(in, out)
	for o, v := range out {
		out[o] = v + l.bias[o]
	}
	l.rectify(out)
}

// pool computes the maximum over rows. Adding a bias and rectifying keep the
// order of values, so they are done once, after the maximum.
func (l *layer) pool(rows int, in []float32, stride int, row, out []float32) {
	row = row[:l.wide]
	for r := range rows {
		l.products(in[r*stride:], row)
		if r == 0 {
			copy(out, row)
			continue
		}
		for o, v := range row {
			out[o] = max(out[o], v)
		}
	}
	for o, v := range out {
		out[o] = v + l.bias[o]
	}
	l.rectify(out)
}

// products computes W x.
func (l *layer) products(in, out []float32) {
	clear(out)
	for i := range l.in {
		x, w := in[i], l.weight[i*l.wide:(i+1)*l.wide]
		for o := range w {
			out[o] += x * w[o]
		}
	}
}

func (l *layer) rectify(x []float32) {
	if l.relu {
		for o, v := range x {
			x[o] = max(v, 0)
		}
	}
}

// normalise scales x to length 1. A vector without a direction becomes the
// first axis.
func normalise(x, out []float32) {
	var square float64
	for _, v := range x {
		square += float64(v) * float64(v)
	}
	if !(square > 0) || math.IsInf(square, 1) {
		clear(out)
		out[0] = 1
		return
	}
	scale := 1 / math.Sqrt(square)
	for i, v := range x {
		out[i] = float32(float64(v) * scale)
	}
}
