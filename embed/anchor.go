// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Level returns the height in metres from which boxes of a cloud are counted: that of the lowest point of
// the layer, thick metres high, which has the most points; of layers with as many, of the lowest one.
//
// Claim: it moves with the cloud, exactly if that moves by whole units. Reason: heights are integers, and
// only their differences are compared. So a cloud keeps its superpoints when its heights are given above
// another surface.
//
// Claim: noise has no effect that is more than thick above or below that layer. Reason: it is in no layer
// that has as many points. The least height would not do: one echo from below the ground moves it. Nor would
// 0 or a bound in the header of a file, which does not move with the points, or may be wrong.
func Level(run parallel.Run, cloud *neighbor.Cloud, thick float64) (level float64, err error) {
	defer parallel.Catch(&err)
	height := func(i int) uint64 { return uint64(int64(cloud.XYZ[i][2]) - math.MinInt32) }
	sorted := arrays.Sorted(run, cloud.Len(), height)
	span := uint64(math.Round(thick / cloud.Unit))
	lowest, most, end := 0, 0, 0
	for first := range sorted {
		for end < len(sorted) && sorted[end].Key-sorted[first].Key <= span {
			end++
		}
		if end-first > most {
			lowest, most = first, end-first
		}
	}
	if most == 0 {
		return cloud.Origin.Z, nil
	}
	units := cloud.XYZ[sorted[lowest].Of][2]
	return cloud.Origin.Z + float64(units)*cloud.Unit, nil
}

// anchored returns the offset of the cloud's origin from its anchor, in units. The anchor is a whole number
// of units in any unit of length; the middle of the cloud is not.
func (ch *Channels) anchored(run parallel.Run, in *Input) (from [3]int64, err error) {
	units := func(v float64) int64 { return int64(math.Round(v / in.Cloud.Unit)) }
	from[0], from[1] = -int64(in.Cloud.Least[0]), -int64(in.Cloud.Least[1])
	if corner := in.Anchor.Corner; corner != nil {
		from[0] = units(in.Cloud.Origin.X) - units(corner[0])
		from[1] = units(in.Cloud.Origin.Y) - units(corner[1])
	}
	level := in.Anchor.Level
	if level == nil {
		own, err := Level(run, in.Cloud, ch.LayerHeight(in.spacing()))
		if err != nil {
			return from, err
		}
		level = &own
	}
	from[2] = units(in.Cloud.Origin.Z) - units(*level)
	return from, nil
}

// LayerHeight returns the height in metres of the boxes in a cloud of a spacing.
func (ch *Channels) LayerHeight(spacing float64) float64 {
	high := DefaultElevation().LayerHeight()
	if ch.Spacing == 0 {
		return high
	}
	return high * spacing / ch.Spacing
}
