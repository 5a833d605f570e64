// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/neighbor"
)

// Units of fixed-point positions in metres. The accuracy of lidar is about a centimetre, and a cloud
// of the whole Earth needs no larger unit.
const (
	coarseUnit = 1e-3 // above it, a few far points are an error
	roughUnit  = 1e-2 // from it on, a large cloud gets a warning; larger units are an error
)

// shrinks is the factor by which the unit must be smaller without a few far points for these to be
// an error.
const shrinks = 1000

// CheckPrecision warns if a cloud is so large that positions are rounded; x, y and z are its
// coordinates. It fails if the reason is a few points far from all others, because the partition
// would be wrong.
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

// bulk returns the half extent, in units along the widest axis, of the middle 98 % of the points,
// and their centre.
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
