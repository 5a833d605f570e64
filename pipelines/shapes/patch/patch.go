// SPDX-License-Identifier: BSD-3-Clause

// Package patch computes the area that points cover in a plane: the triangles of their Delaunay
// triangulation without edges longer than a limit, similar to alpha shapes (Edelsbrunner,
// Kirkpatrick and Seidel 1983, doi:10.1109/TIT.1983.1056714). It also has the types of polygons.
//
// Positions are integers below 2²⁵, so that orientations are exact. Each triangulation is checked:
// its triangles must cover its hull once. Results do not depend on the order of points.
package patch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fogleman/delaunay"
	"github.com/peterstace/simplefeatures/geom"
)

// Limit is the upper bound of positions: 0 ≤ x, y < Limit, so that products of differences are
// exact in float64.
const Limit = 1 << 25

// Point is a position in steps.
type Point struct{ X, Y int32 }

// Triangulation is a Delaunay triangulation. Half edge e of triangle e/3 runs
// from Corner[e] to the triangle's next corner.
type Triangulation struct {
	At     []Point // distinct positions, by X, then Y
	Corner []int32 // number of triangles × 3, counter-clockwise, indices into At
	Twin   []int32 // for each half edge the one across it, −1 on the hull
}

// ErrFlat is returned if all points are collinear.
var ErrFlat = errors.New("the points span no triangle")

// Triangulate returns the Delaunay triangulation of points in any order, without duplicates. It
// fails with ErrFlat for collinear points, and with another error if a position is out of range or
// rounding makes the triangulation invalid, which coarser positions avoid.
func Triangulate(points []Point) (*Triangulation, error) {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(p, q Point) int { return cmp.Or(int(p.X)-int(q.X), int(p.Y)-int(q.Y)) })
	sorted = slices.Compact(sorted)
	if flat(sorted) {
		return nil, ErrFlat
	}
	swapped, err := swap(sorted)
	if err != nil {
		return nil, err
	}
	made, err := delaunay.Triangulate(swapped)
	if err != nil {
		return nil, err
	}
	t := &Triangulation{At: sorted, Corner: narrow(made.Triangles), Twin: narrow(made.Halfedges)}
	return t, t.check()
}

// flat reports whether points are collinear.
func flat(points []Point) bool {
	if len(points) < 3 {
		return true
	}
	for _, p := range points[2:] {
		if Cross(points[0], points[1], p) != 0 {
			return false
		}
	}
	return true
}

// swap returns points with X and Y exchanged: the library turns clockwise where y points up.
func swap(points []Point) ([]delaunay.Point, error) {
	swapped := make([]delaunay.Point, len(points))
	for i, p := range points {
		if min(p.X, p.Y) < 0 || max(p.X, p.Y) >= Limit {
			return nil, fmt.Errorf("position (%d, %d) is outside [0, %d)", p.X, p.Y, Limit)
		}
		swapped[i] = delaunay.Point{X: float64(p.Y), Y: float64(p.X)}
	}
	return swapped, nil
}

// narrow returns indices as 32-bit integers.
func narrow(wide []int) []int32 {
	indices := make([]int32, len(wide))
	for k, index := range wide {
		indices[k] = int32(index)
	}
	return indices
}

// Cross returns twice the area of a triangle, positive when counter-clockwise.
func Cross(a, b, c Point) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}

// next returns the half edge after e in its triangle.
func next(e int32) int32 { return e - e%3 + (e+1)%3 }

// ends returns the positions that half edge e joins.
func (t *Triangulation) ends(e int32) (from, to Point) {
	return t.At[t.Corner[e]], t.At[t.Corner[next(e)]]
}

// check fails unless the triangles cover the hull once: each is counter-clockwise, twins have
// opposite directions, and the edges without a twin form one convex ring with winding number 1.
// The triangles cover every point as often as that ring winds around it.
func (t *Triangulation) check() error {
	after := make(map[int32]int32) // hull edges by their first corner
	for e := range t.Corner {
		e := int32(e)
		if e%3 == 0 && Cross(t.At[t.Corner[e]], t.At[t.Corner[e+1]], t.At[t.Corner[e+2]]) <= 0 {
			return fmt.Errorf("triangle %d of %d is not counter-clockwise", e/3, len(t.Corner)/3)
		}
		switch twin := t.Twin[e]; {
		case twin < 0:
			after[t.Corner[e]] = e
		case t.Twin[twin] != e || t.Corner[twin] != t.Corner[next(e)] || t.Corner[next(twin)] != t.Corner[e]:
			return fmt.Errorf("half edges %d and %d do not match", e, twin)
		}
	}
	return t.checkHull(after)
}

func (t *Triangulation) checkHull(after map[int32]int32) error {
	first := after[slices.Min(slices.Collect(maps.Keys(after)))]
	e := first
	seen := 0
	rises := 0
	for {
		following, ok := after[t.Corner[next(e)]]
		if !ok {
			return errors.New("the hull is not closed")
		}
		a, b := t.ends(e)
		_, c := t.ends(following)
		if Cross(a, b, c) < 0 {
			return fmt.Errorf("the hull is not convex at (%d, %d)", b.X, b.Y)
		}
		if !up(a, b) && up(b, c) {
			rises++
		}
		seen++
		if e = following; e == first || seen > len(after) {
			break
		}
	}
	if seen != len(after) || rises != 1 {
		return fmt.Errorf("the hull has %d of %d edges and turns round %d times", seen, len(after), rises)
	}
	return nil
}

// up reports whether the direction from a to b is in [0°, 180°).
func up(a, b Point) bool { return b.Y > a.Y || b.Y == a.Y && b.X > a.X }

// Edges calls visit once for every edge.
func (t *Triangulation) Edges(visit func(a, b Point)) {
	for e, twin := range t.Twin {
		if twin < int32(e) {
			visit(t.ends(int32(e)))
		}
	}
}

// Within reports for each triangle whether the length of all its edges is at most most.
func (t *Triangulation) Within(length func(a, b Point) float64, most float64) []bool {
	kept := make([]bool, len(t.Corner)/3)
	for i := range kept {
		a := t.At[t.Corner[3*i]]
		b := t.At[t.Corner[3*i+1]]
		c := t.At[t.Corner[3*i+2]]
		kept[i] = length(a, b) <= most && length(b, c) <= most && length(c, a) <= most
	}
	return kept
}

// Ring is a closed line without repeated or collinear positions; the first is not repeated at the
// end. Outer rings are counter-clockwise, holes clockwise.
type Ring []Point

// Area2 returns twice the area, positive if counter-clockwise.
func (r Ring) Area2() int64 {
	sum := int64(0)
	for i := 2; i < len(r); i++ {
		sum += Cross(r[0], r[i-1], r[i])
	}
	return sum
}

// Polygon is an outer ring and its holes.
type Polygon []Ring

// Area2 returns twice the area.
func (p Polygon) Area2() int64 {
	sum := int64(0)
	for _, r := range p {
		sum += r.Area2()
	}
	return sum
}

// Line returns the line through positions.
func Line(at ...Point) geom.LineString {
	var flat []float64
	for _, p := range at {
		flat = append(flat, float64(p.X), float64(p.Y))
	}
	return geom.NewLineString(geom.NewSequence(flat, geom.DimXY))
}

// Validate returns an error unless polygons are valid (OGC 06-103r4) and do not overlap: rings are simple,
// outer ones counter-clockwise and holes clockwise, holes are in their outer ring, and rings share single
// points at most.
func Validate(all ...Polygon) error {
	made := make([]geom.Polygon, len(all))
	for i, p := range all {
		var rings []geom.LineString
		for _, r := range p {
			rings = append(rings, Line(append(slices.Clip(r), r[0])...))
		}
		made[i] = geom.NewPolygon(rings)
	}
	m := geom.NewMultiPolygon(made)
	if err := m.Validate(); err != nil || m.IsCCW() {
		return err
	}
	return errors.New("a ring turns the wrong way")
}

// Loops splits a closed walk at repeated places into simple rings: the part between two visits of
// a place is a ring, for example a hole that touches the outer ring.
func Loops[T comparable](walk []T) (rings [][]T) {
	var path []T
	index := make(map[T]int) // on the path
	for _, p := range walk {
		if at, met := index[p]; met {
			rings = append(rings, slices.Clone(path[at:]))
			for _, gone := range path[at:] {
				delete(index, gone)
			}
			path = path[:at]
		}
		index[p] = len(path)
		path = append(path, p)
	}
	return append(rings, path)
}
