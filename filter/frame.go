package filter

import (
	"fmt"
	"math"

	"superpoint/partition/parallel"
)

// metres returns the coordinates of a view in metres. Where they are metres
// already the view's own arrays are returned, else new ones (24 bytes a point,
// freed once the neighbour search has its fixed-point copy).
func metres(run parallel.Run, view *View, log Log) (x, y, z []float64, err error) {
	if len(view.Y) != len(view.X) || len(view.Z) != len(view.X) {
		return nil, nil, nil, fmt.Errorf("view: %d X, %d Y and %d Z coordinates", len(view.X), len(view.Y), len(view.Z))
	}
	u, err := view.Reference.units()
	if err != nil {
		return nil, nil, nil, err
	}
	if u.warning != "" {
		log(LogWarning, u.warning)
	}
	if u.geographic {
		return geographicToMetres(run, view, u, log)
	}
	if x, err = scaled(run, view.X, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	if y, err = scaled(run, view.Y, u.horizontal); err != nil {
		return nil, nil, nil, err
	}
	z, err = scaled(run, view.Z, u.vertical)
	return x, y, z, err
}

const grain = 1 << 14 // points in a block of a light loop

func scaled(run parallel.Run, values []float64, factor float64) ([]float64, error) {
	if factor == 1 {
		return values, nil
	}
	out := make([]float64, len(values))
	err := run.For(len(values), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = values[i] * factor
		}
	})
	return out, err
}

// bounds returns the smallest and largest value; NaN counts as neither.
func bounds(values []float64) (lo, hi float64) {
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
