// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"superpoint/embed"
)

// augmenter changes the channels of subgraphs: one rotation about z for the
// whole subgraph, so that the spatial transform still sees changes of
// orientation; noise on normalised positions, on colours and intensity and their
// differences.
type augmenter struct {
	options  AugmentOptions
	channels int              // of a neighbour
	noisy    []int            // places of the neighbour channels that noise is added to
	table    [normals]float32 // of noise
}

func newAugmenter(o AugmentOptions, ch *embed.Channels) *augmenter {
	a := &augmenter{options: o, channels: len(ch.Neighbor)}
	for i, name := range ch.Neighbor {
		if slices.Contains(noisy, strings.TrimPrefix(name, "d_")) { // a difference is as noisy as the value
			a.noisy = append(a.noisy, i)
		}
	}
	for i := range a.table {
		z := math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/normals-1) * o.Noise
		a.table[i] = float32(min(max(z, -o.Clip), o.Clip))
	}
	return a
}

func (a *augmenter) apply(set []float32, rng *rand.Rand) {
	s := a.channels
	rows := len(set) / s
	if a.options.Rotate {
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		rotate(set, s, rows, float32(cos), float32(sin))
	}
	if a.options.Noise > 0 {
		a.noise(set, s, rows, rng)
	}
}

// noisy are the columns whose values and differences have noise.
var noisy = []string{"x", "y", "z", "red", "green", "blue", "infrared", "intensity", "log_intensity"}

func rotate(set []float32, s, rows int, cos, sin float32) {
	for i := range rows {
		x, y := set[i*s], set[i*s+1]
		set[i*s], set[i*s+1] = cos*x-sin*y, sin*x+cos*y
	}
}

// normals is a table of the quantiles of the normal distribution, from which
// noise is drawn twelve bits at a time: a million values a step would cost as
// much as the network with a library's generator.
const normals = 1 << 12

// noise adds clamped Gaussian noise.
func (a *augmenter) noise(set []float32, s, rows int, rng *rand.Rand) {
	var bits uint64
	left := 0
	for i := range rows {
		row := set[i*s : (i+1)*s]
		for _, c := range a.noisy {
			if left == 0 {
				bits = rng.Uint64()
				left = 5
			}
			row[c] += a.table[bits%normals]
			bits >>= 12
			left--
		}
	}
}
