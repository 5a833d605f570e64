// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
	"superpoint/testdata/must"
)

// turned returns the cells of a rectangle that is turned about its middle.
func turned(middle image.Point, length, width, angle float64) (cells []image.Point) {
	s, c := math.Sincos(angle)
	reach := int(length + width)
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			along := float64(x)*c + float64(y)*s
			across := float64(y)*c - float64(x)*s
			if math.Abs(along) <= length/2 && math.Abs(across) <= width/2 {
				cells = append(cells, middle.Add(image.Pt(x, y)))
			}
		}
	}
	return cells
}

// buildings returns the walls of buildings with the given cells, of which the first takes a cell.
func buildings(t *testing.T, cells [][]image.Point, least detail) []walled {
	t.Helper()
	v := &planar.View{}
	must.OK(t, v.Grow(planar.AllOf(image.Rect(-40, -40, 140, 140))))
	taken := map[image.Point]bool{}
	for k, some := range cells {
		for _, at := range some {
			if !taken[at] {
				taken[at] = true
				v.Add(at, 1, int32(k+1))
			}
		}
	}
	regions := must.Get(planar.Partition(parallel.Run{}, v, len(cells), gap/2, false))(t)
	made := make([]walled, len(cells))
	for k, region := range regions {
		if len(region) > 0 {
			made[k].parts = newParts(region, image.Pt(100, 100), least)
			made[k].build(fitted)
		}
	}
	return made
}

// shape returns the polygons in cells.
func (w *walled) shape() geom.Geometry {
	var all []geom.Polygon
	for _, polygon := range w.polygons {
		var rings []geom.LineString
		for _, r := range polygon {
			rings = append(rings, patch.Line(append(r[:len(r):len(r)], r[0])...))
		}
		all = append(all, geom.NewPolygon(rings))
	}
	return geom.NewMultiPolygon(all).AsGeometry()
}

// common returns the area that two buildings have in common, in cells, by a library.
func common(t *testing.T, all []walled) (area float64) {
	t.Helper()
	for k := range all {
		for other := range k {
			both, err := geom.Intersection(all[k].shape(), all[other].shape())
			must.OK(t, err)
			area += both.Area() / (100 * 100)
		}
	}
	return area
}

// TestBuildingsDoNotOverlap: buildings that stand at an angle to one another, some cells apart, have walls
// that cross when each is fitted for itself, and no area in common afterwards; they stay valid and keep their
// area.
func TestBuildingsDoNotOverlap(t *testing.T) {
	t.Parallel()
	before := 0
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 11))
		var cells [][]image.Point
		for range 14 {
			middle := image.Pt(random.IntN(100), random.IntN(100))
			cells = append(cells, turned(middle, 8+20*random.Float64(), 6+10*random.Float64(),
				math.Pi*random.Float64()))
		}
		all := buildings(t, cells, detail{edge: 2, hole: 50})
		var areas []float64
		for k := range all {
			areas = append(areas, all[k].shape().Area())
		}
		if common(t, all) > 0.01 {
			before++
		}
		must.OK(t, separate(parallel.Run{}, all))
		after := common(t, all)
		must.Hold(t, after < 1e-6, "scene %d: buildings have %v cells in common", seed, after)
		for k := range all {
			must.OK(t, patch.Validate(all[k].polygons...))
			area := all[k].shape().Area()
			must.Hold(t, math.Abs(area-areas[k]) <= maxAreaChange*2*areas[k],
				"scene %d: area of building %d: %v, was %v", seed, k, area, areas[k])
		}
	}
	must.Hold(t, before >= 10, "%d scenes have walls that cross when each building is alone", before)
}

// TestBuildingInASmallHole: a hole that is left out as too small comes back if another building stands in it.
func TestBuildingInASmallHole(t *testing.T) {
	var around []image.Point
	inside := image.Rect(25, 25, 29, 29)
	for y := range 54 {
		for x := range 54 {
			if !image.Pt(x, y).In(inside.Inset(-5)) {
				around = append(around, image.Pt(x, y))
			}
		}
	}
	within := turned(image.Pt(27, 27), 4, 4, 0)
	all := buildings(t, [][]image.Point{around, within}, detail{edge: 2, hole: 400})
	must.Hold(t, common(t, all) > 10, "the building in the hole has %v cells in common", common(t, all))
	must.OK(t, separate(parallel.Run{}, all))
	must.Hold(t, common(t, all) < 1e-6, "buildings have %v cells in common", common(t, all))
	must.Equal(t, len(all[0].polygons[0]), 2, "rings of the building with the hole")
}
