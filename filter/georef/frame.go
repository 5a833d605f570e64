// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
)

// Metres returns coordinates in metres: the arrays themselves if they are in metres, else new ones
// (24 bytes per point). warn receives assumptions about units.
func (r Reference) Metres(run parallel.Run, x, y, z []float64, warn func(text string)) (east, north, up []float64,
	err error) {
	if len(y) != len(x) || len(z) != len(x) {
		return nil, nil, nil, fmt.Errorf("view: %d X, %d Y and %d Z coordinates", len(x), len(y), len(z))
	}
	u, err := r.units()
	if err != nil {
		return nil, nil, nil, err
	}
	if u.warning != "" {
		warn(u.warning)
	}
	if u.geographic {
		return geographicToMetres(run, x, y, z, u, warn)
	}
	if east, err = scaled(run, x, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	if north, err = scaled(run, y, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	up, err = scaled(run, z, u.vertical)
	return east, north, up, err
}

const grain = 1 << 14 // points per block of a parallel loop

func scaled(run parallel.Run, values []float64, factor float64) ([]float64, error) {
	if factor == 1 {
		return values, nil
	}
	out := make([]float64, len(values))
	return out, run.ForEach(len(values), grain, func(i int) { out[i] = values[i] * factor })
}

// Bounds returns the smallest and largest value, ignoring NaN.
func Bounds(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return lo, hi
}
