package backprop

const (
	denseThreads = 256 // as in dense.cu
	denseEach    = 256 // points a block of sums
	denseDepth   = 512 // points a part of a weight's gradient
	gemmTile     = 64
	gemmShared   = 2 * gemmTile * 16 * 4
)

// deviceDense is a chain of fully connected layers on a machine.
type deviceDense struct {
	*denseLayers[float32]
	zb, ab, back []buffer
	first        uint64    // the chain's input
	coefficient  [3]buffer // a number a channel each
}

func newDeviceDense(u *denseLayers[float32]) (*deviceDense, error) {
	for _, l := range u.layers {
		if l.Out > denseThreads {
			return nil, unfit("a layer of %d outputs, at most %d", l.Out, denseThreads)
		}
	}
	n := len(u.layers)
	return &deviceDense{denseLayers: u, zb: make([]buffer, n), ab: make([]buffer, n), back: make([]buffer, n)}, nil
}

// matrix names numbers v[i·row + t·deep].
type matrix struct {
	at        uint64
	row, deep int
}

// gemm computes rows × columns sums over depth, in parts of each.
func (d *Device) gemm(a, b matrix, rows, columns, depth, each int, bias, to uint64) {
	tiles := func(n int) int { return (n + gemmTile - 1) / gemmTile }
	blocks := tiles(rows) * tiles(columns) * ((depth + each - 1) / each)
	d.task.Launch(denseKernels.Kernel("gemm"), blocks*denseThreads, denseThreads, gemmShared, a.at,
		uint64(a.row), uint64(a.deep), b.at,
		uint64(b.deep), uint64(b.row),
		uint64(rows), uint64(columns), uint64(depth), uint64(each), bias, to)
}

// blocks runs a kernel that sums each rows a block and returns their number.
func (d *Device) sums(kernel string, extra int, arguments ...any) int {
	blocks := (d.points + denseEach - 1) / denseEach
	d.task.Launch(denseKernels.Kernel(kernel), blocks*denseThreads, denseThreads, 4*(denseThreads+extra), arguments...)
	return blocks
}

// input returns what layer i reads.
func (u *deviceDense) input(i int) uint64 {
	if i == 0 {
		return u.first
	}
	return uint64(u.ab[i-1].Pointer)
}

// forward computes points × out values from x, points × in, which must stay
// until backward.
func (u *deviceDense) forward(d *Device, params []float32, x uint64) uint64 {
	u.first = x
	n := d.points
	for i := range u.layers {
		l := &u.layers[i]
		in, out := l.In, l.Out
		z, bias := d.room(&u.zb[i], 4*n*out), uint64(0)
		if !l.Norm {
			bias = d.params.from(l.at + out*in)
		}
		d.gemm(matrix{u.input(i), in, 1}, matrix{d.params.from(l.at), in, 1}, n, out, in, in, bias, z)
		if !l.Norm {
			return z
		}
		partial := d.room(&d.partial, 4*((n+denseEach-1)/denseEach)*2*out)
		d.sums("dense_moments", out, z, uint64(n), uint64(out), denseEach, partial)
		d.each(denseKernels.Kernel("dense_combine"), out, partial, uint64(n), uint64(out), denseEach,
			d.room(&d.total, 8*2*out))
		moments := d.totals(2 * out)
		l.mean, l.variance = moments[:out], moments[out:]
		l.normalise(l.part(params))
		scale, shift := put32(d, &u.coefficient[0], convert[float32](l.scale)), put32(d, &u.coefficient[1],
			convert[float32](l.shift))
		d.each(denseKernels.Kernel("dense_relu"), n*out, z, scale, shift, uint64(n*out), uint64(out),
			d.room(&u.ab[i], 4*n*out))
	}
	return u.input(len(u.layers))
}

// backward adds the parameters' gradient and returns the gradient at the input,
// points × in. g, the gradient at the output, is overwritten.
func (u *deviceDense) backward(d *Device, params, grad []float32, g uint64) uint64 {
	n := d.points
	for i := len(u.layers) - 1; i >= 0; i-- {
		l := &u.layers[i]
		in, out, own := l.In, l.Out, l.part(grad)
		u.normBackward(d, i, own, g)
		d.room(&d.partial, 4*((n+denseDepth-1)/denseDepth)*out*in)
		d.gemm(matrix{g, 1, out}, matrix{u.input(i), 1, in}, out, in, n, denseDepth, 0, uint64(d.partial.Pointer))
		for j, v := range d.sum((n+denseDepth-1)/denseDepth, out*in) {
			own.weight[j] += float32(v)
		}
		back := d.room(&u.back[i], 4*n*in)
		d.gemm(matrix{g, out, 1}, matrix{d.params.from(l.at), 1, in}, n, in, out, out, 0, back)
		g = back
	}
	return g
}

// normBackward takes g from layer i's output to its z. Without normalisation
// that is the same, and only the bias has a gradient.
func (u *deviceDense) normBackward(d *Device, i int, own part[float32], g uint64) {
	l, n := &u.layers[i], d.points
	out, a, z, mean := l.Out, uint64(0), uint64(u.zb[i].Pointer), uint64(0)
	if l.Norm {
		a, mean = uint64(u.ab[i].Pointer), put32(d, &u.coefficient[2], convert[float32](l.mean))
	}
	partial := d.room(&d.partial, 4*((n+denseEach-1)/denseEach)*2*out)
	blocks := d.sums("dense_sums", 0, g, a, z, mean, uint64(n), uint64(out), denseEach, partial)
	total := d.sum(blocks, 2*out)
	if !l.Norm {
		for c := range out {
			own.bias[c] += float32(total[c])
		}
		return
	}
	k0, k1 := make([]float32, out), make([]float32, out)
	for c := range out { // as denseLayers.normBackward
		dgamma := total[out+c] / l.deviation(c)
		own.gamma[c] += float32(dgamma)
		own.beta[c] += float32(total[c])
		slope := l.scale[c] * dgamma / (float64(n) * l.deviation(c))
		k0[c], k1[c] = float32(l.scale[c]*total[c]/float64(n)-slope*l.mean[c]), float32(slope)
	}
	scale := put32(d, &u.coefficient[0], convert[float32](l.scale))
	d.each(denseKernels.Kernel("dense_apply"), n*out, g, z, scale, put32(d, &u.coefficient[1], k0), put32(d,
		&u.coefficient[2], k1),
		uint64(n*out), uint64(out))
}
