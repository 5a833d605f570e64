// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"errors"
	"math"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
)

// water checks the layer of bodies of water.
type water struct {
	bodies   []object
	index    *rtree.RTree
	count    int    // bodies that the run states
	shown    []bool // whether a body of the model is one of these
	coarsest int    // cells along a side of the widest ones on which a body was outlined
	points   *bounds
	seen     []observed // cells of the rasters, of which the terrain was read
	grid     grid
	model    *raster.Model
	metres   [3]float64 // in a unit of each axis
}

// checkWater checks the layer of water: its polygons were valid when they were read.
func (l *water) checkWater() error {
	if len(l.bodies) != l.count {
		return broken(contents.Objects, "%d bodies of water of %d", len(l.bodies), l.count)
	}
	for k := range l.bodies {
		if err := l.checkBody(&l.bodies[k]); err != nil {
			return err
		}
	}
	return l.checkLevels()
}

// checkBody checks the place, the area and the level of a body of water.
func (l *water) checkBody(f *object) error {
	id := f.number("id")
	margin := 1.5 * l.model.Side * float64(l.coarsest)
	for _, at := range corners(f.shape) {
		if !l.points.nearTile(at, margin) {
			return broken(contents.Objects, "water %v has a corner at %.10g %.10g, outside the tiles",
				id, at.X, at.Y)
		}
	}
	area := f.shape.Area() * l.metres[0] * l.metres[1]
	if given := f.number("area"); math.Abs(given-area) > 0.1+0.001*area {
		return broken(contents.Objects, "water %v has the area %v, and its polygons %.1f", id, given, area)
	}
	level := f.number("level")
	low, high := l.points.lowest-0.01, l.points.highest+0.01 // attributes are rounded
	if level < low || level > high {
		return broken(contents.Objects, "water %v has the level %v, and the points have %v to %v", id,
			level, low, high)
	}
	return nil
}

// checkLevels checks the cells of which all points were kept: most points of water lie in a body, and the
// terrain of a body has its level.
func (l *water) checkLevels() error {
	for k := range l.seen {
		o := &l.seen[k]
		if o.partial || !o.isWater() {
			continue
		}
		if err := l.checkLevel(o); err != nil {
			return err
		}
	}
	return nil
}

// checkLevel checks a cell with water of which all points were kept.
func (l *water) checkLevel(o *observed) error {
	at := l.grid.centre(o.cell)
	within := l.bodyAround(at, l.grid.width)
	if within == outside && l.hasBody(o.cell) {
		return broken(contents.Objects, "%d points of water at %s lie in no body of water",
			o.water, placeOf(at))
	}
	if within < 0 || l.model.Terrain == nil {
		return nil
	}
	level := l.bodies[within].number("level")
	isLevel := math.Abs(level-float64(o.terrain)) <= 0.01 // false without terrain
	if !math.IsNaN(level) && !isLevel {
		return broken(contents.Terrain, "height %v at %s, and the water there has the level %v", o.terrain,
			placeOf(at), level)
	}
	return nil
}

// hasBody reports whether a cell of a file belongs to a body of water that is large enough for the layer.
func (l *water) hasBody(cell int) bool {
	number := bodyOf(l.model, cell)
	return number > 0 && l.shown[number-1]
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
func (l *water) bodyAround(at geom.XY, side float64) int {
	body := outside
	box := rtree.Box{MinX: at.X - side, MinY: at.Y - side, MaxX: at.X + side, MaxY: at.Y + side}
	errShore := errors.New("near a shore")
	err := l.index.RangeSearch(box, func(n int) error {
		in := 0
		places := around()
		for _, to := range places {
			if l.bodies[n].inside(geom.XY{X: at.X + to.X*side, Y: at.Y + to.Y*side}) {
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
