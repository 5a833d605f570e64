// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"math"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"
)

// outlineReach is how far a corner may be from the points of a building, in cells of its outline: two that
// close gaps, one of the border and three to where fitted walls meet.
const outlineReach = 6

// checkBuildings checks the layer of buildings: its polygons were valid when they were read.
func (r *results) checkBuildings() error {
	if len(r.buildings) != len(r.m.Buildings) {
		return r.broken(mapObjects, "%d buildings of %d", len(r.buildings), len(r.m.Buildings))
	}
	margin := outlineReach * r.m.Cell / r.m.Metres[0]
	for k := range r.buildings {
		f := &r.buildings[k]
		for _, at := range corners(f.shape) {
			if !r.m.witness.nearTile(at, margin) {
				return r.broken(mapObjects, "building %v has a corner at %.10g %.10g, outside the tiles",
					f.number("id"), at.X, at.Y)
			}
		}
	}
	return nil
}

// checkFootprints checks that no building lies over another one.
func (r *results) checkFootprints() error {
	near := footprintIndex(r.buildings)
	for k := range r.buildings {
		if err := r.checkOver(near, "building", &r.buildings[k]); err != nil {
			return err
		}
	}
	return nil
}

// mostOverlap is the area in square metres that a polygon may share with a footprint for each metre of its
// outline, by rounding.
const mostOverlap = 0.002

// checkOver checks that a polygon lies over no footprint but its own.
func (r *results) checkOver(near *rtree.RTree, kind string, f *object) error {
	low, high, ok := f.shape.Envelope().MinMaxXYs()
	if !ok {
		return r.broken(mapObjects, "%s %v has no area", kind, f.number("id"))
	}
	box := rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}
	return near.RangeSearch(box, func(n int) error {
		if f == &r.buildings[n] {
			return nil
		}
		area := overlap(f.rings, r.buildings[n].rings) * r.m.Metres[0] * r.m.Metres[1]
		length := f.shape.Boundary().Length() * r.m.Metres[0]
		if area > mostOverlap*length {
			return r.broken(mapObjects, "%s %v lies over building %v by %.2f m²", kind, f.number("id"),
				r.buildings[n].number("id"), area)
		}
		return nil
	})
}

// corners returns the vertices of a geometry.
func corners(g geom.Geometry) (all []geom.XY) {
	sequence := g.DumpCoordinates()
	for k := range sequence.Length() {
		all = append(all, sequence.GetXY(k))
	}
	return all
}

// checkTrees checks the layer of trees.
func (r *results) checkTrees() error {
	if len(r.trees) != len(r.m.Trees) {
		return r.broken(mapObjects, "%d trees of %d", len(r.trees), len(r.m.Trees))
	}
	near := footprintIndex(r.buildings)
	for k := range r.trees {
		if err := r.checkPlace(&r.trees[k], near); err != nil {
			return err
		}
	}
	return nil
}

// checkPlace checks that the top of a tree is in no building.
func (r *results) checkPlace(tree *object, near *rtree.RTree) error {
	at, _ := tree.shape.MustAsPoint().XY()
	place := rtree.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}
	return near.RangeSearch(place, func(k int) error {
		building := &r.buildings[k]
		if !building.inside(at) {
			return nil
		}
		return r.broken(mapObjects, "tree %v has its top at %.10g %.10g, in building %v",
			tree.number("id"), at.X, at.Y, building.number("id"))
	})
}

// checkHeights checks that objects have heights of the cloud.
func (r *results) checkHeights() error {
	for k := range r.buildings {
		if err := r.checkHeight("building", &r.buildings[k]); err != nil {
			return err
		}
	}
	for k := range r.trees {
		if err := r.checkHeight("tree", &r.trees[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkHeight checks that an object has heights of the cloud, and the height between them.
func (r *results) checkHeight(kind string, f *object) error {
	top := f.number("top")
	ground := f.number("ground")
	height := f.number("height")
	const rounded = 0.01 // attributes
	isOff := math.Abs(height-(top-ground)*r.m.Metres[2]) > 2*rounded
	if r.inCloud(top, rounded) && r.inCloud(ground, rounded) && !math.IsNaN(height) && !isOff {
		return nil
	}
	return r.broken(mapObjects, "%s %v has height %v, top %v and ground %v, and the points have %v to %v",
		kind, f.number("id"), height, top, ground, r.m.witness.lowest, r.m.witness.highest)
}

// inCloud reports whether a height is one of the cloud, within a margin.
func (r *results) inCloud(height, margin float64) bool {
	return height >= r.m.witness.lowest-margin && height <= r.m.witness.highest+margin
}

// footprintIndex finds footprints by their bounds.
func footprintIndex(all []object) *rtree.RTree {
	var items []rtree.BulkItem
	for k := range all {
		low, high, ok := all[k].shape.Envelope().MinMaxXYs()
		if ok {
			items = append(items, rtree.BulkItem{RecordID: k,
				Box: rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}})
		}
	}
	return rtree.BulkLoad(items)
}

// inside reports whether a point is in the polygons of an object, by the rule of even and odd crossings, and
// not on a wall.
func (o *object) inside(at geom.XY) (in bool) {
	const wall = 1e-6
	for _, ring := range o.rings {
		for k := 1; k < len(ring); k++ {
			a, b := ring[k-1], ring[k]
			if (a.Y > at.Y) == (b.Y > at.Y) {
				continue
			}
			x := a.X + (at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X)
			if at.X >= x-wall && at.X <= x+wall {
				return false
			}
			if at.X < x {
				in = !in
			}
		}
	}
	return in
}
