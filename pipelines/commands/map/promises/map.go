// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/land/raster"
)

// Map is what a run of map states of the files that it wrote.
type Map struct {
	Host      command.Host
	Folder    string   // of the files
	Tiles     []string // paths of the files of points
	Reference georef.Reference
	Metres    [3]float64 // in a unit of each axis
	ID        string     // dimension of superpoints
	Points    int
	// Without a confidence of classes, in surveys of a table of classes.
	NoConfidence bool

	Buildings int
	Trees     int
	Crowns    int     // of these trees
	Cell      float64 // side of a cell of outlines, metres
	HasSolids bool

	Rasters       []string // names of the rasters, the first of which is the surface
	Resolution    float64  // side of their cells, metres
	HeightUnit    string   // GDAL's name; "" if it has none
	LowVegetation float64  // its greatest height, metres
	HasWater      bool     // there are points of water
	Model         *raster.Model
	Water         Water
}

// Water is what a run states of the bodies of water of its model.
type Water struct {
	Count    int    // bodies in the layer
	Shown    []bool // whether a body of the model is one of these
	Coarsest int    // cells along a side of the widest ones on which a body was outlined
}
