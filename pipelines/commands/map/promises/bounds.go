// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"slices"

	"github.com/peterstace/simplefeatures/geom"
)

// bounds are the bounds of the points of a map.
type bounds struct {
	lowest  float64 // of the points that are not noise
	highest float64
	tiles   []extent
}

// extent is the smallest rectangle with the points of a tile.
type extent struct{ west, south, east, north float64 }

// nearTile reports whether a position is in a tile, or within a margin of one.
func (b *bounds) nearTile(at geom.XY, margin float64) bool {
	return slices.ContainsFunc(b.tiles, func(t extent) bool {
		across := at.X >= t.west-margin && at.X <= t.east+margin
		return across && at.Y >= t.south-margin && at.Y <= t.north+margin
	})
}

// contain reports whether a height is one of the points, within a margin.
func (b *bounds) contain(height, margin float64) bool {
	return height >= b.lowest-margin && height <= b.highest+margin
}
