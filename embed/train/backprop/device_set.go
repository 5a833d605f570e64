package backprop

import (
	"superpoint/embed/layout"
	"superpoint/partition/arrays"
	"superpoint/partition/device"
)

const (
	setThreads = 128      // as in set.cu
	setEach    = 64       // points a block
	setShared  = 48 << 10 // bytes a block
)

// deviceSet is setLayers on a machine. It reads rows of stride channels, whose
// first two it multiplies by omega if that is given.
type deviceSet struct {
	*setLayers[float32]
	stride, group int
	x, omega, to  uint64
	width         int // of a row of to

	sizes, w1b, t1b, w2b, w2tb, t2b, argb, result buffer
	offset, slope, pouter, all                    buffer
}

// newDeviceSet chooses how many points a block has in shared memory.
func newDeviceSet(u *setLayers[float32], stride int) (*deviceSet, error) {
	s := u.shape
	if s.k > 256 {
		return nil, unfit("%d neighbours, at most 256", s.k)
	}
	for group := 8; group > 0; group-- {
		if max(s.momentsFloats(group, true), s.momentsFloats(group, false), s.maxFloats(group), s.sparseFloats(group),
			s.backFloats(group)) <= setShared/4 {
			return &deviceSet{setLayers: u, stride: stride, group: group}, nil
		}
	}
	return nil, unfit("layers of %d and %d outputs on %d neighbours", s.c1, s.c2, s.k)
}

// The numbers in shared memory of each kernel, as set.cu lays them out.
func (s *setShape) momentsFloats(group int, hidden bool) int {
	if !hidden {
		return s.s + s.s*s.s + group*s.k*s.s
	}
	return s.c1 + s.c1*s.c1 + s.s*s.c1 + s.c1 + group*s.k*(s.s+s.c1)
}

func (s *setShape) maxFloats(group int) int {
	return s.s*s.c1 + s.c1 + s.c1*s.c2 + group*s.k*(s.s+s.c1)
}

func (s *setShape) sparseFloats(group int) int {
	return s.c2 + s.c2*s.c1 + s.s*s.c1 + s.c1 + group*(s.k*(s.s+s.c1)+2*s.c2)
}

func (s *setShape) backFloats(group int) int {
	return 3*s.c1 + 2*s.s*s.c1 + s.c1*s.c1 + s.c2*s.c1 + group*(s.k*(s.s+2*s.c1)+2*s.c2)
}

// launch runs a kernel over all points and returns the number of its blocks.
func (u *deviceSet) launch(d *Device, kernel string, floats int, arguments ...any) {
	arguments = append([]any{u.x, u.omega, uint64(d.points), uint64(u.sizes.Pointer)}, arguments...)
	d.task.Launch(setKernels.Kernel(kernel), u.blocks(d)*setThreads, setThreads, 4*floats, arguments...)
}

func (u *deviceSet) blocks(d *Device) int { return (d.points + setEach - 1) / setEach }

// forward writes points rows of c2 values, width apart, from x.
func (u *deviceSet) forward(d *Device, params []float32, x, omega, to uint64, width int) {
	s := &u.shape
	u.x, u.omega, u.to, u.width = x, omega, to, width
	d.put(&u.sizes, device.Bytes([]layout.Set{{K: int32(s.k), S: int32(s.s), Stride: int32(u.stride), C1: int32(s.c1),
		C2: int32(s.c2), Group: int32(u.group), Each: setEach}}))
	p1, p2 := u.hidden.part(params), u.second.part(params)
	u.moments(d, &u.input, s.s, 0, 0)
	u.hidden.moments(p1, &u.input)
	u.hidden.normalise(p1)
	u.w1, u.t1 = arrays.Resized(u.w1, s.s*s.c1), arrays.Resized(u.t1, s.c1)
	fold(&u.hidden, p1, nil, u.w1, u.t1)
	w1, t1 := put32(d, &u.w1b, u.w1), put32(d, &u.t1b, u.t1)
	u.moments(d, &u.inner, s.c1, w1, t1)
	u.second.moments(p2, &u.inner)
	u.second.normalise(p2)
	u.w2, u.w2t, u.t2 = arrays.Resized(u.w2, s.c1*s.c2), arrays.Resized(u.w2t, s.c1*s.c2), arrays.Resized(u.t2, s.c2)
	fold(&u.second, p2, u.w2t, u.w2, u.t2)
	u.launch(d, "set_max", s.maxFloats(u.group), w1, t1, put32(d, &u.w2b, u.w2), put32(d, &u.t2b, u.t2), to,
		uint64(width),
		d.room(&u.argb, d.points*s.c2))
}

// moments takes those of x, or of the hidden layer if its weights are given.
func (u *deviceSet) moments(d *Device, into *sums, width int, w1, t1 uint64) {
	each := width + width*width
	u.launch(d, "set_moments", u.shape.momentsFloats(u.group, w1 != 0), w1, t1, d.room(&d.partial, 4*u.blocks(d)*each))
	total := d.sum(u.blocks(d), each)
	into.count, into.sum, into.square = float64(d.points*u.shape.k), total[:width], total[width:]
}

// backward adds the parameters' gradient, given g, the gradient at what forward
// wrote, in rows of ldg. With omega it writes the gradient at Ω to d.turned.
func (u *deviceSet) backward(d *Device, params, grad []float32, g uint64, ldg int) {
	s := &u.shape
	p1, p2, g1, g2 := u.hidden.part(params), u.second.part(params), u.hidden.part(grad), u.second.part(grad)
	w1, t1, arg := uint64(u.w1b.Pointer), uint64(u.t1b.Pointer), uint64(u.argb.Pointer)
	each := s.c2 + s.c2*s.c1
	u.launch(d, "set_sparse", s.sparseFloats(u.group), w1, t1, g, uint64(ldg), u.to, uint64(u.width), arg,
		d.room(&d.partial, 4*u.blocks(d)*each))
	sparse := d.sum(u.blocks(d), each)
	k0, k1 := u.second.normGradient(p2, g2, &u.inner, sparse[:s.c2], sparse[s.c2:])
	offset, slope := u.affine(&u.second, p2, k0, k1)
	pouter := uint64(0)
	if u.omega != 0 {
		pouter = d.room(&u.pouter, 8*d.points*s.c1)
	}
	each = s.c1 + s.s*s.c1
	u.launch(d, "set_back", s.backFloats(u.group), w1, t1, put32(d, &u.w2tb, u.w2t), put32(d, &u.offset, offset),
		put32(d, &u.slope, slope),
		g, uint64(ldg), u.to, uint64(u.width), arg, d.room(&d.partial, 4*u.blocks(d)*each), pouter)
	dense := d.sum(u.blocks(d), each)
	outer := make([]float64, s.c1*s.s)
	for e := range s.s {
		for h := range s.c1 {
			outer[h*s.s+e] = dense[s.c1+e*s.c1+h]
		}
	}
	k0, k1 = u.hidden.normGradient(p1, g1, &u.input, dense[:s.c1], outer)
	if u.omega == 0 {
		return
	}
	all, allSlope := u.affine(&u.hidden, p1, k0, k1)
	d.each(setKernels.Kernel("set_omega"), 2*d.points, u.x, u.omega, uint64(d.points), uint64(u.sizes.Pointer),
		w1, pouter,
		put32(d, &u.all, all), put32(d, &u.slope, allSlope), d.room(&d.turned, 16*d.points))
}
