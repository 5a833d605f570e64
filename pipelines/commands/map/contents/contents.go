// SPDX-License-Identifier: BSD-3-Clause

// Package contents names what a map consists of: its files, and the codes of LAS that the
// classes of its points have. The code that writes a map and the code that checks it have only these names in
// common.
package contents

// The files of a map, by their names in its folder.
const (
	Objects = "objects.gpkg"
	Solids  = "buildings.city.json"
	Terrain = "terrain.tif"
	Surface = "surface.tif"
	Canopy  = "canopy.tif"
	Picture = "map.png"
	Counts  = "counts.csv"
	Report  = "report.html"
)

// Points is the folder of the points of a map.
const Points = "points"

// Files returns the names of the files of a map.
func Files() []string {
	return []string{Objects, Solids, Terrain, Surface, Canopy, Picture, Counts, Report}
}

// NoData is the value of cells without a height in the rasters.
const NoData = -9999

// PictureWidth is in pixels.
const PictureWidth = 1400

// Codes of LAS.
const (
	Ground        = 2
	LowVegetation = 3
	Building      = 6
	Water         = 9
)

// IsUnsure reports whether the class of a point is unsure, from its ClassConfidence: that is 0 if it is
// unknown, and 1 if the class comes from the input.
func IsUnsure(confidence float64) bool { return confidence > 0 && confidence < 0.9 }
