// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/commands/objects"
)

// mostOverlap is the area in square metres that a crown may share with a footprint for each metre of the
// crown's outline, by rounding.
const mostOverlap = 0.002

// checkCrowns checks the layer of crowns: its polygons were valid when they were read.
func (r *results) checkCrowns() error {
	crowns, err := r.layer(objects.CrownLayer)
	if err != nil {
		return err
	}
	want := 0
	for k := range r.m.Trees {
		if r.m.Trees[k].Crown != nil {
			want++
		}
	}
	if len(crowns) != want {
		return r.broken(mapObjects, "%d crowns of %d", len(crowns), want)
	}
	near := footprintIndex(r.buildings)
	for k := range crowns {
		if err := r.checkCrown(near, &crowns[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkCrown checks that a crown lies over no footprint.
func (r *results) checkCrown(near *rtree.RTree, f *geom.GeoJSONFeature) error {
	low, high, ok := f.Geometry.Envelope().MinMaxXYs()
	if !ok {
		return r.broken(mapObjects, "crown %v has no area", number(f, "id"))
	}
	box := rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}
	return near.RangeSearch(box, func(n int) error {
		common, err := geom.Intersection(f.Geometry, r.buildings[n].Geometry)
		if err != nil {
			return nil // in degenerate cases of the library, which are no fault of the crown
		}
		area := common.Area() * r.m.Metres[0] * r.m.Metres[1]
		length := f.Geometry.Boundary().Length() * r.m.Metres[0]
		if area > mostOverlap*length {
			return r.broken(mapObjects, "crown %v lies over building %v by %.2f m²", number(f, "id"),
				number(&r.buildings[n], "id"), area)
		}
		return nil
	})
}
