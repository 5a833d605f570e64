package metrics

import (
	"fmt"
	"math"
)

// None is the label of a point that has none.
const None = -1

// Label returns the label that a number stands for: a whole number from 0 to
// 2³¹−1, or None. Anything else, a fraction, NaN or another number below zero,
// is not a label, and ok is false.
func Label(v float64) (label int32, ok bool) {
	if !(v >= None && v <= math.MaxInt32) || v != math.Trunc(v) {
		return None, false
	}
	return int32(v), true
}

// CheckLabels returns an error that names the first value of a dimension that is
// not a label.
func CheckLabels(dimension string, values []float64) error {
	for i, v := range values {
		if _, ok := Label(v); !ok {
			return fmt.Errorf("dimension %q of point %d is %v; labels are whole numbers from 0 to %d, and -1 for none; mend it first, for example by filters.assign",
				dimension, i, v, math.MaxInt32)
		}
	}
	return nil
}
