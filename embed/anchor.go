// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// BoxFloor returns the height in metres from which boxes of a cloud are counted: the height of the lowest
// point in the layer, thick metres high, that has the most points. Of several layers with as many points,
// the lowest counts.
//
// Claim: it moves with the cloud, exactly if the cloud moves by whole units. Reason: heights are
// integers, and only their differences are compared. So a cloud keeps its superpoints when its heights
// are given above another surface.
//
// Claim: noise more than thick above or below that layer has no effect. Reason: it is in no layer that has
// as many points. The least height would not do: one echo from below the ground moves it. Nor would 0 or a
// bound in the header of a file, which does not move with the points, or may be wrong.
func BoxFloor(run parallel.Run, cloud *neighbor.Cloud, thick float64) (floor float64, err error) {
	defer parallel.Catch(&err)
	// Keys are unsigned. The least int32 becomes 0, so that keys have the order of heights; converted without
	// this shift, heights below the origin would follow all others.
	height := func(i int) uint64 { return uint64(int64(cloud.XYZ[i][2]) - math.MinInt32) }
	sorted := arrays.Sorted(run, cloud.Len(), height)
	span := uint64(math.Round(thick / cloud.Unit))
	// Invariant, behind the inner loop: sorted[first:end] are the points of the layer that begins at first,
	// both borders included. Heights ascend with first, so end moves forward only: O(n) after the sort. A
	// later layer replaces lowest only with more points, so that the lowest of equals stays.
	lowest := 0 // index of the first point of the layer with most points
	most := 0   // their number
	end := 0
	for first := range sorted {
		for end < len(sorted) && sorted[end].Key-sorted[first].Key <= span {
			end++
		}
		if end-first > most {
			lowest, most = first, end-first
		}
	}
	// A point is in the layer that begins at it. So only a cloud without points has no layer.
	if most == 0 {
		return cloud.Origin.Z, nil
	}
	units := cloud.XYZ[sorted[lowest].Of][2]
	return cloud.Origin.Z + float64(units)*cloud.Unit, nil
}

// anchored returns the offset of the cloud's origin from its anchor, in units. The anchor is a whole number
// of units in any unit of length; the middle of the cloud is not.
//
// Claim: from plus XYZ, the position of a point from the anchor, is the same in all tiles of one unit that
// have the point. Reason: origins are whole numbers of units (neighbor.New), so that rounding removes only
// the error of the product, and differences of integers are exact. Differences in metres would depend on the
// origin of the tile in their last bits.
//
// It is in units, and measured on the cloud before scaling: from holds for the scaled cloud, too, whose
// XYZ are the same numbers (Cloud.Scaled).
func (ch *Channels) anchored(run parallel.Run, in *Input) (from [3]int64, err error) {
	units := func(v float64) int64 { return int64(math.Round(v / in.Cloud.Unit)) }
	// Without a corner the anchor is the least x and y of this cloud, which XYZ have in units from the
	// origin. The offset leads from the anchor to the origin, hence the sign.
	from[0], from[1] = -int64(in.Cloud.Least[0]), -int64(in.Cloud.Least[1])
	if corner := in.Anchor.Corner; corner != nil {
		from[0] = units(in.Cloud.Origin.X) - units(corner[0])
		from[1] = units(in.Cloud.Origin.Y) - units(corner[1])
	}
	// A tile needs the floor of its full cloud: a tile in a valley has the most points in another layer than
	// the hills around it.
	floor := in.Anchor.Floor
	if floor == nil {
		own, err := BoxFloor(run, in.Cloud, ch.LayerHeight(in.spacing()))
		if err != nil {
			return from, err
		}
		floor = &own
	}
	// A floor that BoxFloor measured is a whole number of units from the origin: the difference is that
	// number, with the other sign.
	from[2] = units(in.Cloud.Origin.Z) - units(*floor)
	return from, nil
}

// LayerHeight returns the height in metres of the boxes in a cloud of a spacing.
//
// Boxes are counted in the cloud scaled to the reference spacing, and BoxFloor in the cloud before that. So
// the height is divided by the factor (scaled), and a layer of BoxFloor is as thick as a box.
func (ch *Channels) LayerHeight(spacing float64) float64 {
	high := DefaultElevation().LayerHeight()
	if ch.Spacing == 0 {
		return high
	}
	return high * spacing / ch.Spacing
}
