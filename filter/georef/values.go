// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"math"

	"superpoint/partition/base/parallel"
)

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
	lo = math.Inf(1)
	hi = math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}
