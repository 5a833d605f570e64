// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"superpoint/filter/land"
	"superpoint/filter/models"
)

// setClasses sets what depends on the classifier and its codes.
func (m *mapping) setClasses(given map[string]string) error {
	model, err := models.Classes("classes", given["classes"])
	if err != nil {
		return err
	}
	m.limits = model.Card.Training.Limits
	if m.cover, err = heightOfCover(given["vegetation_heights"]); err != nil {
		return err
	}
	if m.codes, err = land.ParseClassCodes(model, given["class_codes"]); err != nil {
		return err
	}
	if m.back, err = m.codes.Back(); err != nil {
		return err
	}
	return m.SetCodes(m.codes.Of)
}

// defaultCover is the height in metres at which vegetation is medium and no longer low (ASPRS, LAS 1.4).
const defaultCover = 0.5

// heightOfCover returns the greatest height of low vegetation by the option vegetation_heights. If that says
// that no vegetation is low, points of this class have it from elsewhere.
func heightOfCover(option string) (float64, error) {
	if option == "" {
		return defaultCover, nil
	}
	heights, err := land.VegetationHeights(option)
	if err != nil || heights[0] == 0 {
		return defaultCover, err
	}
	return heights[0], nil
}
