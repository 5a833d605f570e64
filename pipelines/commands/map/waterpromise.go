// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/raster"
)

// checkWater checks the layer of water: its polygons were valid when they were read.
func (r *results) checkWater() (err error) {
	if r.m.model == nil {
		return nil
	}
	if r.water, err = r.layer(WaterLayer); err != nil {
		return err
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
func (r *results) checkBody(f *geom.GeoJSONFeature) error {
	id := number(f, "id")
	margin := 1.5 * r.m.model.Side
	if r.m.model.Cells() > raster.MostOutlined {
		margin *= math.Sqrt(float64(r.m.model.Cells()) / raster.MostOutlined * 4)
	}
	for _, at := range corners(f.Geometry) {
		if !r.m.witness.nearTile(at, margin) {
			return r.broken(mapObjects, "water %v has a corner at %.10g %.10g, outside the tiles",
				id, at.X, at.Y)
		}
	}
	area := f.Geometry.Area() * r.m.Metres[0] * r.m.Metres[1]
	if given := number(f, "area"); math.Abs(given-area) > 0.1+0.001*area {
		return r.broken(mapObjects, "water %v has the area %v, and its polygons %.1f", id, given, area)
	}
	level := number(f, "level")
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
	head := r.heads[mapSurface]
	seen, err := r.m.witness.group(head)
	if err != nil {
		return r.broken(mapSurface, "%w", err)
	}
	bodies := footprintIndex(r.water)
	rows := map[int][]float32{} // of the terrain
	for _, k := range slices.Sorted(maps.Keys(seen)) {
		o := seen[k]
		if o.partial {
			continue
		}
		s := &strip{Raster: head}
		x := head.West + (float64(k%head.Columns)+0.5)*head.Width
		y := head.North - (float64(k/head.Columns)+0.5)*head.Height
		within := r.bodyAround(bodies, geom.XY{X: x, Y: y}, head.Width)
		isWater := o.water > o.ground
		if isWater && within == outside && r.hasBody(k) {
			return r.broken(mapObjects, "%d points of water at %s lie in no body of water",
				o.water, s.centre(k))
		}
		if within < 0 || r.m.model.Terrain == nil {
			continue
		}
		level := number(&r.water[within], "level")
		terrain, err := r.terrainAt(rows, head.Columns, k)
		if err != nil {
			return err
		}
		if isWater && math.Abs(level-terrain) > 0.01 {
			return r.broken(mapTerrain, "height %v at %s, and the water there has the level %v", terrain,
				s.centre(k), level)
		}
	}
	return nil
}

// terrainAt reads the terrain of a cell. Rows that were read are kept.
func (r *results) terrainAt(rows map[int][]float32, columns, k int) (float64, error) {
	row := k / columns
	if rows[row] == nil {
		rows[row] = make([]float32, columns)
		if _, err := r.m.Host.ReadRaster(filepath.Join(r.m.work, mapTerrain), row, rows[row]); err != nil {
			return 0, r.broken(mapTerrain, "%w", err)
		}
	}
	return float64(rows[row][k%columns]), nil
}

// hasBody reports whether a cell belongs to a body of water that is large enough for the layer.
func (r *results) hasBody(k int) bool {
	number := int32(0)
	if r.m.model.Body != nil {
		number = r.m.model.Body[k]
	}
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
			if inside(r.water[n].Geometry, geom.XY{X: at.X + to.X*side, Y: at.Y + to.Y*side}) {
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
