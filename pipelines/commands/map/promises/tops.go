// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/commands/map/contents"
)

// topReach is how far the top of a building may be from its footprint, in cells of its outline: walls are
// straight, and the cells of their points are not.
const topReach = 1

// roofTops finds the highest cell of the surface at each footprint. The surface has the highest points.
type roofTops struct {
	buildings []object
	index     *rtree.RTree
	reach     float64   // from a footprint to the middle of a cell
	highest   []float64 // of the cells at a footprint
	rows      []int     // that were read, of those around a footprint
}

// newRoofTops returns the tops of buildings whose points may be some reach from their footprints.
func newRoofTops(buildings []object, reach float64, g grid) *roofTops {
	t := &roofTops{
		buildings: buildings,
		index:     boundsIndex(buildings),
		reach:     reach + math.Hypot(g.width, g.height)/2,
		highest:   make([]float64, len(buildings)),
		rows:      make([]int, len(buildings)),
	}
	for k := range t.highest {
		t.highest[k] = math.Inf(-1)
	}
	return t
}

// around returns the bounds of the cells around a building.
func (t *roofTops) around(k int) rtree.Box {
	low, high, _ := t.buildings[k].shape.Envelope().MinMaxXYs()
	return rtree.Box{MinX: low.X - t.reach, MinY: low.Y - t.reach, MaxX: high.X + t.reach,
		MaxY: high.Y + t.reach}
}

// near calls a function for the buildings around which cells of a strip lie.
func (t *roofTops) near(s *strip, visit func(k int) error) error {
	north := s.north - float64(s.first)*s.grid.height
	return t.index.RangeSearch(rtree.Box{
		MinX: s.west - t.reach,
		MaxX: s.west + float64(s.columns)*s.width + t.reach,
		MinY: north - float64(s.count)*s.grid.height - t.reach,
		MaxY: north + t.reach,
	}, visit)
}

// hasAny reports whether cells of a strip lie around a building.
func (t *roofTops) hasAny(s *strip) (found bool) {
	_ = t.near(s, func(int) error {
		found = true
		return rtree.Stop
	})
	return found
}

// add adds the surface in a strip.
func (t *roofTops) add(s *strip) {
	_ = t.near(s, func(k int) error {
		t.addTo(k, s)
		return nil
	})
}

// addTo adds the surface in a strip to a building.
func (t *roofTops) addTo(k int, s *strip) {
	first, last, west, east := s.cellsIn(t.around(k))
	for row := max(first, s.first); row < min(last, s.first+s.count); row++ {
		t.rows[k]++
		for column := west; column < east; column++ {
			cell := row*s.columns + column
			z := float64(s.heights[contents.Surface][cell-s.first*s.columns])
			if z > t.highest[k] && t.buildings[k].isWithin(t.reach, s.centre(cell)) {
				t.highest[k] = z
			}
		}
	}
}

// check returns an error if a building all of whose cells were read is higher than they are.
func (t *roofTops) check(g grid) error {
	const rounded = 0.02 // attributes and cells
	for k := range t.buildings {
		f := &t.buildings[k]
		first, last, _, _ := g.cellsIn(t.around(k))
		if t.rows[k] < last-first {
			continue
		}
		if top := f.number("top"); top > t.highest[k]+rounded {
			return broken(contents.Objects,
				"building %v has top %v, and the points at its footprint at most %v",
				f.number("id"), top, t.highest[k])
		}
	}
	return nil
}

// cellsIn returns the rows, from the north, and the columns of a raster whose cells overlap some bounds: from
// the first to before the last.
func (g grid) cellsIn(box rtree.Box) (first, last, west, east int) {
	first = max(0, int(math.Floor((g.north-box.MaxY)/g.height)))
	last = min(g.rows, int(math.Ceil((g.north-box.MinY)/g.height)))
	west = max(0, int(math.Floor((box.MinX-g.west)/g.width)))
	east = min(g.columns, int(math.Ceil((box.MaxX-g.west)/g.width)))
	return first, last, west, east
}

// isWithin reports whether a position is in the polygons of an object or within some reach of them.
func (o *object) isWithin(reach float64, at geom.XY) bool {
	if o.inside(at) {
		return true
	}
	for _, ring := range o.rings {
		for k := 1; k < len(ring); k++ {
			if distance(at, ring[k-1], ring[k]) <= reach {
				return true
			}
		}
	}
	return false
}

// distance returns the distance of a position from the line between two others.
func distance(at, from, to geom.XY) float64 {
	along := to.Sub(from)
	share := 0.0
	if length := along.Dot(along); length > 0 {
		share = min(1, max(0, at.Sub(from).Dot(along)/length))
	}
	return at.Sub(from.Add(along.Scale(share))).Length()
}
