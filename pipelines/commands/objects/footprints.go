// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"image"

	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// footprints finds the footprint at a position.
type footprints struct {
	origin, side image.Point           // lattice steps
	near         map[image.Point][]int // buildings by cell of that side that their bounds overlap
	all          []Object
}

func newFootprints(p *Points, origin image.Point, all []Object) *footprints {
	f := &footprints{origin, p.stepsOf(2 * crownless), map[image.Point][]int{}, all}
	for k := range all {
		area := planar.Grown(f.bounds(k), image.Pt(1, 1)) // positions on the walls are inside it
		low, high := planar.CellOf(area.Min, f.side), planar.CellOf(area.Max, f.side)
		for y := low.Y; y <= high.Y; y++ {
			for x := low.X; x <= high.X; x++ {
				f.near[image.Pt(x, y)] = append(f.near[image.Pt(x, y)], k)
			}
		}
	}
	return f
}

// bounds returns the extent of a building's outline.
func (f *footprints) bounds(k int) image.Rectangle {
	var corners []image.Point
	for _, polygon := range f.all[k].Outline {
		for _, c := range polygon[0] {
			corners = append(corners, image.Pt(int(c.X), int(c.Y)).Add(f.origin))
		}
	}
	return planar.Bounds(corners...)
}

// inside reports whether a position is in a footprint, by the rule of even and odd crossings.
func (f *footprints) inside(at image.Point) (in bool) {
	x, y := int64(at.X-f.origin.X), int64(at.Y-f.origin.Y)
	for _, k := range f.near[planar.CellOf(at, f.side)] {
		for _, polygon := range f.all[k].Outline {
			for _, r := range polygon {
				for i, a := range r {
					b := r[(i+1)%len(r)]
					if (int64(a.Y) > y) != (int64(b.Y) > y) && left(a, b, x, y) {
						in = !in
					}
				}
			}
		}
		if in {
			return true
		}
	}
	return false
}

// left reports whether a position is to the left of the edge from a to b, which crosses its y.
func left(a, b patch.Point, x, y int64) bool {
	if a.Y > b.Y {
		a, b = b, a
	}
	return (x-int64(a.X))*int64(b.Y-a.Y) < (y-int64(a.Y))*int64(b.X-a.X)
}
