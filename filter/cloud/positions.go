// SPDX-License-Identifier: BSD-3-Clause

package cloud

import (
	"superpoint/filter/georef"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Positions are the coordinates of the points of a view in metres, in its order.
type Positions struct{ X, Y, Z []float64 }

// Metres returns the positions of a view: its coordinates themselves if these are in metres. warn receives
// assumptions about units.
func (v *View) Metres(run parallel.Run, warn func(text string)) (Positions, error) {
	x, y, z, err := v.Reference.Metres(run, v.X, v.Y, v.Z, warn)
	return Positions{x, y, z}, err
}

// Pick returns the positions of some points.
func (p Positions) Pick(points []int32) Positions {
	return Positions{arrays.Gather(p.X, points), arrays.Gather(p.Y, points), arrays.Gather(p.Z, points)}
}

// New builds the cloud of a view. It fails if a few far points would round the positions of all others.
func New(run parallel.Run, v *View, at Positions, warn func(text string)) (
	_ *neighbor.Cloud, err error) {
	defer parallel.Catch(&err)
	cloud, err := neighbor.New(at.X, at.Y, at.Z, run.Quiet())
	if err != nil {
		return nil, err
	}
	return cloud, georef.CheckPrecision(cloud, [3][]float64{at.X, at.Y, at.Z},
		[3][]float64{v.X, v.Y, v.Z}, warn)
}
