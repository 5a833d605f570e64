// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"

	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/commands/map/contents"
)

// outlineReach is how far a corner may be from the points of a building, in cells of its outline: two that
// close gaps, one of the border and three to where fitted walls meet.
const outlineReach = 6

// checkCount checks the number of features of a layer.
func checkCount(layer string, got, want int) error {
	if got != want {
		return broken(contents.Objects, "%d %s of %d", got, layer, want)
	}
	return nil
}

// checkPlaces checks that buildings lie within a margin of the tiles. Their polygons were valid when they
// were read.
func checkPlaces(buildings []object, points *bounds, margin float64) error {
	for k := range buildings {
		f := &buildings[k]
		for _, at := range corners(f.shape) {
			if !points.nearTile(at, margin) {
				return broken(contents.Objects, "building %v has a corner at %.10g %.10g, outside the tiles",
					f.number("id"), at.X, at.Y)
			}
		}
	}
	return nil
}

// footprints finds the polygons of buildings.
type footprints struct {
	buildings []object
	index     *rtree.RTree
	metres    [3]float64 // in a unit of each axis
}

func newFootprints(buildings []object, metres [3]float64) footprints {
	return footprints{buildings, boundsIndex(buildings), metres}
}

// checkApart checks that no polygon of a kind of objects lies over a building, unless it is that building.
func (p footprints) checkApart(kind string, all []object) error {
	for k := range all {
		if err := p.checkOver(kind, &all[k]); err != nil {
			return err
		}
	}
	return nil
}

// mostOverlap is the area in square metres that a polygon may share with a footprint for each metre of its
// outline, by rounding.
const mostOverlap = 0.002

// checkOver checks that a polygon lies over no footprint but its own.
func (p footprints) checkOver(kind string, f *object) error {
	low, high, ok := f.shape.Envelope().MinMaxXYs()
	if !ok {
		return broken(contents.Objects, "%s %v has no area", kind, f.number("id"))
	}
	box := rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}
	return p.index.RangeSearch(box, func(n int) error {
		building := &p.buildings[n]
		if f == building {
			return nil
		}
		area := overlap(f.rings, building.rings) * p.metres[0] * p.metres[1]
		length := f.shape.Boundary().Length() * p.metres[0]
		if area > mostOverlap*length {
			return broken(contents.Objects, "%s %v lies over building %v by %.2f m²", kind, f.number("id"),
				building.number("id"), area)
		}
		return nil
	})
}

// checkTops checks that the top of no tree is in a building.
func (p footprints) checkTops(trees []object) error {
	for k := range trees {
		if err := p.checkTop(&trees[k]); err != nil {
			return err
		}
	}
	return nil
}

func (p footprints) checkTop(tree *object) error {
	at, _ := tree.shape.MustAsPoint().XY()
	place := rtree.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}
	return p.index.RangeSearch(place, func(k int) error {
		building := &p.buildings[k]
		if !building.inside(at) {
			return nil
		}
		return broken(contents.Objects, "tree %v has its top at %.10g %.10g, in building %v",
			tree.number("id"), at.X, at.Y, building.number("id"))
	})
}

// checkHeights checks that objects of a kind have heights of the points. A unit of height has some metres.
func checkHeights(kind string, all []object, points *bounds, metres float64) error {
	for k := range all {
		if err := checkHeight(kind, &all[k], points, metres); err != nil {
			return err
		}
	}
	return nil
}

// checkHeight checks that an object has heights of the points, and the height between them.
func checkHeight(kind string, f *object, points *bounds, metres float64) error {
	top := f.number("top")
	ground := f.number("ground")
	height := f.number("height")
	const rounded = 0.01 // attributes
	isOff := math.Abs(height-(top-ground)*metres) > 2*rounded
	inCloud := points.contain(top, rounded) && points.contain(ground, rounded)
	if inCloud && !math.IsNaN(height) && !isOff {
		return nil
	}
	return broken(contents.Objects,
		"%s %v has height %v, top %v and ground %v, and the points have %v to %v",
		kind, f.number("id"), height, top, ground, points.lowest, points.highest)
}
