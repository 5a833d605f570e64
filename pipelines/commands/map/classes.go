// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"superpoint/filter/land"
	"superpoint/filter/models"
)

// classification is what depends on the classifier of a map and its codes.
type classification struct {
	codes  land.CodeTable
	back   map[int]int // codes of LAS by codes of the files
	limits []string    // of the classifier
}

// classificationOf returns the classification by the options of a stage.
func classificationOf(options map[string]string) (c classification, err error) {
	model, err := models.Classes("classes", options["classes"])
	if err != nil {
		return c, err
	}
	c.limits = model.Card.Training.Limits
	if c.codes, err = land.ParseClassCodes(model, options["class_codes"]); err != nil {
		return c, err
	}
	c.back, err = c.codes.Back()
	return c, err
}

// toLAS replaces the codes of points by codes of LAS.
func (c *classification) toLAS(codes []float64) {
	for i, v := range codes {
		if code, is := c.back[int(v)]; is {
			codes[i] = float64(code)
		}
	}
}

// defaultLowVegetation is the height in metres at which vegetation is medium and no longer low (ASPRS, LAS
// 1.4).
const defaultLowVegetation = 0.5

// heightOfLowVegetation returns the greatest height of low vegetation by the option vegetation_heights. If
// that says that no vegetation is low, points of this class have it from elsewhere.
func heightOfLowVegetation(option string) (float64, error) {
	if option == "" {
		return defaultLowVegetation, nil
	}
	heights, err := land.VegetationHeights(option)
	if err != nil || heights[0] == 0 {
		return defaultLowVegetation, err
	}
	return heights[0], nil
}
