// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"errors"
	"fmt"

	"superpoint/filter/memory"
	"superpoint/pipelines/land/raster"
)

// maxCells bounds a raster, and bytesPerCell is what its steps need for a cell near points: measured where
// few cells had points, with what Go has not collected.
const (
	maxCells     = 1 << 29
	bytesPerCell = 32
)

// Check returns an error if all points are noise, or if tiles that are far from one another, or small
// cells, make the rasters too large.
func Check(heights *raster.Bins, s Settings, at Place) error {
	area := heights.Area()
	if area.Empty() {
		return errors.New("all points are noise")
	}
	var err error
	if float64(area.Dx())*float64(area.Dy()) > maxCells {
		err = fmt.Errorf("%d × %d cells are too many", area.Dx(), area.Dy())
	} else {
		err = checkMemory(heights, Units(s, at))
	}
	if err != nil {
		err = fmt.Errorf("%w; give a larger --resolution (it is %g m), or map tiles that are far from one "+
			"another into folders of their own", err, s.Resolution)
	}
	return err
}

// Oversampled describes rasters of more than a million cells, nearly all of which are filled between points
// that are some metres apart, with the remedy; "" for others.
func Oversampled(heights *raster.Bins, s Settings, spacing float64) string {
	const (
		finest = 10  // cells in a spacing
		small  = 1e6 // cells that take no time
	)
	area := heights.Area()
	cells := float64(area.Dx()) * float64(area.Dy())
	if spacing <= finest*s.Resolution || cells <= small {
		return ""
	}
	return fmt.Sprintf("points %.3g m apart make rasters of %.1f million cells of %g m, nearly all of them "+
		"filled between points; --resolution %.2g is faster and shows as much",
		spacing, cells/1e6, s.Resolution, spacing/2)
}

// checkMemory returns an error if there is not enough memory for the cells near points.
func checkMemory(heights *raster.Bins, u raster.Units) error {
	held, err := raster.Held(heights, u)
	if err != nil {
		return err
	}
	return memory.CheckCells(held, bytesPerCell)
}
