// SPDX-License-Identifier: BSD-3-Clause

package raster

import "superpoint/partition/base/parallel"

// surface sets Surface.
func (b *building) surface(run parallel.Run) error {
	made, err := fill(run, b.Grid, b.top, radiusOf(b.all), nil)
	if err != nil {
		return err
	}
	b.Surface = made.values
	if b.Terrain == nil {
		return nil
	}
	for k, ground := range b.Terrain {
		switch {
		case b.inWater(k) && isNone(b.top[k]):
			b.Surface[k] = ground
		case ground > b.Surface[k]: // false if one has no value
			b.Surface[k] = ground
		}
	}
	return nil
}
