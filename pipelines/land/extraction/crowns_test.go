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

// TestSmallParts: the largest part of a crown stays, however small.
func TestSmallParts(t *testing.T) {
	part := func(side int32) patch.Polygon {
		return patch.Polygon{{{X: 0, Y: 0}, {X: side, Y: 0}, {X: side, Y: side}, {X: 0, Y: side}}}
	}
	must.Equal(t, len(withoutSmall([]patch.Polygon{part(2), part(9), part(5)}, 25)), 2,
		"parts of at least 25")
	must.Equal(t, len(withoutSmall([]patch.Polygon{part(2), part(1)}, 25)), 1, "parts if all are small")
	must.Equal(t, len(withoutSmall(nil, 25)), 0, "parts of none")
}
