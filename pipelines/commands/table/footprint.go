// SPDX-License-Identifier: BSD-3-Clause

package table

import (
	"errors"
	"image"
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// footprint is the area of a superpoint in a plane: a subset of the Delaunay triangulation of its
// points.
type footprint struct {
	*patch.Triangulation
	Kept   []bool      // of each triangle: it has no edge above the longest allowed
	Least  image.Point // lattice position of the triangulation's origin
	Coarse int         // lattice steps in a step of the triangulation
}

// OwnEdgeFactor is the default longest edge of a footprint, in median edges of its triangulation.
const OwnEdgeFactor = 3

// NewFootprint triangulates positions on a lattice with the given steps in metres. most returns the longest
// allowed edge for the median edge of the triangulation, in metres. It fails with patch.ErrFlat if the points
// are collinear.
func NewFootprint(at []image.Point, step [2]float64, most func(median float64) float64) (*footprint, error) {
	least := planar.Bounds(at...).Min
	// coarser if coordinates overflow or rounding fails
	for coarse := 1; coarse <= 1e6; coarse *= 10 {
		c := &footprint{Least: least, Coarse: coarse}
		points, fit := c.points(at)
		if !fit {
			continue
		}
		var err error
		c.Triangulation, err = patch.Triangulate(points)
		if errors.Is(err, patch.ErrFlat) {
			break
		}
		if err == nil {
			length := c.length(step)
			longest := most(c.median(length))
			c.Kept = c.Within(length, longest)
			return c, nil
		}
	}
	return nil, patch.ErrFlat
}

// points returns positions in steps of the triangulation, rounded. fit is false if one overflows.
func (c *footprint) points(at []image.Point) (points []patch.Point, fit bool) {
	points = make([]patch.Point, len(at))
	for i, p := range at {
		x := (p.X - c.Least.X + c.Coarse/2) / c.Coarse
		y := (p.Y - c.Least.Y + c.Coarse/2) / c.Coarse
		if max(x, y) >= patch.Limit {
			return nil, false
		}
		points[i] = patch.Point{X: int32(x), Y: int32(y)}
	}
	return points, true
}

// length returns a function that returns the length of an edge in metres.
func (c *footprint) length(step [2]float64) func(a, b patch.Point) float64 {
	x, y := step[0]*float64(c.Coarse), step[1]*float64(c.Coarse)
	return func(a, b patch.Point) float64 { return math.Hypot(float64(a.X-b.X)*x, float64(a.Y-b.Y)*y) }
}

// median returns the median edge of at most about 4,096 evenly sampled edges.
func (c *footprint) median(length func(a, b patch.Point) float64) float64 {
	const enough = 1 << 12
	every, n := len(c.Corner)/enough+1, 0
	var all []float64
	c.Edges(func(a, b patch.Point) {
		if n++; n%every == 0 {
			all = append(all, length(a, b))
		}
	})
	return arrays.Median(all)
}

// Spacing returns the median, over about 256 superpoints, of the median edge in X and Y,
// in metres; 0.5 if the points of all of them are collinear.
func (s *Superpoints) Spacing() float64 {
	const enough = 256
	var all []float64
	steps := math.Pow10(s.Place())
	for k := 0; k < s.Groups.Len(); k += s.Groups.Len()/enough + 1 {
		var at []image.Point
		for _, p := range s.Groups.Points(k) {
			at = append(at, planar.Lattice(s.Columns.X[p], s.Columns.Y[p], steps))
		}
		// collinear points have no median
		_, _ = NewFootprint(at, s.Step(k),
			func(median float64) float64 { all = append(all, median); return 0 })
	}
	if len(all) == 0 {
		return 0.5
	}
	return arrays.Median(all)
}

// Step returns the lattice steps of superpoint k in metres.
func (s *Superpoints) Step(k int) [2]float64 {
	f, steps := &s.Forms[k], math.Pow10(s.Place())
	return [2]float64{f.Scale[0] / steps, f.Scale[1] / steps}
}
