// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"encoding/binary"
	"math"
	"unsafe"

	"superpoint/embed"
	"superpoint/embed/layout"
)

// lane is the multiple to which widths are padded: the 32-bit sums in the widest register.
//
// Padding outputs have weights, biases and shifts of 0, so they are 0 and change no sum, no maximum and no
// embedding.
const lane = 16

// block is the number of points of one task, which is one call of C.
//
// It is a multiple of every kernel's lanes, so that only the last block of a chunk has lanes without a point.
const block = 960

// network is a model's integer network, as slices for plain Go and packed for C and CUDA.
//
// Why near, own and relative channels are separate (split): Σ w·x of the embedder's first convolution is
// linear, so
//
//	Σ w·x = Σ near·column(neighbor) + Σ own·column(point) + Σ w·relative(pair)
//
// The first sum belongs to a neighbor alone. A point is in about k neighbourhoods, and its sum is computed
// once, not k times.
type network struct {
	layout  layout.Network
	st, lpe pointNet
	near    []int32 // columns × hidden: weights of the first convolution for a neighbour's columns
	own     []int32 // the same for the point's columns; nil if no channel is a difference
	width   int     // number of columns
	kept    int     // number of columns in a row, see embed.Channels.Kept
	// of a row: hidden sums, kept columns, position; layout.Network.Stride is for rows with all columns
	stride   int
	channels []layout.Source
	packed   []byte // all weights, 64-byte aligned
}

// conv layers are applied to each neighbor, fc layers to the maximum over neighbors and the point channels.
type pointNet struct{ conv, fc []layer }

// layer is y = (b + Σ w x) >> s, clamped to 0 … most. weight is in × wide. Inputs are
// the outputs of the layer before, padded as these are, and then point channels.
//
// Shapes: weight in × wide, row i for input i; bias and shift wide. Rows are by input and not by output, so
// that a kernel multiplies one input with a vector of outputs, and needs no sum across a register.
type layer struct {
	in, wide    int
	weight      []int32
	bias, shift []int32
	most        int32
	wider       bool // weights of 16 bits
}

// relative are the indices of the channels that are computed for a pair of point and
// neighbour, not from a column of the neighbour.
//
// They depend on both points, so that no row can have them.
var relative = map[layout.Channel]int{layout.X: 0, layout.Y: 1, layout.Z: 2, layout.NormalTurn: 3,
	layout.Rise: 4}

// newNetwork packs a model's integer network.
//
// Steps: (1) layers are transposed and padded; (2) they are divided among the four parts in storage order;
// (3) the embedder's first convolution is split; (4) scales and places are written to layout and all weights
// are packed.
func newNetwork(m *embed.Model) (*network, error) {
	if err := m.Card.Validate(); err != nil {
		return nil, err
	}
	n := &network{}
	layers := m.Integers()
	all := []layer{}
	for i := range layers {
		all = append(all, transposed(&layers[i]))
	}
	l := m.Card.Layers()
	for _, part := range []struct {
		to    *[]layer
		count int
	}{{&n.st.conv, len(l.STConv)}, {&n.st.fc, len(l.STFC)}, {&n.lpe.conv, len(l.LPEConv)},
		{&n.lpe.fc, len(l.LPEFC)}} {
		// IntegerLayers has the same order as Layers, with the same number in each part.
		*part.to, all = all[:part.count], all[part.count:]
	}
	n.split(m.Card, &layers[len(l.STConv)+len(l.STFC)])
	n.describe(m.Card)
	return n, nil
}

// transposed returns a layer with its weights transposed and padded.
//
// Inputs of a layer are the outputs of the one before, padded to lane, and then the point channels, if any:
// skip is the number of rows of zeros between the two. Point channels are padded to an even number, for
// pairs. A first convolution reads channels: nothing is padded, and split arranges the rows of the
// embedder's first convolution anew.
func transposed(w *embed.IntegerWeights) layer {
	before := w.In - w.Points
	l := layer{in: w.In, wide: pad(w.Out, lane), most: w.Most, wider: w.Wide}
	skip := 0
	if !w.First {
		skip = pad(before, lane) - before
		l.in = before + skip + pad(w.Points, 2)
	}
	l.weight = make([]int32, l.in*l.wide)
	l.bias = make([]int32, l.wide)
	l.shift = make([]int32, l.wide)
	copy(l.bias, w.Bias)
	copy(l.shift, w.Shift)
	for o := range w.Out {
		for i := range w.In {
			row := i
			if i >= before {
				row += skip
			}
			l.weight[row*l.wide+o] = w.Weight[o*w.In+i]
		}
	}
	return l
}

// split divides the weights of the embedder's first convolution into three parts: for
// relative channels, for columns of the neighbour (near) and for columns of the point (own).
// The sum is linear, so the part of a neighbour's columns is the same for every
// neighbourhood that the neighbour is in, and is computed once per point.
//
// Claim: the split network has the same sums, except for the rounding of rows (plainRows), which is the same
// in every kernel. Reason: each weight of the card's layer goes to exactly one of relative rows, near and
// own, or, for a difference of columns, to near and, negated, to own.
func (n *network) split(c *embed.Card, w *embed.IntegerWeights) {
	var sources []layout.Source
	sources, n.channels = c.Inputs.Sources()
	first := &n.lpe.conv[0]
	first.in = 4
	// no normal is read unless a channel needs it
	n.layout.Normal = -1
	n.layout.Columns = int32(pad(len(c.ColumnExponents()), 2))
	n.near = make([]int32, int(n.layout.Columns)*first.wide)
	// Rows are the relative channels x, y, z, normal_turn, rise and one of zeros, which makes their number
	// even for pairs. The last two are left out if no channel is a rise.
	weight := make([]int32, 6*first.wide)
	for i, source := range sources {
		channel, column := source.Channel, int(source.Column)
		for o := range w.Out {
			v := w.Weight[o*w.In+i]
			switch slot, ok := relative[channel]; {
			case ok:
				weight[slot*first.wide+o] = v
			// A difference, column(neighbor) − column(point), has the weight w at the neighbor and −w at the
			// point. Weights of one column add up if the column is also read directly.
			case channel == layout.DColumn:
				if n.own == nil {
					n.own = make([]int32, len(n.near))
				}
				n.own[column*first.wide+o] -= v
				fallthrough
			default:
				n.near[column*first.wide+o] += v
			}
		}
		switch channel {
		case layout.NormalTurn:
			n.layout.Normal = source.Column
		case layout.Rise:
			n.layout.Rise, first.in = 1, 6
		}
	}
	// Weights of channels that a model does not have are 0.
	first.weight = weight[:first.in*first.wide]
}

// describe packs all weights and fills in layout.
//
// A number in fixed point with exponent e stands for v·2^−e, so that the scale of a column is 2^e (fixed).
func (n *network) describe(c *embed.Card) {
	d := &n.layout
	exponents := c.ColumnExponents()
	d.Hidden = int32(n.lpe.conv[0].wide)
	d.Dim = int32(c.Dim())
	d.Points = int32(len(c.Inputs.Point))
	d.Pairs = int32(n.lpe.conv[0].in / 2)
	// one number more, because kernels load a normal as four numbers
	d.Stride = int32(pad(int(d.Hidden)+len(exponents)+1, lane))
	// Columns up to kept are in the rows of all points; the others, of context, are computed for the point
	// alone.
	n.width = len(exponents)
	n.kept = c.Inputs.Kept()
	n.stride = pad(int(d.Hidden)+n.kept+6, lane)
	for k := range d.Omega {
		d.Omega[k] = int32(c.OmegaAt(k))
	}
	for at, e := range exponents {
		d.Scale[at] = float32(math.Ldexp(1, e))
	}
	for h, name := range c.Inputs.Point {
		d.Point[h] = float32(math.Ldexp(1, c.Integer.Exponent(name)))
	}
	n.packAll()
}

// packAll packs the weights of all layers and fills in where they are.
//
// Layers are packed in the order in which they are applied.
// near and own come last, since they belong to the first convolution but are read for rows.
func (n *network) packAll() {
	d := &n.layout
	n.packed = []byte{}
	for _, u := range []struct {
		layers []layer
		part   *layout.Part
	}{{n.st.conv, &d.STConv}, {n.st.fc, &d.STFC}, {n.lpe.conv, &d.LPEConv}, {n.lpe.fc, &d.LPEFC}} {
		u.part.Count = int32(len(u.layers))
		for i := range u.layers {
			u.part.Layer[i] = n.pack(&u.layers[i])
		}
	}
	d.Near = n.pairs(n.near, int(d.Hidden))
	d.Own = -1
	if n.own != nil {
		d.Own = n.pairs(n.own, int(d.Hidden))
	}
	n.packed = alignedBytes(n.packed)
}

// alignedBytes returns a copy at an address that kernels can load vectors from.
//
// Offsets of layers are multiples of 64 within packed (at), so that with an aligned beginning all of them are
// aligned.
func alignedBytes(from []byte) []byte {
	numbers := aligned(len(from) / 4)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), len(from))
	copy(bytes, from)
	return bytes
}

// Weights of 8 bits are in groups of four inputs: for each output the weights of four consecutive inputs.
// That is what the instructions for products of bytes read (such as vpmaddubsw).
func (n *network) pack(l *layer) layout.Layer {
	d := layout.Layer{In: int32(l.in), Wide: int32(l.wide), Most: l.most}
	if l.wider {
		d.Weight = n.pairs(l.weight, l.wide)
	} else {
		d.Weight = n.at()
		// l.in is a multiple of lane for these layers, which have no point channels, and so of four.
		for g := 0; g < l.in; g += 4 {
			for o := range l.wide {
				for i := range 4 {
					n.packed = append(n.packed, byte(l.weight[(g+i)*l.wide+o]))
				}
			}
		}
	}
	d.Bias = n.words(l.bias)
	d.Shift = n.words(l.shift)
	return d
}

// at returns the offset in bytes of the next numbers, 64-byte aligned.
func (n *network) at() int32 {
	n.packed = append(n.packed, make([]byte, pad(len(n.packed), 64)-len(n.packed))...)
	return int32(len(n.packed))
}

// pairs packs rows of 16-bit weights, interleaving two rows, and returns their offset.
//
// Why two rows: vpmaddwd multiplies pairs of 16-bit numbers and adds the two products, so that one word of 32
// bits holds the weights of two inputs for one output. An odd last row is paired with zeros.
func (n *network) pairs(weight []int32, wide int) int32 {
	at := n.at()
	for i := 0; i < len(weight); i += 2 * wide {
		for o := range wide {
			n.packed = binary.LittleEndian.AppendUint16(n.packed, uint16(weight[i+o]))
			second := int32(0)
			if i+wide < len(weight) {
				second = weight[i+wide+o]
			}
			n.packed = binary.LittleEndian.AppendUint16(n.packed, uint16(second))
		}
	}
	return at
}

// Words are little-endian, as are all processors that have a kernel in C and all GPUs.
func (n *network) words(v []int32) int32 {
	at := n.at()
	for _, x := range v {
		n.packed = binary.LittleEndian.AppendUint32(n.packed, uint32(x))
	}
	return at
}

// fixed returns v·scale rounded to the nearest integer, half to even, within ±32767.
//
// It is clamped before it is rounded, so that no conversion overflows. Both ends have the same magnitude:
// −32768 would have no negative in 16 bits.
func fixed(v, scale float32) int32 {
	const most = 1<<15 - 1
	return int32(math.RoundToEven(float64(min(max(v*scale, -most), most))))
}

// widest returns the largest number of inputs or outputs of a layer, padded.
//
// Scratch memory of a kernel is allocated for it once, and used for every layer.
func (n *network) widest() int {
	w := lane
	for _, part := range [][]layer{n.st.conv, n.st.fc, n.lpe.conv, n.lpe.fc} {
		for _, l := range part {
			w = max(w, l.in, l.wide)
		}
	}
	return w
}

// It rounds n up to a multiple of to.
func pad(n, to int) int { return (n + to - 1) / to * to }

// aligned returns n floats that begin at a multiple of 64 bytes.
//
// Go's garbage collector does not move memory, so the address stays; lane floats more leave room for the
// skip.
func aligned(n int) []float32 {
	b := make([]float32, n+lane)
	// the floats up to the next multiple of 64 bytes; Go aligns floats to 4 bytes
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % 64 / 4)
	return b[skip : skip+n : skip+n]
}
