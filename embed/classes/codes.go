// SPDX-License-Identifier: BSD-3-Clause

package classes

// The classes of isolated points: far below the ground LAS's "low point (noise)", far above it "high noise",
// and near it, where they are more often ground or plants than noise, "unclassified".
const (
	Noise        = 7
	HighNoise    = 18
	Unclassified = 1
)

// Other codes of LAS that rules name.
const (
	groundCode       = 2
	lowVegetation    = 3
	mediumVegetation = 4
	highVegetation   = 5
	buildingCode     = 6
	waterCode        = 9
)
