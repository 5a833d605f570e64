// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// Limits of the polygons of crowns.
const (
	crownGap  = 1 // cells of the canopy: half the width of gaps that are closed
	smallPart = 4 // cells: smaller parts of a crown are left out, except the largest and the one with the top
)

// crowns sets the polygons of trees: the cells of the canopy whose highest vegetation is theirs, without the
// footprints. Crowns do not overlap. A tree that is hidden below others has no crown. If the cell of its top
// is the tree's, the crown has the part there.
func (p *Points) crowns(run parallel.Run, c *canopy, trees []Object, roofs *footprints) error {
	for k := range trees {
		for _, i := range trees[k].Points {
			c.Add(planar.CellOf(p.At[i], c.steps), p.Z[i], int32(k+1))
		}
	}
	for k := range trees {
		at := planar.CellOf(p.At[trees[k].Top], c.steps)
		if c.Label[c.Index(at)] == int32(k+1) {
			c.Pin(at)
		}
	}
	regions, err := planar.Partition(run.Quiet(), c.View, len(trees), crownGap, true)
	if err != nil {
		return err
	}
	origin := image.Pt(c.Area.Min.X*c.steps.X, c.Area.Min.Y*c.steps.Y).Sub(roofs.origin)
	return run.ForEach(len(trees), 16, func(k int) {
		top := p.At[trees[k].Top].Sub(roofs.origin)
		crown := withoutSmall(onLattice(regions[k], c.steps, origin), top, c.steps)
		trees[k].Crown = withoutSmall(roofs.clip(crown), top, c.steps)
		trees[k].CrownArea = 0
		for _, polygon := range trees[k].Crown {
			trees[k].CrownArea += float64(polygon.Area2()) / 2 * p.Step[0] * p.Step[1]
		}
	})
}

// onLattice returns polygons in half cells as polygons in lattice steps.
func onLattice(all []patch.Polygon, steps, origin image.Point) (made []patch.Polygon) {
	for _, polygon := range all {
		var rings patch.Polygon
		for _, ring := range polygon {
			moved := make(patch.Ring, len(ring))
			for k, corner := range ring {
				x := int(corner.X)*steps.X/2 + origin.X
				y := int(corner.Y)*steps.Y/2 + origin.Y
				moved[k] = patch.Point{X: int32(x), Y: int32(y)}
			}
			rings = append(rings, moved)
		}
		made = append(made, rings)
	}
	return made
}

// withoutSmall returns the polygons that are not small, and in any case the largest, and the nearest to a top
// if that is at most a cell from it. A cell has some lattice steps.
func withoutSmall(all []patch.Polygon, top, cell image.Point) (kept []patch.Polygon) {
	smallest := int64(smallPart * cell.X * cell.Y)
	largest := int64(0)
	nearest := -1
	least := math.Inf(1)
	for k, polygon := range all {
		largest = max(largest, polygon.Area2())
		if far := cellsFrom(all[k:k+1], top, cell); far <= 1 && far < least {
			nearest = k
			least = far
		}
	}
	for k, polygon := range all {
		if area := polygon.Area2(); k == nearest || area == largest || area >= 2*smallest {
			kept = append(kept, polygon)
		}
	}
	return kept
}

// clip returns polygons without the parts in footprints. It returns none if rounding to the lattice makes one
// that is not valid.
func (f *footprints) clip(crown []patch.Polygon) []patch.Polygon {
	roofs := f.around(crown)
	if len(roofs) == 0 {
		return crown
	}
	left := shapeOf(crown)
	for _, k := range roofs {
		var err error
		if left, err = geom.Difference(left, shapeOf(f.all[k].Outline)); err != nil {
			return nil
		}
	}
	var made []patch.Polygon
	for _, part := range left.ForceCCW().Dump() {
		if polygon, is := part.AsPolygon(); is {
			made = append(made, rounded(polygon))
		}
	}
	made = slices.DeleteFunc(made, func(p patch.Polygon) bool { return p.Area2() <= 0 })
	if patch.Validate(made...) != nil {
		return nil
	}
	return made
}

// around returns the buildings whose cells polygons overlap, ascending.
func (f *footprints) around(all []patch.Polygon) (buildings []int) {
	var corners []image.Point
	for _, polygon := range all {
		for _, c := range polygon[0] {
			corners = append(corners, image.Pt(int(c.X), int(c.Y)).Add(f.origin))
		}
	}
	box := planar.Bounds(corners...)
	if box.Empty() {
		return nil
	}
	for cell := range f.cellsOf(box) {
		for _, k := range f.near[cell] {
			if f.all[k].Bounds(f.origin).Overlaps(box) {
				buildings = append(buildings, k)
			}
		}
	}
	slices.Sort(buildings)
	return slices.Compact(buildings)
}

// shapeOf returns polygons as a geometry.
func shapeOf(all []patch.Polygon) geom.Geometry {
	var polygons []geom.Polygon
	for _, polygon := range all {
		var rings []geom.LineString
		for _, ring := range polygon {
			rings = append(rings, patch.Line(append(slices.Clip(ring), ring[0])...))
		}
		polygons = append(polygons, geom.NewPolygon(rings))
	}
	return geom.NewMultiPolygon(polygons).AsGeometry()
}

// rounded returns a polygon with its corners on the lattice, without rings that have no area.
func rounded(polygon geom.Polygon) (made patch.Polygon) {
	for k, line := range polygon.DumpRings() {
		sequence := line.Coordinates()
		var ring patch.Ring
		for i := range sequence.Length() - 1 {
			at := sequence.GetXY(i)
			ring = append(ring, patch.Point{X: int32(math.Round(at.X)), Y: int32(math.Round(at.Y))})
		}
		ring = slices.Compact(ring)
		if len(ring) > 1 && ring[0] == ring[len(ring)-1] {
			ring = ring[:len(ring)-1]
		}
		hasArea := len(ring) >= 3 && ring.Area2() != 0
		if k == 0 && !hasArea {
			return nil
		}
		if hasArea {
			made = append(made, ring)
		}
	}
	return made
}
