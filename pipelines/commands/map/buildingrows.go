// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"cmp"
	"fmt"
	"html/template"
	"image"
	"slices"
	"strings"

	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// mostRows is the largest number of buildings in the report; objects.gpkg has all.
const mostRows = 200

// buildingRow is a row of the table of buildings.
type buildingRow struct {
	ID         int
	Area       float64 // square metres
	Height     float64 // metres
	Roof       string
	Confidence float64 // 0 if unknown
	Doubtful   bool
	Place      string        // of its top
	Picture    template.HTML // its outline
}

// buildingRows returns the rows of the table of buildings: the doubtful ones, the least confident first, and
// then the largest.
func (m *mapping) buildingRows() (rows []buildingRow) {
	index := map[*objects.Mapped]int{}
	var all []*objects.Mapped
	for k := range m.Buildings {
		index[&m.Buildings[k]] = k
		if !m.Buildings[k].Doubtful() {
			all = append(all, &m.Buildings[k])
		}
	}
	slices.SortStableFunc(all, func(a, b *objects.Mapped) int { return cmp.Compare(b.Area, a.Area) })
	all = append(m.doubtful(), all...)
	for _, x := range all[:min(mostRows, len(all))] {
		rows = append(rows, buildingRow{ID: index[x] + 1, Area: x.Area, Height: x.Height,
			Roof: x.Roof.Form.String(), Confidence: x.Confidence,
			Doubtful: x.Doubtful(), Place: x.Place(m.Finding), Picture: outlinePicture(x.Outline)})
	}
	return rows
}

// doubtful returns the doubtful buildings in order of confidence, the lowest first.
func (m *mapping) doubtful() (all []*objects.Mapped) {
	for k := range m.Buildings {
		if m.Buildings[k].Doubtful() {
			all = append(all, &m.Buildings[k])
		}
	}
	slices.SortStableFunc(all, func(a, b *objects.Mapped) int {
		return cmp.Compare(a.Confidence, b.Confidence)
	})
	return all
}

// outlinePicture returns a small picture of polygons, north up.
func outlinePicture(polygons []patch.Polygon) template.HTML {
	var corners []image.Point
	for _, polygon := range polygons {
		for _, c := range polygon[0] {
			corners = append(corners, image.Pt(int(c.X), int(c.Y)))
		}
	}
	box := planar.Bounds(corners...)
	box.Max = box.Max.Sub(image.Pt(1, 1)) // Bounds are of cells
	const side = 48                       // pixels
	scale := side / float64(max(box.Dx(), box.Dy(), 1))
	var path strings.Builder
	for _, polygon := range polygons {
		for _, ring := range polygon {
			for k, c := range ring {
				x := float64(int(c.X)-box.Min.X) * scale
				y := float64(box.Max.Y-int(c.Y)) * scale
				letter := "L"
				if k == 0 {
					letter = "M"
				}
				fmt.Fprintf(&path, "%s%.1f %.1f", letter, x, y)
			}
			path.WriteString("Z")
		}
	}
	return template.HTML(fmt.Sprintf(`<svg width="%d" height="%d" viewBox="-1 -1 %d %d"><path d="%s"/></svg>`,
		side, side,
		side+2, side+2, path.String()))
}
