package train

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"superpoint/embed"
)

// augmenter changes the channels of subgraphs: one rotation about z for the
// whole subgraph, so that the spatial transform still sees changes of
// orientation; another contrast of colours and of intensity; noise on normalised
// positions, on colours and intensity and their differences; channels left out.
type augmenter struct {
	options         AugmentOptions
	neighbor, point []string
	noisy           []int    // places of the neighbour channels that noise is added to
	lacking         []bool   // whether a neighbour channel may be one that the cloud lacks
	contrast        [2][]int // places of differences in colour, and in intensity
	dropped         []droppedChannels
}

// droppedChannels are left out together.
type droppedChannels struct {
	share           float64
	neighbor, point []int // places
}

func newAugmenter(o AugmentOptions, ch *embed.Channels) *augmenter {
	a := &augmenter{options: o, neighbor: ch.Neighbor, point: ch.Point}
	for i, name := range ch.Neighbor {
		column, difference := strings.CutPrefix(name, "d_") // a difference to the point is as noisy as the value
		if slices.Contains(colors, column) ||
			slices.Contains([]string{"x", "y", "z", "intensity", "log_intensity"}, column) {
			a.noisy = append(a.noisy, i)
		}
		a.lacking = append(a.lacking, ch.MayLack(name))
		if difference && slices.Contains(colors, column) {
			a.contrast[0] = append(a.contrast[0], i)
		}
		if difference && strings.HasSuffix(column, "intensity") {
			a.contrast[1] = append(a.contrast[1], i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Dropout)) {
		a.dropped = append(a.dropped, droppedChannels{o.Dropout[name], placesOf(name, ch.Neighbor),
			placesOf(name, ch.Point)})
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
	if a.options.Contrast > 0 {
		for _, places := range a.contrast {
			a.stretch(set, s, places, rng)
		}
	}
	if a.options.Noise > 0 {
		a.noise(set, s, rows, rng)
	}
	for _, d := range a.dropped {
		if rng.Float64() < d.share {
			clearColumns(set, s, d.neighbor)
			clearColumns(point, len(a.point), d.point)
		}
	}
}

// stretch multiplies channels by one factor, as another camera or sensor would.
func (a *augmenter) stretch(set []float32, width int, places []int, rng *rand.Rand) {
	factor := float32(math.Exp(a.options.Contrast * (2*rng.Float64() - 1)))
	for _, c := range places {
		for i := c; i < len(set); i += width {
			set[i] *= factor
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
// noise is drawn twelve bits at a time: a million values a step would cost as
// much as the network with a library's generator.
const normals = 1 << 12

// noise adds clamped Gaussian noise; but where a cloud may lack a channel, 0 stays.
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
			if row[c] != 0 || !a.lacking[c] {
				row[c] += table[bits%normals]
			}
			bits >>= 12
			left--
		}
	}
}

func clearColumns(x []float32, width int, places []int) {
	for _, c := range places {
		for i := c; i < len(x); i += width {
			x[i] = 0
		}
	}
}

// allColors stands for all channels of colour in augment.dropout.
const allColors = "color"

var colors = []string{"red", "green", "blue", "infrared"}

// placesOf returns where the channels are that a name of augment.dropout stands for.
func placesOf(name string, channels []string) []int {
	var places []int
	for i, channel := range channels {
		if channel == name || name == allColors && slices.Contains(colors, strings.TrimPrefix(channel, "d_")) {
			places = append(places, i)
		}
	}
	return places
}
