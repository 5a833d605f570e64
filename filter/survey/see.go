package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// slack is what lengths in metres may be off by, as positions are rounded.
const slack = 1e-3

// view is what a tile sees: what lies within a box, and around some places.
type view struct {
	core     tile.Box
	halo     float64
	box      tile.Box
	unit     float64  // metres per unit of X and Y
	vertical float64  // of Z
	bounds   tile.Box // of all sources
	cells    float64  // metres; two cells of the order of points
	places   []local.Place
}

// see returns what a tile sees with a halo.
func (v *Survey) see(t *planned, halo float64) *view {
	g := &v.plan.Grid
	s := &view{core: g.Core(t.Column, t.Row), unit: v.plan.Unit, vertical: v.plan.Exact.Vertical,
		cells: 2 * v.plan.cells().Edge() * neighbor.Unit,
		bounds: tile.Box{West: math.Inf(1),
			South: math.Inf(1), East: math.Inf(-1), North: math.Inf(-1)}}
	for i := range v.plan.Sources {
		b := v.plan.Sources[i].Bounds
		s.bounds = tile.Box{West: min(s.bounds.West, b[0]), South: min(s.bounds.South, b[1]),
			East: max(s.bounds.East, b[2]), North: max(s.bounds.North, b[3])}
	}
	s.bounds = s.bounds.Grow(g.Size / 1000) // as headers may be rounded
	s.widen(halo)
	return s
}

func (s *view) widen(halo float64) { s.halo, s.box = halo, s.core.Grow(halo) }

// add takes in more places, each with as much around it that what is near is clear,
// too, and reports whether there were any that are not seen yet. Of places side by side
// one is enough.
func (s *view) add(more []local.Place, pad float64) (added bool) {
	slices.SortFunc(more, func(a, b local.Place) int {
		return cmp.Or(cmp.Compare(b.Radius, a.Radius), a.At.Cmp(b.At))
	})
	for _, place := range more {
		if s.clearAt(place.At.X/s.unit, place.At.Y/s.unit, place.At) <= place.Radius {
			place.Radius += pad
			s.places, added = append(s.places, place), true
		}
	}
	return added
}

// clear returns how far everything is seen around a place, in metres.
func (s *view) clear(x, y, z float64) float64 {
	return s.clearAt(x, y, r3.Vector{X: x * s.unit, Y: y * s.unit, Z: z * s.vertical})
}

func (s *view) clearAt(x, y float64, at r3.Vector) float64 {
	far := math.Inf(-1)
	if s.box.Contains(x, y) {
		far = s.rim(x, y)
	}
	if !math.IsInf(far, 1) {
		for i := range s.places {
			far = max(far, s.places[i].Radius-at.Sub(s.places[i].At).Norm())
		}
	}
	return far - slack
}

// cube reports whether all points are seen that are no farther from a place than the
// reach, in metres, along each axis.
func (s *view) cube(x, y, z, reach float64) bool {
	if s.box.Contains(x, y) && s.rim(x, y) > reach+slack {
		return true
	}
	at := r3.Vector{X: x * s.unit, Y: y * s.unit, Z: z * s.vertical}
	for i := range s.places {
		if s.places[i].Radius-at.Sub(s.places[i].At).Norm() > math.Sqrt(3)*reach+slack {
			return true
		}
	}
	return false
}

// column reports whether all points above and below a place are seen.
func (s *view) column(x, y, z float64) bool {
	return s.box.Contains(x, y) && s.rim(x, y) > s.cells+slack ||
		s.within(r3.Vector{X: x * s.unit, Y: y * s.unit, Z: z * s.vertical})
}

// within reports whether a point is near one of the places.
func (s *view) within(at r3.Vector) bool {
	for i := range s.places {
		if at.Sub(s.places[i].At).Norm() < s.places[i].Radius-slack {
			return true
		}
	}
	return false
}

// touchesAny reports whether any of a box may be seen, or is that far away from it.
func (s *view) touchesAny(b tile.Box) bool {
	if touches(b, s.box) {
		return true
	}
	for i := range s.places {
		x, y, r := s.places[i].At.X/s.unit, s.places[i].At.Y/s.unit, s.places[i].Radius/s.unit
		if touches(b, tile.Box{West: x - r, South: y - r, East: x + r, North: y + r}) {
			return true
		}
	}
	return false
}

// rim returns how far it is from a place to where the view ends, in metres;
// beyond the survey's bounds it does not.
func (s *view) rim(x, y float64) float64 {
	rim := math.Inf(1)
	for _, side := range []struct {
		open bool
		rim  float64
	}{
		{s.box.West > s.bounds.West, x - s.box.West}, {s.box.East < s.bounds.East, s.box.East - x},
		{s.box.South > s.bounds.South, y - s.box.South}, {s.box.North < s.bounds.North, s.box.North - y},
	} {
		if side.open {
			rim = min(rim, side.rim)
		}
	}
	return rim * s.unit
}
