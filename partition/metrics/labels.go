// SPDX-License-Identifier: BSD-3-Clause

package metrics

import (
	"fmt"
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// Objects returns the connected components of equal class on the graph,
// numbered from 0 by first vertex; vertices of ignored (negative) class get −1
// and connect nothing. Merge classes that are one object (low, medium and high
// vegetation) before calling it.
func Objects(g *neighbor.Graph, class []int32) []int32 {
	object, _ := neighbor.Connected(g, class).Parts(func(u int) bool { return class[u] >= 0 })
	return object
}

// ConnectedComponents returns the number of connected components of the graph without the
// edges between segments; component holds the segment of every vertex. It equals
// the number of segments if each is connected.
func ConnectedComponents(g *neighbor.Graph, component []uint32) int {
	_, count := neighbor.Connected(g, component).Number()
	return count
}

// compact returns labels below a bound of O(len(label)), for arrays indexed by
// label, and the bound. Two results are equal if and only if their labels are,
// and negative for negative labels. The result is label itself if its labels are
// small enough.
func compact(label []int32) (dense []int32, bound int) {
	most := int32(-1)
	for _, l := range label {
		most = max(most, l)
	}
	if int(most) < 2*len(label)+256 {
		return label, int(most) + 1
	}
	values := arrays.Values(label, func(l int32) bool { return l < 0 })
	dense = make([]int32, len(label))
	for i, l := range label {
		dense[i] = int32(arrays.Rank(values, l)) // None becomes −1
	}
	return dense, len(values)
}

// distinct returns the number of different labels that are not ignored.
func distinct(label []int32) int {
	label, bound := compact(label)
	seen := make([]bool, bound)
	n := 0
	for _, l := range label {
		if l >= 0 && !seen[l] {
			seen[l] = true
			n++
		}
	}
	return n
}

// None is the label of a point without one.
const None = -1

// Label converts a number to a label: a whole number from 0 to 2³¹−1, or None.
// ok is false for every other number: a fraction, NaN, or another number below 0.
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
			return fmt.Errorf(
				"dimension %q of point %d is %v; labels are whole numbers from 0 to %d, and -1 for none; "+
					"correct it first, for example by filters.assign",
				dimension, i, v, math.MaxInt32)
		}
	}
	return nil
}

// IDs converts a dimension of segment ids, with 0 for those below. It fails for values
// that are not whole numbers, or beyond 2³²−1.
func IDs(dimension string, values []float64) ([]uint32, error) {
	id := make([]uint32, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || math.Abs(v) > math.MaxUint32 {
			return nil, fmt.Errorf(
				"dimension %q of point %d is %v; ids are whole numbers up to %d, and 0 or below for points "+
					"to leave out; name another dimension", dimension, i, v, uint32(math.MaxUint32))
		}
		id[i] = uint32(max(v, 0))
	}
	return id, nil
}
