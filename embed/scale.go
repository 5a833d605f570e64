// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// Scale maps an attribute's raw value v to min(max((v−Low)/(High−Low), 0), 1).
// All tiles of a cloud must use the same scale.
type Scale struct{ Low, High float32 }

// scaleTail is the share of intensities beyond each end of the scale, so that
// a few specular reflections do not determine it.
const scaleTail = 0.01

// MeasureScale returns the scale of an attribute. Colours are 8 bit if no value
// is above 255 (many files keep 8 bit colours in 16 bit fields), else 16 bit.
// The scale of intensity, which has no unit, is from the 1 % to the 99 % quantile
// of the cloud. Other attributes are not scaled.
func MeasureScale(dimension string, values []float32) Scale {
	switch dimension {
	case "Red", "Green", "Blue", "Infrared":
		// A 16-bit cloud that is dark everywhere counts as one of 8 bits: values cannot tell the two apart.
		if len(values) > 0 && slices.Max(values) > 255 {
			return Scale{0, 65535}
		}
		return Scale{0, 255}
	case "Intensity":
		low, high := arrays.Range(values, scaleTail)
		if !(high > low) { // all equal: scaled to 0
			high = low + 1
		}
		if !(high > low) { // from 2²⁴ on, beyond the 16 bits of LAS, where the quotient would be no number
			high = float32(math.Inf(1))
		}
		return Scale{low, high}
	}
	return Scale{0, 1}
}

// colours share one scale: a cloud whose blue is below 256 while red is not has 16-bit colours.
var colours = []string{"Red", "Green", "Blue", "Infrared"}

// MeasureScales measures the scale of every attribute of the input.
func (in *Input) MeasureScales() map[string]Scale {
	scales := map[string]Scale{}
	wide := Scale{0, 255}
	// Attributes come in any order. The result is the same, since there are only two scales of colours, and
	// the wider one stays.
	for name, values := range in.Attributes {
		scales[name] = MeasureScale(name, values)
		if slices.Contains(colours, name) && scales[name].High > wide.High {
			wide = scales[name]
		}
	}
	for _, name := range colours {
		if _, ok := scales[name]; ok {
			scales[name] = wide
		}
	}
	return scales
}

// Values beyond the ends, such as a specular reflection, become 0 or 1: ranges of the integer network hold.
func (s Scale) apply(v float32) float32 {
	return min(max((v-s.Low)/(s.High-s.Low), 0), 1)
}

// attribute returns a dimension's values. It returns an error if they are missing, too few
// or not finite.
func (in *Input) attribute(name string) ([]float32, error) {
	v, ok := in.Attributes[name]
	if !ok {
		return nil, fmt.Errorf(
			"the model needs dimension %s, which the points lack; choose a model without it", name)
	}
	if len(v) != in.Cloud.Len() {
		return nil, fmt.Errorf("dimension %s has %d values for %d points", name, len(v), in.Cloud.Len())
	}
	for i, x := range v {
		// One NaN would reach the embeddings of all points that have this one as a neighbor, as min and max
		// return it.
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("dimension %s of point %d is %v; remove such points first (filters.range)",
				name, in.Cloud.Order[i], x)
		}
	}
	return v, nil
}

// scaled returns the cloud, scaled to the reference spacing if the card has one, and the
// scale.
//
// A network learns lengths. With points scaled to the spacing of training, a sparse cloud of large things
// looks to it like a dense cloud of small things, and one network serves both.
func (ch *Channels) scaled(in *Input) (cloud *neighbor.Cloud, scale float64) {
	if ch.Spacing == 0 {
		return in.Cloud, 1
	}
	scale = ch.Spacing / in.spacing()
	return in.Cloud.Scaled(scale), scale
}

// spacing returns the distance of neighbouring points in metres.
//
// A tile needs the spacing of its full cloud: if it were measured on the tile, points that two tiles
// share would have two scales.
func (in *Input) spacing() float64 {
	if in.Spacing > 0 {
		return in.Spacing
	}
	return in.Cloud.Spacing(in.Neighbors)
}
