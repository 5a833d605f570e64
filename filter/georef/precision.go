package georef

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/neighbor"
)

// Units of the fixed-point positions, in metres, above which they are looked
// at: lidar is right to about a centimetre, and the whole Earth needs no unit
// above one.
const (
	coarseUnit = 1e-3 // above it, a few points far away are an error
	roughUnit  = 1e-2 // at it, a cloud that is really so large gets a warning; above it nothing is
)

// shrinks is how much finer the unit would have to be without a few far points
// for them to be an error.
const shrinks = 1000

// CheckPrecision looks at clouds so large that positions had to be rounded; x, y and
// z are what they were made of. If that is the doing of a few points far from all
// others, a partition would be wrong without a word, so they are an error.
func CheckPrecision(cloud *neighbor.Cloud, x, y, z []float64, warn func(text string)) error {
	if cloud.Unit <= coarseUnit {
		return nil
	}
	reach, from := bulk(cloud)
	worst, distance := 0, 0.0
	for i, p := range cloud.XYZ {
		for a, v := range p {
			if d := math.Abs(float64(v) - from[a]); d > distance {
				worst, distance = i, d
			}
		}
	}
	if distance > shrinks*max(reach, 1) || cloud.Unit > 1.5*roughUnit {
		at := cloud.Order[worst]
		return fmt.Errorf("point %d at (%g, %g, %g) lies %.3g m from the middle of the view, so that all positions would "+
			"be rounded to %g m; remove it, for example with filters.range, or set the scale and offset that the file should "+
			"have",
			at, x[at], y[at], z[at], distance*cloud.Unit, cloud.Unit)
	}
	if cloud.Unit > 0.5*roughUnit {
		warn(fmt.Sprintf("the view is so large that positions are rounded to %g m; split it (filters.splitter), or check "+
			"its spatial reference", cloud.Unit))
	}
	return nil
}

// bulk returns how far, in units along the widest axis, the middle 98 % of the
// points reach from their middle, and that middle.
func bulk(cloud *neighbor.Cloud) (reach float64, middle [3]float64) {
	const sample = 1 << 16
	step := max(1, cloud.Len()/sample)
	for a := range middle {
		var values []int32
		for i := 0; i < cloud.Len(); i += step {
			values = append(values, cloud.XYZ[i][a])
		}
		slices.Sort(values)
		cut := len(values) / 100
		lo, hi := float64(values[cut]), float64(values[len(values)-1-cut])
		reach, middle[a] = max(reach, (hi-lo)/2), (lo+hi)/2
	}
	return reach, middle
}
