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
// differences; channels left out.
type augmenter struct {
	options         AugmentOptions
	neighbors       int
	neighbor, point []string
	noisy           []int // places of the neighbour channels that noise is added to
}

func newAugmenter(o AugmentOptions, ch *embed.Channels) *augmenter {
	a := &augmenter{options: o, neighbors: ch.Neighbors, neighbor: ch.Neighbor, point: ch.Point}
	for i, name := range ch.Neighbor {
		column := strings.TrimPrefix(name, "d_") // a difference to the point is as noisy as the value
		if slices.Contains([]string{"x", "y", "z", "red", "green", "blue", "infrared", "intensity"}, column) {
			a.noisy = append(a.noisy, i)
		}
	}
	return a
}

func (a *augmenter) apply(set, point []float32, rng *rand.Rand) {
	s := len(a.neighbor)
	rows := len(set) / s
	if a.options.Rotate {
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		rotate(set, s, rows, float32(cos), float32(sin))
	}
	if a.options.Noise > 0 {
		a.noise(set, s, rows, rng)
	}
	for _, name := range slices.Sorted(keys(a.options.Dropout)) {
		if rng.Float64() >= a.options.Dropout[name] {
			continue
		}
		clearColumn(set, s, slices.Index(a.neighbor, name))
		clearColumn(point, len(a.point), slices.Index(a.point, name))
	}
}

func keys(m map[string]float64) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func rotate(set []float32, s, rows int, cos, sin float32) {
	for i := range rows {
		x, y := set[i*s], set[i*s+1]
		set[i*s], set[i*s+1] = cos*x-sin*y, sin*x+cos*y
	}
}

// normals is a table of the quantiles of the normal distribution, from which
// noise is drawn sixteen bits at a time: a million values a step would cost as
// much as the network with a library's generator.
const normals = 1 << 12

// noise adds clamped Gaussian noise.
func (a *augmenter) noise(set []float32, s, rows int, rng *rand.Rand) {
	table := make([]float32, normals)
	for i := range table {
		z := math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/normals-1) * a.options.Noise
		table[i] = float32(min(max(z, -a.options.Clip), a.options.Clip))
	}
	var bits uint64
	left := 0
	for i := range rows {
		row := set[i*s : (i+1)*s]
		for _, c := range a.noisy {
			if left == 0 {
				bits, left = rng.Uint64(), 5
			}
			row[c] += table[bits%normals]
			bits >>= 12
			left--
		}
	}
}

func clearColumn(x []float32, width, at int) {
	if at < 0 {
		return
	}
	for i := at; i < len(x); i += width {
		x[i] = 0
	}
}
