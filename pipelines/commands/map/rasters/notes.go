// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/land/raster"
)

// Notes says what the rasters of a model lack, and where they differ from the points. Cells are resolution
// metres wide, and a unit of heights has some metres.
func Notes(m *raster.Model, resolution, metres float64) (notes []string) {
	if m == nil || m.Terrain == nil {
		return nil
	}
	n := m.Notes
	if n.WithoutTerrain > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"%s with points, and no height of the ground: it is not filled over holes wider than "+
					"%.0f m, nor at the edge of the tiles", message.Count(n.WithoutTerrain, "cell"), n.Limit))
	}
	if n.Widest > 0 {
		notes = append(notes, fmt.Sprintf("the widest hole in the ground that was filled is %.0f m wide",
			n.Widest))
	}
	if n.Lowered > 0 {
		notes = append(notes,
			fmt.Sprintf("the filled ground was above points of %s, and lowered, by up to "+
				"%.2f m", message.Count(n.Lowered, "cell"), n.LoweredBy))
	}
	if n.Raised > 0 {
		notes = append(notes,
			fmt.Sprintf("the filled ground was far below low vegetation in %s, and raised, by up to %.2f m",
				message.Count(n.Raised, "cell"), n.RaisedBy))
	}
	if n.Pits+n.Hills > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"the points of ground in %s (below) and %s (above) were left out: they are more than "+
					"%.0f m from all other ground around them", message.Count(n.Pits, "cell"),
				message.Count(n.Hills, "cell"), raster.Odd))
	}
	if n.Plants > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"the points of ground in %s beside buildings were left out: their confidence is below 0.9, "+
					"and they stand above the sure ground around as low plants do",
				message.Count(n.Plants, "cell")))
	}
	return append(notes, waterNotes(m.Bodies, resolution, metres)...)
}

// waterNotes describes the largest bodies of water, in cells of a resolution in metres and a unit of heights.
func waterNotes(bodies []raster.Body, resolution, metres float64) (notes []string) {
	const most, smallest = 5, 10 // cells
	unit := HeightUnit(metres)
	if unit == "metre" {
		unit = "m"
	}
	all := slices.Clone(bodies)
	slices.SortStableFunc(all, func(a, b raster.Body) int { return cmp.Compare(b.Cells, a.Cells) })
	for k, b := range all {
		if b.Cells < smallest {
			break
		}
		if k == most {
			notes = append(notes, fmt.Sprintf("further bodies of water: %d", len(all)-most))
			break
		}
		area := float64(b.Cells) * resolution * resolution
		if b.IsLevel {
			text := fmt.Sprintf("water of %.0f m² has the level %.2f %s", area, b.Level, unit)
			notes = append(notes, strings.TrimSpace(text))
		} else {
			notes = append(notes, fmt.Sprintf("water of %.0f m² slopes, and is not level", area))
		}
	}
	return notes
}
