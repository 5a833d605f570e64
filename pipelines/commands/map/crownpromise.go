// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"github.com/peterstace/simplefeatures/rtree"
)

// mostOverlap is the area in square metres that a crown may share with a footprint for each metre of the
// crown's outline, by rounding.
const mostOverlap = 0.002

// checkCrowns checks the layer of crowns: its polygons were valid when they were read.
func (r *results) checkCrowns() error {
	want := 0
	for k := range r.m.Trees {
		if r.m.Trees[k].Crown != nil {
			want++
		}
	}
	if len(r.crowns) != want {
		return r.broken(mapObjects, "%d crowns of %d", len(r.crowns), want)
	}
	near := footprintIndex(r.buildings)
	for k := range r.crowns {
		if err := r.checkCrown(near, &r.crowns[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkCrown checks that a crown lies over no footprint.
func (r *results) checkCrown(near *rtree.RTree, f *object) error {
	low, high, ok := f.shape.Envelope().MinMaxXYs()
	if !ok {
		return r.broken(mapObjects, "crown %v has no area", f.number("id"))
	}
	box := rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}
	return near.RangeSearch(box, func(n int) error {
		area := overlap(f.rings, r.buildings[n].rings) * r.m.Metres[0] * r.m.Metres[1]
		length := f.shape.Boundary().Length() * r.m.Metres[0]
		if area > mostOverlap*length {
			return r.broken(mapObjects, "crown %v lies over building %v by %.2f m²", f.number("id"),
				r.buildings[n].number("id"), area)
		}
		return nil
	})
}
