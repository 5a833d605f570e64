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
			return fmt.Errorf("dimension %q of point %d is %v; labels are whole numbers from 0 to %d, and -1 for none; mend "+
				"it first, for example by filters.assign",
				dimension, i, v, math.MaxInt32)
		}
	}
	return nil
}

// IDs returns a dimension of segments as the measures take it: 0 for points that
// have none.
func IDs(dimension string, values []float64) ([]uint32, error) {
	id := make([]uint32, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || v > math.MaxUint32 || v < -1 {
			return nil, fmt.Errorf("dimension %q of point %d is %v; ids are whole numbers up to %d, and 0 or -1 for points "+
				"to leave out",
				dimension, i, v, uint32(math.MaxUint32))
		}
		id[i] = uint32(max(v, 0))
	}
	return id, nil
}
