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

// checkMemory returns an error if there is not enough memory for the cells near points.
func checkMemory(heights *raster.Bins, u raster.Units) error {
	held, err := raster.Held(heights, u)
	if err != nil {
		return err
	}
	return memory.CheckCells(held, bytesPerCell)
}
