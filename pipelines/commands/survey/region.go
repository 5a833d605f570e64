// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
)

// haloGrowth is the factor by which a halo that is too narrow is widened.
const haloGrowth = 1.5

// slack is the largest error of lengths in metres from the rounding of positions.
const slack = 1e-3

// region is the area of which a tile has all points: a box, and discs around some places.
type region struct {
	core   tile.Box
	halo   float64
	box    tile.Box
	rims   tile.Box // the box without the sides beyond which there are no points: they are infinite
	unit   float64  // metres per unit of X and Y
	bounds tile.Box // of all sources
	places []local.Ball
}

// newRegion returns the region of a tile with a halo.
func newRegion(v *folder.Survey, t *plan.Tile, halo float64) *region {
	g := &v.Plan.Grid
	s := &region{core: g.Core(t.Column, t.Row), unit: v.Plan.Unit, bounds: v.Plan.Sources[0].Box()}
	for i := range v.Plan.Sources {
		s.bounds = s.bounds.Union(v.Plan.Sources[i].Box())
	}
	s.bounds = s.bounds.Grow(g.Size / 1000) // bounds in headers may be rounded
	s.widen(halo)
	return s
}

// widen sets the halo.
func (s *region) widen(halo float64) {
	s.halo, s.box = halo, s.core.Grow(halo)
	s.rims = s.box
	if s.box.West <= s.bounds.West {
		s.rims.West = math.Inf(-1)
	}
	if s.box.East >= s.bounds.East {
		s.rims.East = math.Inf(1)
	}
	if s.box.South <= s.bounds.South {
		s.rims.South = math.Inf(-1)
	}
	if s.box.North >= s.bounds.North {
		s.rims.North = math.Inf(1)
	}
}

// add adds the places that are not yet covered, those with large radii first, each with its
// radius enlarged by pad, which covers places near by. It reports whether there were any.
func (s *region) add(more []local.Ball, pad float64) (added bool) {
	slices.SortFunc(more, func(a, b local.Ball) int {
		return cmp.Or(cmp.Compare(b.Radius, a.Radius), a.At.Cmp(b.At))
	})
	for _, place := range more {
		if s.Clear(place.At.X/s.unit, place.At.Y/s.unit) <= place.Radius {
			place.Radius += pad
			s.places, added = append(s.places, place), true
		}
	}
	return added
}

// Clear returns the radius of the largest disc around a position in the box or in a disc, in metres.
func (s *region) Clear(x, y float64) float64 {
	far := math.Inf(-1)
	if s.box.Contains(x, y) {
		far = s.rim(x, y)
	}
	if !math.IsInf(far, 1) {
		far = max(far, s.depth(x, y))
	}
	return far - slack
}

// depth returns how deep a position lies in the discs, in metres; −∞ without any.
func (s *region) depth(x, y float64) float64 {
	deepest := math.Inf(-1)
	for i := range s.places {
		p := &s.places[i]
		deepest = max(deepest, p.Radius-math.Hypot(x*s.unit-p.At.X, y*s.unit-p.At.Y))
	}
	return deepest
}

// Square reports whether the region has all points within reach metres of a position along x and y.
func (s *region) Square(x, y, reach float64) bool {
	return s.box.Contains(x, y) && s.rim(x, y) > reach+slack || s.depth(x, y) > math.Sqrt2*reach+slack
}

// touchesAny reports whether the region may touch a box.
func (s *region) touchesAny(b tile.Box) bool {
	if b.Touches(s.box) {
		return true
	}
	for i := range s.places {
		x := s.places[i].At.X / s.unit
		y := s.places[i].At.Y / s.unit
		r := s.places[i].Radius / s.unit
		if b.Touches(tile.Box{West: x - r, South: y - r, East: x + r, North: y + r}) {
			return true
		}
	}
	return false
}

// rim returns the distance in metres from a position to the nearest of the rims; infinite without any.
func (s *region) rim(x, y float64) float64 {
	r := &s.rims
	return min(x-r.West, r.East-x, y-r.South, r.North-y) * s.unit
}
