// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"fmt"

	"superpoint/partition/base/parallel"
)

// Metres returns coordinates in metres: the arrays themselves if they are in metres, else new ones
// (24 bytes per point). warn receives assumptions about units.
func (r Reference) Metres(run parallel.Run, x, y, z []float64, warn func(text string)) (east, north,
	up []float64, err error) {
	if len(y) != len(x) || len(z) != len(x) {
		return nil, nil, nil, fmt.Errorf("view: %d X, %d Y and %d Z coordinates", len(x), len(y), len(z))
	}
	r = r.Local(y, warn)
	u, err := r.units()
	if err != nil {
		return nil, nil, nil, err
	}
	if u.warning != "" {
		warn(u.warning)
	}
	if u.geographic {
		return geographicToMetres(run, x, y, z, u, warn)
	}
	east, err = scaled(run, x, u.horizontal)
	north, also := scaled(run, y, u.horizontal)
	up, last := scaled(run, z, u.vertical)
	return east, north, up, cmp.Or(err, also, last)
}

// Local returns the reference with the units at the middle of coordinates Y, because the units of a
// Mercator projection depend on Y. The parts of a cloud share these units. warn, if not nil, is called if
// they vary.
func (r Reference) Local(y []float64, warn func(text string)) Reference {
	if r = r.known(); r.mercator.scale == 0 {
		return r
	}
	south, north := Bounds(y)
	middle := (south + north) / 2
	u, err := r.units()
	if err != nil || middle-middle != 0 {
		return r
	}
	const much = 0.01
	unit := u.across(middle)
	least, most := Bounds([]float64{u.across(south) / unit, u.across(north) / unit})
	if off := max(most-1, 1-least); off > much && warn != nil {
		warn(
			fmt.Sprintf(
				"the view reaches so far in its Mercator projection that lengths are off by up to %.0f %%; "+
					"reproject it (filters.reprojection)", 100*off))
	}
	r.HorizontalUnit = unit
	r.VerticalUnit = u.vertical
	r.mercator = mercator{}
	r.GeoKeys = "" // keys are checked
	return r
}
