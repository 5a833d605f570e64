// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"cmp"
	"image"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/roof"
	"superpoint/pipelines/shapes/planar"
)

// Limits of the cells of roofs.
const (
	roofCell      = 0.3     // metres: smallest side
	mostRoofCells = 1 << 15 // of a building; the cells of a larger one are wider
)

// roofs sets the roofs of buildings.
func (p *Points) roofs(run parallel.Run, all []Object) error {
	return run.ForEach(len(all), 1, func(k int) {
		side := max(p.Spacing, roofCell)
		cells := p.roofCells(&all[k], side)
		for len(cells) > mostRoofCells {
			side *= 2
			cells = p.roofCells(&all[k], side)
		}
		found := roof.Of(cells, side)
		// A plane may end beyond the points that it was fitted to.
		found.Ridge = min(found.Ridge, p.Z[all[k].Top])
		found.Eave = max(min(found.Eave, found.Ridge), all[k].Ground)
		all[k].Roof = found
		all[k].usual = min(usualHeight(cells), p.Z[all[k].Top])
	})
}

// usualHeight returns the Z that a share of 70 % of the cells does not exceed, as blocks of 3D BAG have.
func usualHeight(cells []roof.Cell) float64 {
	var all []float64
	for _, c := range cells {
		all = append(all, c.Z)
	}
	slices.Sort(all)
	return all[int(0.7*float64(len(all)-1))]
}

// lowestBlock is in metres: a building may have most of its points at the height of the ground.
const lowestBlock = 0.1

// Block returns the height of a building's block above the ground: halfway between eave and ridge, or the
// usual height of an unknown roof.
func (o *Object) Block() float64 {
	top := (o.Roof.Eave + o.Roof.Ridge) / 2
	if o.Roof.Form == roof.Unknown {
		top = o.usual
	}
	return max(lowestBlock, top-o.Ground)
}

// roofCells returns the cells of a building with their highest points, from the south-west, in metres from
// the first cell.
func (p *Points) roofCells(o *Object, side float64) []roof.Cell {
	steps := p.stepsOf(side)
	top := map[image.Point]uint32{}
	for _, i := range o.Points {
		at := planar.CellOf(p.At[i], steps)
		if highest, known := top[at]; !known || p.before(i, highest) {
			top[at] = i
		}
	}
	var cells []roof.Cell
	for at, i := range top {
		cells = append(cells, roof.Cell{At: at, X: float64(p.At[i].X), Y: float64(p.At[i].Y), Z: p.Z[i],
			Superpoint: p.Owner[i]})
	}
	slices.SortFunc(cells, func(a, b roof.Cell) int {
		return cmp.Or(cmp.Compare(a.At.Y, b.At.Y), cmp.Compare(a.At.X, b.At.X))
	})
	origin := image.Pt(cells[0].At.X*steps.X, cells[0].At.Y*steps.Y)
	for k := range cells {
		cells[k].X = (cells[k].X - float64(origin.X)) * p.Step[0]
		cells[k].Y = (cells[k].Y - float64(origin.Y)) * p.Step[1]
	}
	return cells
}
