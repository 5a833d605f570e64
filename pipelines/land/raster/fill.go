// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"errors"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// Cells without a value are filled by linear interpolation in the Delaunay triangles of the centres of the
// cells that have one. A triangle counts if the radius of its circumcircle is at most a limit: that circle is
// empty, so a hole in which a wider circle fits stays without values.
//
// Claim: the rims of holes, the cells beside one without a value, are enough nodes. Reason: a cell whose
// eight neighbours have values has all its Delaunay neighbours among them, so no triangle of its reaches
// another cell.
//
// Claim: the raster can be triangulated in parts. Reason: the circumcircle of a triangle that counts lies
// within two radii of each of its cells, and whether it is empty is all that makes a Delaunay triangle. Nodes
// on one circle have several triangulations, so parts begin at multiples of their side, which does not depend
// on the extent.
//
// Claim: every cell that is filled is held, if the cells within the radius of those with a value are. Reason:
// a point of a triangle is at most the radius of its circumcircle from the next corner.

// A part is a square of at least partSide cells, at most widestPart; its margin is an eighth of it, if that
// is enough.
const (
	partSide   = 256
	widestPart = 1024
)

// sideOfPart returns the side of a part for a largest radius in cells.
func sideOfPart(radius float64) int {
	side := partSide
	for float64(side) < 16*radius && side < widestPart {
		side *= 2
	}
	return side
}

// corners has the cells, by their indices, at the corners of the triangle from which a cell is filled.
type corners [3]int

// filling is a raster whose holes are filled.
type filling struct {
	Grid
	from   []float32 // before
	to     []float32 // after
	radius float64   // largest radius of a circumcircle, cells

	// onFill, if not nil, gets every cell that is filled. It runs in parallel for different cells.
	onFill func(k int, from corners)
}

// filled is a raster after its holes are filled.
type filled struct {
	values []float32
	widest float64 // radius of the largest circumcircle of a triangle from which a cell was filled, cells
}

// fill fills the holes of a raster.
func fill(run parallel.Run, g Grid, values []float32, radius float64,
	onFill func(k int, from corners)) (*filled, error) {
	f := &filling{Grid: g, from: values, to: slices.Clone(values), radius: radius, onFill: onFill}
	parts := f.parts()
	failed := make([]error, len(parts))
	widest := make([]float64, len(parts))
	err := run.ForEach(len(parts), 1, func(k int) { widest[k], failed[k] = f.fillPart(parts[k]) })
	if err != nil {
		return nil, err
	}
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	return &filled{f.to, slices.Max(append(widest, 0))}, nil
}

// parts returns the parts that have cells that are held.
func (f *filling) parts() (all []image.Rectangle) {
	side := sideOfPart(f.radius)
	seen := map[image.Point]bool{}
	for _, r := range f.held.Rectangles() {
		cells := turnedArea(r.Rectangle)
		first := planar.CellOf(cells.Min, image.Pt(side, side))
		last := planar.CellOf(cells.Max.Sub(image.Pt(1, 1)), image.Pt(side, side))
		for y := first.Y; y <= last.Y; y++ {
			for x := first.X; x <= last.X; x++ {
				if at := image.Pt(x, y); !seen[at] {
					seen[at] = true
					part := image.Rect(x*side, y*side, (x+1)*side, (y+1)*side)
					all = append(all, part.Intersect(f.Area))
				}
			}
		}
	}
	return all
}

// window has the values before of a rectangle of cells.
type window struct {
	image.Rectangle
	values []float32 // in rows from the north
}

func (f *filling) window(of image.Rectangle) *window {
	return &window{of, planar.Dense(f.held, f.from, turnedArea(of), none())}
}

// row returns the values of the cells of a rectangle in one row.
func (w *window) row(r image.Rectangle, y int) []float32 {
	first := (w.Max.Y-1-y)*w.Dx() + r.Min.X - w.Min.X
	return w.values[first : first+r.Dx()]
}

// at returns the value of a cell.
func (w *window) at(cell image.Point) float32 { return w.row(planar.One(cell), cell.Y)[0] }

func (w *window) hasHole(part image.Rectangle) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		if slices.ContainsFunc(w.row(part, y), isNone) {
			return true
		}
	}
	return false
}

// isRim reports whether a cell has a value, and one beside it has none.
func (w *window) isRim(cell image.Point) bool {
	if isNone(w.at(cell)) {
		return false
	}
	return w.hasHole(planar.Grown(planar.One(cell), image.Pt(1, 1)).Intersect(w.Rectangle))
}

// rim returns the cells of the rims of holes in a rectangle, relative to its first cell.
func (w *window) rim(of image.Rectangle) (rim []patch.Point) {
	for x := of.Min.X; x < of.Max.X; x++ {
		for y := of.Min.Y; y < of.Max.Y; y++ {
			if w.isRim(image.Pt(x, y)) {
				rim = append(rim, patch.Point{X: int32(x - of.Min.X), Y: int32(y - of.Min.Y)})
			}
		}
	}
	return rim
}

// fillPart fills the holes of a part, and returns the radius of the largest circumcircle that was needed.
func (f *filling) fillPart(part image.Rectangle) (widest float64, err error) {
	margin := int(math.Ceil(2*f.radius)) + 1
	near := planar.Grown(part, image.Pt(margin, margin)).Intersect(f.Area)
	values := f.window(planar.Grown(near, image.Pt(1, 1)).Intersect(f.Area))
	if !values.hasHole(part) {
		return 0, nil
	}
	rim := values.rim(near)
	if len(rim) == 0 {
		return 0, nil
	}
	t, err := patch.Triangulate(rim)
	if errors.Is(err, patch.ErrFlat) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	inPart := part.Sub(near.Min)
	for first := 0; first < len(t.Corner); first += 3 {
		at := [3]patch.Point{t.At[t.Corner[first]], t.At[t.Corner[first+1]], t.At[t.Corner[first+2]]}
		if patch.Cross(at[0], at[1], at[2]) == 1 {
			continue // of three neighbours, without another cell
		}
		radius := circumradius(at)
		if radius <= f.radius && f.fillTriangle(near.Min, inPart, at) {
			widest = max(widest, radius)
		}
	}
	return widest, nil
}

// circumradius returns the radius of the circle through three points.
func circumradius(at [3]patch.Point) float64 {
	squares := square(at[0], at[1]) * square(at[1], at[2]) * square(at[2], at[0])
	return math.Sqrt(squares) / (2 * float64(patch.Cross(at[0], at[1], at[2])))
}

// square returns the squared distance of two points.
func square(a, b patch.Point) float64 {
	dx, dy := float64(a.X-b.X), float64(a.Y-b.Y)
	return dx*dx + dy*dy
}

// fillTriangle fills the cells of a part whose centres are in a triangle, and reports whether there are any.
// Positions are relative to origin.
func (f *filling) fillTriangle(origin image.Point, part image.Rectangle, at [3]patch.Point) (any bool) {
	var from corners
	var box image.Rectangle
	for i, p := range at {
		corner := image.Pt(int(p.X), int(p.Y))
		box = box.Union(planar.One(corner))
		from[i] = f.Index(corner.Add(origin))
	}
	box = box.Intersect(part)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			weights, inside := barycentric(at, patch.Point{X: int32(x), Y: int32(y)})
			if !inside {
				continue
			}
			k := f.Index(image.Pt(x, y).Add(origin))
			if !isNone(f.to[k]) {
				continue
			}
			f.to[k] = f.interpolate(from, weights)
			any = true
			if f.onFill != nil {
				f.onFill(k, from)
			}
		}
	}
	return any
}

// barycentric returns twice the areas of the triangles of a point and the edges opposite to the corners, and
// whether the point is in the triangle, borders included.
func barycentric(at [3]patch.Point, p patch.Point) (weights [3]int64, inside bool) {
	weights[0] = patch.Cross(at[1], at[2], p)
	weights[1] = patch.Cross(at[2], at[0], p)
	weights[2] = patch.Cross(at[0], at[1], p)
	return weights, min(weights[0], weights[1], weights[2]) >= 0
}

// interpolate returns the mean of the values at corners by weights.
func (f *filling) interpolate(from corners, weights [3]int64) float32 {
	total := 0.0
	value := 0.0
	for i, k := range from {
		weight := float64(weights[i])
		total += weight
		value += weight * float64(f.from[k])
	}
	return float32(value / total)
}
