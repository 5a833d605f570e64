// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"
)

// edge is an edge of a polygon that is not horizontal.
type edge struct{ low, high geom.XY }

// at returns the X of an edge at a height.
func (e edge) at(y float64) float64 {
	return e.low.X + (y-e.low.Y)/(e.high.Y-e.low.Y)*(e.high.X-e.low.X)
}

// spans reports whether an edge has points below and above a height.
func (e edge) spans(y float64) bool { return e.low.Y < y && y < e.high.Y }

// overlap returns the area that two sets of polygons have in common, by the rule of even and odd crossings.
//
// Claim: between neighbouring heights at which an edge ends or crosses one of the other set, the length of
// the common part of a horizontal section is a linear function of the height. Reason: the order of the edges
// along the section does not change. So the area between these heights is their difference times the length
// in the middle.
func overlap(a, b [][]geom.XY) (area float64) {
	low, high := heightsOf(a)
	first := edgesBetween(a, low, high)
	second := edgesBetween(b, low, high)
	heights := breaks(first, second)
	for k := 1; k < len(heights); k++ {
		middle := (heights[k-1] + heights[k]) / 2
		area += (heights[k] - heights[k-1]) * common(section(first, middle), section(second, middle))
	}
	return area
}

// heightsOf returns the lowest and the highest Y of rings.
func heightsOf(rings [][]geom.XY) (low, high float64) {
	low = math.Inf(1)
	high = math.Inf(-1)
	for _, ring := range rings {
		for _, at := range ring {
			low = min(low, at.Y)
			high = max(high, at.Y)
		}
	}
	return low, high
}

// edgesBetween returns the edges of rings that have points between two heights.
func edgesBetween(rings [][]geom.XY, low, high float64) (all []edge) {
	for _, ring := range rings {
		for k := 1; k < len(ring); k++ {
			e := edge{ring[k-1], ring[k]}
			if e.low.Y > e.high.Y {
				e.low, e.high = e.high, e.low
			}
			if e.low.Y < e.high.Y && e.low.Y < high && e.high.Y > low {
				all = append(all, e)
			}
		}
	}
	return all
}

// breaks returns the heights at which edges end or cross one of the other set, in their order.
func breaks(a, b []edge) (heights []float64) {
	for _, e := range slices.Concat(a, b) {
		heights = append(heights, e.low.Y, e.high.Y)
	}
	for _, e := range a {
		for _, f := range b {
			if y, crosses := crossing(e, f); crosses {
				heights = append(heights, y)
			}
		}
	}
	slices.Sort(heights)
	return slices.Compact(heights)
}

// crossing returns the height at which two edges cross.
func crossing(e, f edge) (y float64, crosses bool) {
	low := max(e.low.Y, f.low.Y)
	high := min(e.high.Y, f.high.Y)
	below := e.at(low) - f.at(low)
	above := e.at(high) - f.at(high)
	if low >= high || below*above >= 0 {
		return 0, false
	}
	return low + (high-low)*below/(below-above), true
}

// section returns the X of the edges at a height, in their order: polygons are from the first to the second,
// from the third to the fourth.
func section(edges []edge, y float64) (all []float64) {
	for _, e := range edges {
		if e.spans(y) {
			all = append(all, e.at(y))
		}
	}
	slices.Sort(all)
	return all
}

// common returns the length that two sections have in common.
func common(a, b []float64) (length float64) {
	for i := 1; i < len(a); i += 2 {
		for j := 1; j < len(b); j += 2 {
			length += max(0, min(a[i], b[j])-max(a[i-1], b[j-1]))
		}
	}
	return length
}
