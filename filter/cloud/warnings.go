// SPDX-License-Identifier: BSD-3-Clause

package cloud

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// WarnOfBlank warns of those dimensions of names that are 0 at all points, as the colours of a file that has
// the fields only.
func WarnOfBlank(view *View, names []string, log message.Log) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		least, most := georef.Bounds(view.Dimensions[name])
		return least != 0 || most != 0 // also Z, which is in View.Z
	})
	if len(names) > 0 {
		log.Warn("option model or method: it reads " + strings.Join(names, ", ") +
			", which the points have as 0 only; " +
			"choose another one, or files that have these values")
	}
}

// WarnOfPositions warns of coordinates that are hardly metres, and of duplicates.
func WarnOfPositions(run parallel.Run, view *View, cloud *neighbor.Cloud, log message.Log) {
	if !warnOfDegrees(view, log) { // where rounding makes duplicates
		warnOfDuplicates(run, cloud, log)
	}
}

// warnOfDegrees warns of points that are so much higher than wide that X and Y without a unit are hardly
// metres, and reports whether they are.
func warnOfDegrees(view *View, log message.Log) bool {
	const slender = 1000 // height for width: 50 m of heights on a tile of 3 km
	if view.Reference != (georef.Reference{}) {
		return false
	}
	size := func(values []float64) float64 {
		least, most := georef.Bounds(values)
		return most - least
	}
	wide := max(size(view.X), size(view.Y))
	high := size(view.Z)
	found := wide > 0 && high > slender*wide
	if found {
		log.Warn(
			fmt.Sprintf(
				"Z spans %.3g, and X and Y only %.3g: if they are degrees, name the spatial reference with "+
					"%s, for example EPSG:4326", high, wide, georef.Default))
	}
	return found
}

// WarnOfSpacing warns of points that are so far apart, or so near one another, that coordinates without a
// unit are hardly metres.
func WarnOfSpacing(view *View, spacing float64, log message.Log) {
	const sparse, dense = 20, 0.002 // metres
	unit, factor := "millimetres", "0.001"
	switch {
	case view.Reference != (georef.Reference{}) || spacing >= dense && spacing <= sparse || spacing == 0:
		return
	case spacing < dense:
		unit, factor = "kilometres", "1000"
	}
	log.Warn(fmt.Sprintf("neighbouring points are %.3g m apart if coordinates are metres; if they are %s, "+
		"scale them first, with pdal translate and filters.transformation, matrix \"%[3]s 0 0 0 0 %[3]s 0 "+
		"0 0 0 %[3]s 0 0 0 0 1\"", spacing, unit, factor))
}

// warnOfDuplicates warns of points that are there twice, as in tiles merged with themselves: of each, half of
// the neighbors are copies, and it has fewer edges to others.
func warnOfDuplicates(run parallel.Run, cloud *neighbor.Cloud, log message.Log) {
	const few = 10 // per cent
	copies := arrays.Begin(parallel.Map(run, cloud.Len(), Grain, func(lo, hi int) (copies uint32) {
		for i := max(lo, 1); i < hi; i++ { // exact duplicates are consecutive
			if cloud.XYZ[i] == cloud.XYZ[i-1] {
				copies++
			}
		}
		return copies
	}))
	if share := 100 * int(copies) / max(cloud.Len(), 1); share >= few {
		log.Warn(
			fmt.Sprintf(
				"%d %% of the points have the coordinates of another one, which makes superpoints smaller "+
					"and classes worse; if the file has points twice, remove them first, with "+
					"filters.sample, radius 0.001; if its coordinates are rounded, export it with a finer "+
					"scale", share))
	}
}
