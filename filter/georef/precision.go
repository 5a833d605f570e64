// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"superpoint/partition/neighbor"
)

// Units of fixed-point positions in metres. The accuracy of lidar is about a centimetre, and a cloud
// of the whole Earth needs no larger unit.
const (
	coarseUnit = 1e-3 // above it, a far group is an error if it makes positions less exact
	roughUnit  = 1e-2 // from it on, a large cloud gets a warning; larger units are an error
)

// farShare is the least gap between two groups of points, relative to the extent of the cloud, from which on
// they are far from one another.
const farShare = 0.5

// PrecisionError says that a cloud is too wide for exact positions.
type PrecisionError struct {
	Unit float64 // metres that positions would be rounded to
	text string  // with the points that make it so, and a remedy
}

func (e *PrecisionError) Error() string { return e.text }

// CheckPrecision fails with a *PrecisionError if positions are rounded because a group of points, of any
// size, is far from all others: it names the group, and a command that leaves it out. Positions that the unit
// of the cloud holds exactly are not rounded. It warns if the cloud is so large without such a group. metres
// are the positions and view the coordinates of the points.
func CheckPrecision(cloud *neighbor.Cloud, metres, view [3][]float64, warn func(text string)) error {
	if cloud.Unit <= coarseUnit {
		return nil
	}
	rounded := isRounded(cloud, metres) || cloud.Unit > 1.5*roughUnit
	group, command := FarGroup(metres, view)
	switch {
	case group != "" && rounded:
		return &PrecisionError{cloud.Unit, fmt.Sprintf("%s, so that all positions would be rounded to %g m; "+
			"leave them out first, with %s", group, cloud.Unit, command)}
	case cloud.Unit > 1.5*roughUnit:
		return &PrecisionError{cloud.Unit, fmt.Sprintf("the view is so large that positions would be "+
			"rounded to %g m; split it (filters.splitter), or check its spatial reference", cloud.Unit)}
	case group != "":
		warn(fmt.Sprintf("%s; if they are wrong, leave them out first, with %s", group, command))
	case rounded && cloud.Unit > 0.5*roughUnit:
		warn(
			fmt.Sprintf(
				"the view is so large that positions are rounded to %g m; split it (filters.splitter), or "+
					"check its spatial reference", cloud.Unit))
	}
	return nil
}

// isRounded reports whether the cloud holds positions less exactly than they are given.
func isRounded(cloud *neighbor.Cloud, metres [3][]float64) bool {
	const exact = 1e-4 // metres
	for i, from := range cloud.Order {
		p := cloud.Position(uint32(i)).Add(cloud.Origin)
		for axis, v := range [3]float64{p.X, p.Y, p.Z} {
			if math.Abs(v-metres[axis][from]) > exact {
				return true
			}
		}
	}
	return false
}

// FarGroup describes the smaller one of two groups of points that are far from one another along an axis,
// and returns a command that leaves it out; "" if there is none. metres are the positions and view the
// coordinates of the points. In the command INPUT and OUTPUT stand for the files.
func FarGroup(metres, view [3][]float64) (group, command string) {
	extent := 0.0
	for _, values := range metres {
		extent = max(extent, slices.Max(values)-slices.Min(values))
	}
	for axis, name := range []string{"X", "Y", "Z"} {
		order := sorted(metres[axis])
		at, gap := widestGap(metres[axis], order)
		if gap == 0 || gap < farShare*extent { // no gap: one point, or all at one place
			continue
		}
		below, above := view[axis][order[at-1]], view[axis][order[at]]
		edge := strconv.FormatFloat(math.Round((below+above)/2), 'f', -1, 64)
		few, kept := order[:at], name+"["+edge+":]"
		if 2*at > len(order) {
			few, kept = order[at:], name+"[:"+edge+"]"
		}
		one := few[0]
		group = fmt.Sprintf("%d of %d points lie %.3g m from the others, such as point %d at (%g, %g, %g)",
			len(few), len(order),
			gap, one, view[0][one], view[1][one], view[2][one])
		return group, fmt.Sprintf(
			"pdal translate INPUT OUTPUT range --filters.range.limits=%q --writers.las.forward=all "+
				"--writers.las.extra_dims=all", kept)
	}
	return "", ""
}

// sorted returns the indices of values in ascending order.
func sorted(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// widestGap returns the widest gap between values, and the place in order of the first one above it.
func widestGap(values []float64, order []int) (at int, gap float64) {
	for k := 1; k < len(order); k++ {
		if d := values[order[k]] - values[order[k-1]]; d > gap {
			at, gap = k, d
		}
	}
	return at, gap
}
