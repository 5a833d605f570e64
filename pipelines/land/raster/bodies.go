// SPDX-License-Identifier: BSD-3-Clause

package raster

import "superpoint/partition/base/parallel"

// addWater sets the bodies of water and their heights.
func (b *building) addWater(lakes []level) {
	b.Body = make([]int32, b.Held())
	for _, cells := range group(b.Grid, lakes, stepOf(b.water.spacing()), b.Body) {
		b.Bodies = append(b.Bodies, bodyOf(cells, flat/b.units.Height))
	}
	for _, c := range lakes {
		b.raw[c.k] = float32(c.mean)
		if of := b.Bodies[b.Body[c.k]-1]; of.IsLevel {
			b.raw[c.k] = float32(of.Level)
		}
	}
}

// fillWater adds the cells within bodies of water to them, where there is no ground.
func (b *building) fillWater(run parallel.Run) error {
	_, err := fill(run, b.Grid, b.raw, radiusOf(b.water), b.within())
	return err
}

// within returns the function that adds a cell to the body of water from whose cells it is filled; nil
// without water.
func (b *building) within() func(k int, from corners) {
	if b.Body == nil {
		return nil
	}
	return func(k int, from corners) {
		number := b.Body[from[0]]
		if number == b.Body[from[1]] && number == b.Body[from[2]] {
			b.Body[k] = number
		}
	}
}
