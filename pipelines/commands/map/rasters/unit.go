// SPDX-License-Identifier: BSD-3-Clause

package rasters

import "math"

// HeightUnit returns GDAL's name of a unit of heights that has some metres; "" if it has none.
func HeightUnit(metres float64) string {
	const foot, surveyFoot = 0.3048, 1200.0 / 3937
	near := func(length float64) bool { return math.Abs(metres-length) < 1e-8 }
	switch {
	case near(1):
		return "metre"
	case near(foot):
		return "foot"
	case near(surveyFoot):
		return "US survey foot"
	}
	return ""
}
