package lpe

import (
	"math"

	"superpoint/embed"
	"superpoint/partition/arithmetic"
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
		first := net.lpe.conv[0]
		if len(net.st.fc) > 0 {
			first = net.transform(s, p, scratch[3*size:], &buf)
		}
		e := net.lpe.run(&first, net.rows, s, net.channels, p, &buf)
		normalise(e[:net.dim], out[i*net.dim:(i+1)*net.dim])
	}
}

// transform computes Ω, writes its entries among the point channels and returns
// the embedder's first convolution with the weights of x and y multiplied by it:
// W (p Ω) = (W Ωᵀ) p.
func (net *network) transform(set, point, turned []float32, buf *buffers) layer {
	first := net.lpe.conv[0]
	o := net.st.run(&net.st.conv[0], net.rows, set, net.channels, nil, buf)
	xx, xy, yx, yy := o[0]+1, o[1], o[2], o[3]+1
	for k, v := range [4]float32{xx, xy, yx, yy} {
		if net.omega[k] >= 0 {
			point[net.omega[k]] = v
		}
	}
	copy(turned, first.weight)
	x, y := first.weight[:first.wide], first.weight[first.wide:2*first.wide]
	for k := range x {
		turned[k] = arithmetic.FMA(xx, x[k], xy*y[k])
		turned[first.wide+k] = arithmetic.FMA(yx, x[k], yy*y[k])
	}
	first.weight = turned[:len(first.weight)]
	return first
}

// run applies the PointNet to one set, whose rows are stride apart, and to the
// point channels that join after the maximum. first stands for its first
// convolution. It returns the last layer's values.
func (u *pointNet) run(first *layer, rows int, set []float32, stride int, point []float32, buf *buffers) []float32 {
	in, final := set, first
	for i := range len(u.conv) - 1 {
		l, to := final, buf[i%2]
		for r := range rows {
			l.apply(in[r*stride:], to[r*l.wide:(r+1)*l.wide])
		}
		in, stride, final = to, l.wide, &u.conv[i+1]
	}
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
	copy(out, l.bias)
	l.products(in, out)
	l.rectify(out)
}

// pool computes the maximum over rows. Adding a bias and rectifying keep the
// order of values, so they are done once, after the maximum.
func (l *layer) pool(rows int, in []float32, stride int, row, out []float32) {
	row = row[:l.wide]
	for o := range out {
		out[o] = float32(math.Inf(-1))
	}
	for r := range rows {
		clear(row)
		l.products(in[r*stride:], row)
		for o, v := range row {
			if v > out[o] {
				out[o] = v
			}
		}
	}
	for o, v := range out {
		out[o] = v + l.bias[o]
	}
	l.rectify(out)
}

// products adds W x to out, input by input, as arithmetic.FMA does. Outputs that
// pad the layer have weights of 0 and are left out.
func (l *layer) products(in, out []float32) {
	for i := range l.in {
		x, w := float64(in[i]), l.weight[i*l.wide:i*l.wide+l.out]
		out := out[:len(w)]
		for o := range w {
			p, c := x*float64(w[o]), float64(out[o])
			s := p + c
			if arithmetic.Unsure(s) {
				out[o] = arithmetic.Odd(p, c)
				continue
			}
			out[o] = float32(s)
		}
	}
}

func (l *layer) rectify(x []float32) {
	if !l.relu {
		return
	}
	for o, v := range x {
		if !(v > 0) {
			x[o] = 0
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
