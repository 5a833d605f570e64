// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// Shore is the outline of a body of water.
type Shore struct {
	Polygons []patch.Polygon // in half cells from the south-western corner of Origin
	Origin   image.Point     // cell
	Factor   int             // cells along a side of those that it was drawn on, 1 except for large bodies
}

// MostOutlined is the number of cells above which the outline of a body is drawn on coarser cells. Drawing
// needs about as much memory a cell as its bins did.
const MostOutlined = 1 << 24

// Outward has cells that hardly reach into the tiles, such as those of points that lie exactly on the upper
// edge of a tile, and the directions away from their tiles. Such a cell has a point by chance.
type Outward map[image.Point][]image.Point

// Shores returns the outlines of all bodies of water. Lines stay within half a cell of the sides of the
// cells. A cell of edges is left out if the body does not go on behind it. A body without other cells has no
// polygon.
func (m *Model) Shores(run parallel.Run, edges Outward) ([]Shore, error) {
	boxes := m.boxes()
	shores := make([]Shore, len(boxes))
	for k, box := range boxes {
		var err error
		cells := m.cellsOf(int32(k+1), box)
		cells = slices.DeleteFunc(cells, func(cell image.Point) bool {
			goesOn := func(to image.Point) bool { return m.isOf(int32(k+1), cell.Add(to)) }
			return len(edges[cell]) > 0 && !slices.ContainsFunc(edges[cell], goesOn)
		})
		if shores[k], err = shoreOf(run.Quiet(), cells, MostOutlined); err != nil {
			return nil, err
		}
		run.Progress(float64(k+1) / float64(len(boxes)))
	}
	return shores, nil
}

// boxes returns the smallest rectangle with all cells of each body.
func (m *Model) boxes() []image.Rectangle {
	all := make([]image.Rectangle, len(m.Bodies))
	for k, number := range m.Body {
		if number == 0 {
			continue
		}
		cell := m.At(k)
		if box := &all[number-1]; !cell.In(*box) {
			*box = box.Union(planar.One(cell))
		}
	}
	return all
}

// isOf reports whether a cell belongs to a body.
func (m *Model) isOf(number int32, cell image.Point) bool {
	k := m.Index(cell)
	return k >= 0 && m.Body[k] == number
}

// shoreOf returns the outline of the cells of a body. A raster of it holds at most a number of cells: if it
// has more, cells are merged two by two, as often as it takes.
func shoreOf(run parallel.Run, cells []image.Point, most int) (Shore, error) {
	if len(cells) == 0 {
		return Shore{Factor: 1}, nil
	}
	factor := 1
	view, err := viewOf(cells, factor)
	for err == nil && view.Len() > most {
		factor *= 2
		view, err = viewOf(cells, factor)
	}
	if err != nil {
		return Shore{}, err
	}
	regions, err := planar.Partition(run, view, 1, 0, true)
	if err != nil {
		return Shore{}, err
	}
	for _, polygon := range regions[0] {
		for _, ring := range polygon {
			for k := range ring {
				ring[k].X *= int32(factor)
				ring[k].Y *= int32(factor)
			}
		}
	}
	return Shore{Polygons: regions[0], Origin: view.Area.Min.Mul(factor), Factor: factor}, nil
}

// cellsOf returns the cells of a body in a box.
func (m *Model) cellsOf(number int32, box image.Rectangle) (cells []image.Point) {
	turnedBox := turnedArea(box)
	for _, r := range m.held.Rectangles() {
		within := r.Intersect(turnedBox)
		for y := within.Min.Y; y < within.Max.Y; y++ {
			first := r.First + (y-r.Min.Y)*r.Stride - r.Min.X
			for x := within.Min.X; x < within.Max.X; x++ {
				if m.Body[first+x] == number {
					cells = append(cells, turned(image.Pt(x, y)))
				}
			}
		}
	}
	return cells
}

// viewOf returns a raster with label 1 in cells, of which as many along a side as factor are merged.
func viewOf(cells []image.Point, factor int) (*planar.View, error) {
	steps := image.Pt(factor, factor)
	occupied := new(planar.Occupied)
	for _, cell := range cells {
		occupied.Add(planar.CellOf(cell, steps))
	}
	view, err := planar.NewView(occupied, 0)
	if err != nil {
		return nil, err
	}
	for _, cell := range cells {
		view.Add(planar.CellOf(cell, steps), 0, 1)
	}
	return view, nil
}

// MeansInWater returns the mean of what bins hold for points of water in each body, for example their
// confidences in place of heights, and the number of these points. The bins have the cells of the model.
func (m *Model) MeansInWater(bins *Bins) (means []float64, points []int64) {
	if len(m.Bodies) == 0 {
		return nil, nil
	}
	sums := make([]sum, len(m.Bodies))
	bins.each(func(c bin) {
		if number := m.Body[m.Index(c.cell)]; number > 0 {
			sums[number-1].add(c.water)
		}
	})
	for _, s := range sums {
		means = append(means, s.mean())
		points = append(points, s.count)
	}
	return means, points
}
