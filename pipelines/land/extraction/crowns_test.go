// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/shapes/patch"
	"superpoint/testdata/must"
)

// TestCrownsByHand: two trees beside each other and one that leans over a house have crowns of their own that
// do not overlap and end at the wall; the tops keep their places.
func TestCrownsByHand(t *testing.T) {
	var f field
	f.add(0, Ground, 0, 0, 60, level(0))
	f.add(1, Vegetation, 10, 10, 9, cone(14, 14, 12))
	f.add(2, Vegetation, 19, 10, 9, cone(23, 14, 12))
	f.add(3, Building, 40, 30, 12, level(6))
	f.add(4, Vegetation, 34, 32, 9, cone(37, 36, 14)) // from 34 to 42, the house begins at 40
	found := f.find(t, DefaultSettings())
	must.Need(t, len(found.Trees) == 3, "%d trees", len(found.Trees))
	must.Need(t, len(found.Buildings) == 1, "%d buildings", len(found.Buildings))
	roof := shapeOf(found.Buildings[0].Outline)
	areas := []float64{81, 81, 9 * 6}
	for k, tree := range found.Trees {
		must.OK(t, patch.Validate(tree.Crown...))
		must.Hold(t, math.Abs(tree.CrownArea-areas[k]) < 9, "crown of tree %d has %v m²", k, tree.CrownArea)
		over := must.Get(geom.Intersection(shapeOf(tree.Crown), roof))(t)
		must.Hold(t, over.Area()/per/per < 0.02, "tree %d: %v m² over the house", k, over.Area()/per/per)
		for other := range k {
			both := must.Get(geom.Intersection(shapeOf(tree.Crown), shapeOf(found.Trees[other].Crown)))(t)
			must.Hold(t, both.Area() < 1, "trees %d and %d share %v", k, other, both.Area())
		}
	}
}

// TestCrownAcrossAHouse: a footprint that divides a crown leaves both parts; one that covers it leaves none.
func TestCrownAcrossAHouse(t *testing.T) {
	square := func(x, y, w, h int32) []patch.Polygon {
		return []patch.Polygon{{{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}}}
	}
	for name, c := range map[string]struct {
		roof  []patch.Polygon
		parts int
		area  int64
	}{
		"beside":  {square(200, 0, 50, 50), 1, 10_000},
		"divides": {square(40, -10, 20, 120), 2, 8_000},
		"covers":  {square(-10, -10, 120, 120), 0, 0},
		"hole":    {square(40, 40, 20, 20), 1, 9_600},
		"oblique": {[]patch.Polygon{{{{X: -10, Y: -11}, {X: 111, Y: -11}, {X: -10, Y: 110}}}}, 1, 5_000},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Points{Step: [2]float64{1, 1}}
			roofs := newFootprints(p, image.Point{}, []Object{{Outline: c.roof}})
			crown := roofs.clip(square(0, 0, 100, 100))
			must.OK(t, patch.Validate(crown...))
			must.Equal(t, len(crown), c.parts, "parts")
			area := int64(0)
			for _, part := range crown {
				area += part.Area2() / 2
			}
			must.Hold(t, area >= c.area-150, "area %d, want at least %d", area, c.area-150)
			must.Hold(t, area <= c.area+150, "area %d, want at most %d", area, c.area+150)
		})
	}
}

// TestSmallParts: the largest part of a crown stays, however small, and so does the one at the top.
func TestSmallParts(t *testing.T) {
	part := func(x, side int32) patch.Polygon {
		return patch.Polygon{{{X: x}, {X: x + side}, {X: x + side, Y: side}, {X: x, Y: side}}}
	}
	cell := image.Pt(3, 3) // a small part has less than 36 squares
	far := image.Pt(90, 90)
	all := []patch.Polygon{part(0, 2), part(20, 9), part(40, 6), part(60, 3)}
	must.Equal(t, withoutSmall(all, far, cell), all[1:3], "parts of at least 36")
	must.Equal(t, withoutSmall(all[:1], far, cell), all[:1], "the largest")
	must.Equal(t, len(withoutSmall(nil, far, cell)), 0, "parts of none")
	for top, want := range map[image.Point][]patch.Polygon{
		{X: 61, Y: 1}: all[1:],  // in a small part
		{X: 65, Y: 1}: all[1:],  // less than a cell beside it
		{X: 67, Y: 1}: all[1:3], // more than a cell
		{X: 21, Y: 1}: all[1:3], // in the largest
	} {
		must.Equal(t, withoutSmall(all, top, cell), want, "parts with a top at %v", top)
	}
}

// TestTopOfACrownInPieces: a single cell with the top of a tree, apart from its other cells and in the crown
// of a lower tree, is a part of its own crown.
func TestTopOfACrownInPieces(t *testing.T) {
	for name, place := range map[string]image.Point{"in another crown": {21, 12}, "at its border": {27, 14},
		"beside all": {40, 40}} {
		t.Run(name, func(t *testing.T) {
			f := &field{}
			f.add(0, Ground, 0, 0, 60, level(0))
			f.add(1, Vegetation, 5, 10, 9, cone(9, 14, 12))
			f.add(2, Vegetation, 19, 10, 9, cone(23, 14, 10))
			f.add(1, Vegetation, place.X, place.Y, 1, level(14))
			found := f.find(t, DefaultSettings())
			must.Need(t, len(found.Trees) == 2, "trees: got %v, want 2", len(found.Trees))
			for k := range found.Trees {
				tree := &found.Trees[k]
				top := f.At[tree.Top].Sub(found.Origin).Add(image.Pt(per/2, per/2)) // the middle of its cell
				beside := cellsFrom(tree.Crown, top, image.Pt(per, per))
				must.OK(t, patch.Validate(tree.Crown...))
				must.Hold(t, beside <= 0.5, "the top of tree %d is %v cells beside its crown", k, beside)
			}
		})
	}
}
