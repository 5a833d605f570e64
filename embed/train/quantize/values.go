// SPDX-License-Identifier: BSD-3-Clause

package quantize

import (
	"math"
	"slices"

	"superpoint/embed"
)

// linear is a layer whose weights include its normalisation; weight is out × in.
type linear struct{ weight, bias []float64 }

// values are the inputs of a layer, rows × width: in the float network (real), and in
// the integer network as multiples of a unit (fixed).
type values struct {
	width int
	real  []float32
	fixed []int32
	unit  []float64 // of every column
}

func (v *values) rows() int { return len(v.real) / max(v.width, 1) }

// fix converts values to fixed point.
func (v *values) fix(n *embed.Integer, names []string) {
	v.fixed = make([]int32, len(v.real))
	for c, name := range names {
		exponent := n.ChannelExponent(name)
		v.unit = append(v.unit, math.Ldexp(1, -exponent))
		for i := c; i < len(v.real); i += v.width {
			v.fixed[i] = int32(min(max(math.RoundToEven(math.Ldexp(float64(v.real[i]), exponent)), -1<<15+1),
				1<<15-1))
		}
	}
}

// columns returns the columns lo to hi−1.
func (v *values) columns(lo, hi int) *values {
	part := &values{width: hi - lo, unit: v.unit[lo:hi]}
	for i := lo; i < len(v.real); i += v.width {
		part.real = append(part.real, v.real[i:i+hi-lo]...)
		part.fixed = append(part.fixed, v.fixed[i:i+hi-lo]...)
	}
	return part
}

// concatenated returns the columns of v, then the columns of other.
func (v *values) concatenated(other *values) *values {
	both := &values{width: v.width + other.width, unit: append(slices.Clone(v.unit), other.unit...)}
	for r := range v.rows() {
		both.real = append(append(both.real, v.real[r*v.width:(r+1)*v.width]...),
			other.real[r*other.width:(r+1)*other.width]...)
		both.fixed = append(append(both.fixed, v.fixed[r*v.width:(r+1)*v.width]...),
			other.fixed[r*other.width:(r+1)*other.width]...)
	}
	return both
}
