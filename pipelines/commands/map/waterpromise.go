// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"errors"
	"math"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"
)

// checkWater checks the layer of water: its polygons were valid when they were read.
func (r *results) checkWater() error {
	if r.m.model == nil {
		return nil
	}
	if len(r.water) != len(r.m.water) {
		return r.broken(mapObjects, "%d bodies of water of %d", len(r.water), len(r.m.water))
	}
	for k := range r.water {
		if err := r.checkBody(&r.water[k]); err != nil {
			return err
		}
	}
	return r.checkLevels()
}

// checkBody checks the place, the area and the level of a body of water.
func (r *results) checkBody(f *object) error {
	id := f.number("id")
	margin := 1.5 * r.m.model.Side * float64(r.m.coarsest)
	for _, at := range corners(f.shape) {
		if !r.m.witness.nearTile(at, margin) {
			return r.broken(mapObjects, "water %v has a corner at %.10g %.10g, outside the tiles",
				id, at.X, at.Y)
		}
	}
	area := f.shape.Area() * r.m.Metres[0] * r.m.Metres[1]
	if given := f.number("area"); math.Abs(given-area) > 0.1+0.001*area {
		return r.broken(mapObjects, "water %v has the area %v, and its polygons %.1f", id, given, area)
	}
	level := f.number("level")
	low, high := r.m.witness.lowest-0.01, r.m.witness.highest+0.01 // attributes are rounded
	if level < low || level > high {
		return r.broken(mapObjects, "water %v has the level %v, and the points have %v to %v", id,
			level, low, high)
	}
	return nil
}

// checkLevels checks the cells of which all points were kept: most points of water lie in a body, and the
// terrain of a body has its level.
func (r *results) checkLevels() error {
	if err := r.scan(); err != nil {
		return err
	}
	bodies := footprintIndex(r.water)
	for k := range r.seen {
		o := &r.seen[k]
		if o.partial || !o.isWater() {
			continue
		}
		if err := r.checkLevel(bodies, o); err != nil {
			return err
		}
	}
	return nil
}

// checkLevel checks a cell with water of which all points were kept.
func (r *results) checkLevel(bodies *rtree.RTree, o *observed) error {
	s := &strip{Raster: r.heads[mapSurface]}
	at := geom.XY{
		X: s.West + (float64(o.cell%s.Columns)+0.5)*s.Width,
		Y: s.North - (float64(o.cell/s.Columns)+0.5)*s.Height,
	}
	within := r.bodyAround(bodies, at, s.Width)
	if within == outside && r.hasBody(o.cell) {
		return r.broken(mapObjects, "%d points of water at %s lie in no body of water",
			o.water, s.centre(o.cell))
	}
	if within < 0 || r.m.model.Terrain == nil {
		return nil
	}
	level := r.water[within].number("level")
	isLevel := math.Abs(level-float64(o.terrain)) <= 0.01 // false without terrain
	if !math.IsNaN(level) && !isLevel {
		return r.broken(mapTerrain, "height %v at %s, and the water there has the level %v", o.terrain,
			s.centre(o.cell), level)
	}
	return nil
}

// hasBody reports whether a cell of a file belongs to a body of water that is large enough for the layer.
func (r *results) hasBody(cell int) bool {
	number := r.body(cell)
	return number > 0 && r.m.shown[number-1]
}

// Places that are in no body of water, by a cell, and near the shore of one.
const (
	outside   = -1
	nearShore = -2
)

// around returns positions in and around a cell, from its centre in cells. Outlines are within half a cell of
// the cells of a body: if all positions are inside, the cell belongs to it, and if none is, it does not.
func around() [9]geom.XY {
	const far, near = 0.75, 0.2
	return [9]geom.XY{{}, {X: far}, {X: -far}, {Y: far}, {Y: -far},
		{X: near, Y: near}, {X: near, Y: -near}, {X: -near, Y: near}, {X: -near, Y: -near}}
}

// bodyAround returns the body of water in which a cell with what is around it lies.
func (r *results) bodyAround(bodies *rtree.RTree, at geom.XY, side float64) int {
	body := outside
	box := rtree.Box{MinX: at.X - side, MinY: at.Y - side, MaxX: at.X + side, MaxY: at.Y + side}
	errShore := errors.New("near a shore")
	err := bodies.RangeSearch(box, func(n int) error {
		in := 0
		places := around()
		for _, to := range places {
			if r.water[n].inside(geom.XY{X: at.X + to.X*side, Y: at.Y + to.Y*side}) {
				in++
			}
		}
		switch in {
		case 0:
			return nil
		case len(places):
			body = n
			return nil
		}
		return errShore
	})
	if err != nil {
		return nearShore
	}
	return body
}
