// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// shifts are the distances by which polygons and points are moved against each other, in cells.
var shifts = [4]geom.XY{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}

// compareFootprints: most points of buildings lie in their footprints, and after a shift by a cell fewer.
//
// Claim: this holds whatever the ground is. Reason: a footprint covers the cells of its points, so a shift
// can only lose points at the walls. Points of ground do not count: walls hide the ground on one side of a
// building, so that a shift to that side loses none of them. Nor do points of buildings that are too small
// for a footprint, nor shifts to the side where the edge of the tiles cuts a building: its footprint ends
// at that edge, beyond its points. Of a cell one point counts. A shift away from that edge may gain one of
// these in 200: the corner of a slanted wall and the edge is cut off.
func compareFootprints(t *testing.T, s located, all []feature) {
	t.Helper()
	var polygons []footprint
	points := 0.0
	for _, f := range all {
		if f.Geometry.IsMultiPolygon() {
			polygons = append(polygons, footprintOf(f.Geometry))
			points += f.Properties["points"]
		}
	}
	inside := insideAny(polygons, s.roofs(polygons), geom.XY{})
	must.Hold(t, float64(inside) >= points/2,
		"%d points of buildings lie in footprints, of %v", inside, points)
	cell := s.spacing()
	for _, d := range shifts {
		uncut := slices.DeleteFunc(slices.Clone(polygons),
			func(f footprint) bool { return s.cuts(f, d, cell) })
		roofs := onePerCell(s.roofs(uncut), cell)
		here := insideAny(uncut, roofs, geom.XY{})
		there := insideAny(uncut, roofs, d.Scale(cell))
		must.Hold(t, there-here <= len(roofs)/200,
			"footprints have %d of %d points, and shifted by %v cells %d", here, len(roofs), d, there)
	}
}

// cuts reports whether a footprint ends in a direction within a cell of where the points end.
func (s located) cuts(f footprint, direction geom.XY, cell float64) bool {
	switch {
	case direction.X > 0:
		return f.high.X >= slices.Max(s.X)-cell
	case direction.X < 0:
		return f.low.X <= slices.Min(s.X)+cell
	case direction.Y > 0:
		return f.high.Y >= slices.Max(s.Y)-cell
	}
	return f.low.Y <= slices.Min(s.Y)+cell
}

// roofs returns the points of buildings whose superpoints have most of these points in footprints.
func (s located) roofs(polygons []footprint) (all []geom.XY) {
	const building = 6
	points := map[int][]geom.XY{}
	for i, owner := range s.owner {
		if s.Classification[i] == building && owner > 0 {
			points[owner] = append(points[owner], geom.XY{X: s.X[i], Y: s.Y[i]})
		}
	}
	for _, of := range points {
		if 2*insideAny(polygons, of, geom.XY{}) > len(of) {
			all = append(all, of...)
		}
	}
	return all
}

// onePerCell returns the point of each cell that is nearest to its middle, whatever the order of the points:
// those of a wall that was scanned lie above one another at the outline, so that a few centimetres decide
// about hundreds.
func onePerCell(points []geom.XY, cell float64) []geom.XY {
	nearest := map[geom.XY]geom.XY{} // by the middle of the cell
	for _, at := range points {
		middle := geom.XY{X: (math.Floor(at.X/cell) + .5) * cell, Y: (math.Floor(at.Y/cell) + .5) * cell}
		best, known := nearest[middle]
		if !known || nearer(at, best, middle) {
			nearest[middle] = at
		}
	}
	return slices.Collect(maps.Values(nearest))
}

// nearer reports whether a is nearer to a place than b, or as near and before it.
func nearer(a, b, place geom.XY) bool {
	toA, toB := a.Sub(place), b.Sub(place)
	return cmp.Or(cmp.Compare(toA.Dot(toA), toB.Dot(toB)), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) < 0
}

// insideAny returns the number of points, shifted, that lie in footprints.
func insideAny(polygons []footprint, points []geom.XY, shift geom.XY) (count int) {
	for _, at := range points {
		at = at.Add(shift)
		if slices.ContainsFunc(polygons, func(f footprint) bool { return f.contains(at) }) {
			count++
		}
	}
	return count
}

// footprint is the rings of polygons and their bounds.
type footprint struct {
	rings     [][]geom.XY
	low, high geom.XY
}

func footprintOf(g geom.Geometry) (f footprint) {
	for _, polygon := range g.Dump() {
		for _, ring := range polygon.MustAsPolygon().DumpRings() {
			var all []geom.XY
			for k := range ring.Coordinates().Length() {
				all = append(all, ring.Coordinates().GetXY(k))
			}
			f.rings = append(f.rings, all)
		}
	}
	f.low, f.high, _ = g.Envelope().MinMaxXYs()
	return f
}

// contains reports whether a position is in the polygons, by the rule of even and odd crossings.
func (f *footprint) contains(at geom.XY) (odd bool) {
	across := at.X >= f.low.X && at.X <= f.high.X
	if !across || at.Y < f.low.Y || at.Y > f.high.Y {
		return false
	}
	for _, ring := range f.rings {
		for k := 1; k < len(ring); k++ {
			a, b := ring[k-1], ring[k]
			if (a.Y > at.Y) != (b.Y > at.Y) && at.X < a.X+(at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
				odd = !odd
			}
		}
	}
	return odd
}

// compareTiles: where a tile alone has an object east of an X, both tiles together have one, too, with few
// exceptions: the spacing of points in all tiles decides how small a building may be.
func compareTiles(t *testing.T, alone, both []feature, east, metre float64) {
	t.Helper()
	found, all := 0, 0
	for _, f := range alone {
		low, _, _ := f.Geometry.Envelope().MinMaxXYs()
		if low.X < east {
			continue
		}
		all++
		if slices.ContainsFunc(both, func(other feature) bool { return areNear(f, other, metre) }) {
			found++
		}
	}
	must.Hold(t, 2*found >= all, "of %d objects of the eastern tile %d are objects of both tiles", all, found)
}

// areNear reports whether the bounds of objects are within a distance.
func areNear(a, b feature, distance float64) bool {
	low, high, _ := a.Geometry.Envelope().MinMaxXYs()
	first, last, _ := b.Geometry.Envelope().MinMaxXYs()
	across := first.X <= high.X+distance && last.X >= low.X-distance
	return across && first.Y <= high.Y+distance && last.Y >= low.Y-distance
}

// compareTops: a tree has its top at a point of that height that is no noise.
func compareTops(t *testing.T, s located, all []feature) {
	t.Helper()
	key := func(x, y float64) [2]int { return [2]int{int(math.Round(100 * x)), int(math.Round(100 * y))} }
	heights := map[[2]int][]float64{}
	for i := range s.X {
		if !s.isNoise(i) {
			heights[key(s.X[i], s.Y[i])] = append(heights[key(s.X[i], s.Y[i])], s.Z[i])
		}
	}
	for _, f := range all {
		if !f.Geometry.IsPoint() {
			continue
		}
		at, _ := f.Geometry.MustAsPoint().XY()
		top := f.Properties["top"]
		must.Need(t, slices.ContainsFunc(heights[key(at.X, at.Y)],
			func(z float64) bool { return math.Abs(z-top) < 0.006 }),
			"a tree has its top %v at %v, and the points there have %v", top, at, heights[key(at.X, at.Y)])
	}
}

// outlineReach is how far an outline may reach past the points of its superpoint, in cells: one that a point
// is in, two of gaps that are closed (of four cells, from both sides), half a cell where borders become
// straight, and parts of other superpoints that are too small for outlines, of at most three cells, which are
// added up to four times.
const outlineReach = 1 + 2 + 0.5 + 4*3

// compareOutlines: the outline of a superpoint lies where its points are, and after a shift by a cell fewer
// of them lie in it.
func compareOutlines(t *testing.T, p *las.Points, path string, cell, metres float64) {
	t.Helper()
	_, all := featuresIn(t, path, metres)
	points := map[int][]geom.XY{}
	for i, id := range p.Extra["SuperpointID"] {
		points[int(id)] = append(points[int(id)], geom.XY{X: p.X[i], Y: p.Y[i]})
	}
	margin := outlineReach * cell
	here := 0
	var there [len(shifts)]int
	for _, f := range all {
		id := int(f.Properties["id"])
		outline := footprintOf(f.Geometry)
		low, high := boundsOf(points[id])
		west, south := low.X-outline.low.X, low.Y-outline.low.Y
		east, north := outline.high.X-high.X, outline.high.Y-high.Y
		must.Need(t, max(west, south, east, north) <= margin,
			"superpoint %d has an outline from %v to %v, and points from %v to %v",
			id, outline.low, outline.high, low, high)
		one := []footprint{outline}
		here += insideAny(one, points[id], geom.XY{})
		for k, d := range shifts {
			there[k] += insideAny(one, points[id], d.Scale(cell))
		}
	}
	must.Need(t, here > 0, "no outlines with points")
	for k, d := range shifts {
		must.Hold(t, here > there[k], "outlines have %d points, and shifted by %v cells %d",
			here, d, there[k])
	}
}

// boundsOf returns the corners of the smallest rectangle with some points.
func boundsOf(points []geom.XY) (low, high geom.XY) {
	low = geom.XY{X: math.Inf(1), Y: math.Inf(1)}
	high = geom.XY{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, p := range points {
		low = geom.XY{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = geom.XY{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	return low, high
}
