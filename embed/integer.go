// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/layout"
)

// Bits of the integer network.
const (
	activationBits = 7
	weightBits     = 8
	denseBits      = 12 // of activations after the maximum
	LeastShift     = 8  // of the last layer, so that embeddings are below 2^23
	mostExponent   = 15
)

// Exponents of channels whose range is the same in every model: positions, heights and
// entries of Ω are in units of 2^−12, components of a normal in 2^−14.
const (
	PositionExponent = layout.PositionExponent
	normalExponent   = layout.NormalExponent
)

// Bounds of sums of magnitudes of one output's weights, so that no register of a kernel
// overflows: |Σ w·x| ≤ max|x| · Σ|w|.
const (
	mostFirst = 1<<15 - 1 // first convolution; differences of columns count twice, as they have one bit more
	mostEight = 258       // four 8-bit weights whose products are added in 16 bits: 127 · 258 < 2^15
	// layer after the maximum; point channels count 8 times, having 15 bits instead of 12
	mostDense = 1 << 18
	mostBias  = 1 << 28
)

// IntegerWeights are the tensors of one layer of the integer network: Weight is
// Out × In, Bias and Shift are Out each.
//
// Units: bias is in the unit of the sum, the product of the units of weight and input. shift brings a
// sum to activations.
type IntegerWeights struct {
	Layer
	Weight, Bias, Shift []int32
	Points              int   // number of point channels, the last of the inputs
	First               bool  // first convolution: its inputs are channels
	Wide                bool  // weights have 16 bits
	Most                int32 // largest activation; 0 for a last layer, which is not clamped
}

// Last reports whether the layer is the last of a PointNet.
func (w *IntegerWeights) Last() bool { return w.Most == 0 }

// Exponent returns the exponent of a column, or of a channel that is not a column.
//
// Exponents of positions and normals are fixed, since their ranges follow from what they are; others are
// measured.
func (n *Integer) Exponent(name string) int {
	switch channel := layout.Of(name); {
	case name == normalColumn:
		return normalExponent
	case channel <= layout.Z || channel == layout.Rise || channel == layout.Omega:
		return PositionExponent
	}
	return n.Exponents[name]
}

// ChannelExponent returns the exponent of a channel: the exponent of the column it reads, or its
// own.
//
// A difference of columns has the exponent of the column, and one bit more (mostFirst).
func (n *Integer) ChannelExponent(channel string) int {
	if layout.Of(channel) == layout.NormalTurn {
		return normalExponent
	}
	if column := columnOf(channel); column != "" {
		return n.Exponent(column)
	}
	return n.Exponent(channel)
}

// ColumnExponents returns the exponent of every number of a row of columns.
//
// A normal has three numbers in a row, x, y and z, with one exponent.
func (c *Card) ColumnExponents() []int {
	places, width := c.Inputs.places()
	list := make([]int, width)
	for name, at := range places {
		list[at] = c.Integer.Exponent(name)
		if name == normalColumn {
			list[at+1], list[at+2] = list[at], list[at]
		}
	}
	return list
}

// Measured returns the columns and channels whose exponents are measured on the training clouds.
//
// Their range depends on the clouds: lengths in metres, colours and the like.
func (ch *Channels) Measured() []string {
	var names []string
	for _, c := range ch.uses() {
		if c.name != normalColumn {
			names = append(names, c.name)
		}
	}
	for _, c := range []layout.Channel{layout.Radius, layout.CentroidOffset, layout.HeightRange} {
		if slices.Contains(ch.Point, c.String()) {
			names = append(names, c.String())
		}
	}
	return names
}

// IntegerLayers returns the layers of the integer network without their tensors, in
// storage order.
//
// Bits of activations: 7 after all convolutions but the last, which are the inputs of 8-bit layers; 12 after
// the last one, so after the maximum, and after fully connected layers; the last layers are not clamped,
// because Ω and embeddings have both signs.
func (c *Card) IntegerLayers() []IntegerWeights {
	var all []IntegerWeights
	l := c.Layers()
	// parts 1 and 3 are fully connected, 0 and 2 convolutions
	for part, layers := range [][]Layer{l.STConv, l.STFC, l.LPEConv, l.LPEFC} {
		for i, layer := range layers {
			dense := part%2 == 1
			w := IntegerWeights{Layer: layer, First: !dense && i == 0, Most: 1<<activationBits - 1}
			w.Wide = dense || w.First
			if dense || i == len(layers)-1 {
				w.Most = 1<<denseBits - 1
			}
			if dense && i == len(layers)-1 {
				w.Most = 0
			}
			// The point channels enter behind the maximum, in the first fully connected layer of the
			// embedder.
			if part == 3 && i == 0 {
				w.Points = len(c.Inputs.Point)
			}
			all = append(all, w)
		}
	}
	return all
}

// InTransform reports whether the layer is one of the spatial transform.
func (w *IntegerWeights) InTransform() bool { return strings.HasPrefix(w.Name, "st.") }

// validate checks sizes, and the bounds that keep sums within 32 bits.
//
// Within these bounds no kernel overflows or saturates, so that all compute the same bits.
func (w *IntegerWeights) validate(c *Card) error {
	bad := func(what string, o int) error {
		return fmt.Errorf("layer integer.%s, output %d: %s; quantize the model again", w.Name, o, what)
	}
	if len(w.Weight) != w.Out*w.In || len(w.Bias) != w.Out || len(w.Shift) != w.Out {
		return fmt.Errorf("layer integer.%s has tensors of the wrong size; quantize the model again", w.Name)
	}
	for o := range w.Out {
		// A shift of a 32-bit sum by 31 would leave the sign alone. Shifts are read as bytes, so none is
		// negative.
		if w.Shift[o] > 30 || w.Bias[o] <= -mostBias || w.Bias[o] >= mostBias {
			return bad("the shift is above 30 or the bias too large", o)
		}
		// The outputs of an embedding are compared with each other, so that all must be in one unit. 8 bits
		// less than 32 leave the 2²³ that normalisation needs.
		if w.Last() && !w.InTransform() && (w.Shift[o] < LeastShift || w.Shift[o] != w.Shift[0]) {
			return bad("all shifts of the last layer must be equal, and 8 or more", o)
		}
		// Load is by output, because each output has a register of its own.
		if sum, most := w.Load(o, c); sum > most {
			return bad(fmt.Sprintf("weights sum to %d, more than %d", sum, most), o)
		}
	}
	return nil
}

// Load returns the largest sum of magnitudes of weights whose products with inputs are
// added in one register for output o, and the bound of that sum.
//
// Inputs have different numbers of bits, so that weights of larger inputs count more (times): the bound of
// the sum is then one number for the layer.
func (w *IntegerWeights) Load(o int, c *Card) (sum, most int) {
	row := w.Weight[o*w.In : (o+1)*w.In]
	// Only these are added in 16 bits; all others in 32.
	if !w.Wide {
		return EightSum(row), mostEight
	}
	for i, v := range row {
		times := 1
		switch {
		case w.First && w.In == len(c.Inputs.Neighbor) && layout.Of(c.Inputs.Neighbor[i]) == layout.DColumn:
			times = 2
		case i >= w.In-w.Points:
			times = 8
		}
		sum += times * max(int(v), -int(v))
	}
	if w.First {
		return sum, mostFirst
	}
	return sum, mostDense
}

// EightSum returns the largest sum of magnitudes of four weights whose products are added
// in 16 bits: of every eight consecutive inputs 0, 1, 4 and 5, or 2, 3, 6 and 7. The
// instruction vpmaddubsw adds pairs of products, and the kernels add two of its results.
//
// That instruction saturates its sums at 16 bits without a sign that it did. So models whose weights could
// reach them are refused when they are loaded, and no kernel has to look.
func EightSum(row []int32) int {
	most := 0
	for at := 0; at < len(row); at += 8 {
		var sums [2]int
		// i/2%2 is 0 for inputs 0, 1, 4 and 5 and 1 for 2, 3, 6 and 7.
		for i, v := range row[at:min(at+8, len(row))] {
			sums[i/2%2] += max(int(v), -int(v))
		}
		most = max(most, sums[0], sums[1])
	}
	return most
}
