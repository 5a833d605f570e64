// SPDX-License-Identifier: BSD-3-Clause

// Package rasters makes the terrain, the surface, the canopy and the bodies of water of a map. Points
// collects what they need of the points, raster.Build computes the heights of the cells, and Files writes
// them.
package rasters

import (
	"image"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
)

// Settings are the options of the rasters.
type Settings struct {
	Resolution    float64 // side of a cell, metres
	MinWater      float64 // smallest body of water, square metres
	LowVegetation float64 // its greatest height, metres
}

// Raster is a raster of a map.
type Raster struct {
	Name    string
	Shows   string                          // the description of its band
	Heights func(m *raster.Model) []float32 // of the cells of a model; nil if the model has none
}

// All returns the rasters of a map, in the order in which they are written. The first one has all cells.
func All() []Raster {
	return []Raster{
		{contents.Surface, "height of the surface", func(m *raster.Model) []float32 { return m.Surface }},
		{contents.Terrain, "height of the ground", func(m *raster.Model) []float32 { return m.Terrain }},
		{contents.Canopy, "height of the surface above the ground", (*raster.Model).Canopy},
	}
}

// DefaultMinWater is the area in square metres below which bodies of water are left out: puddles and wet
// roofs.
const DefaultMinWater = 25

// Place says where the tiles of a map are.
type Place struct {
	Reference georef.Reference
	Metres    [3]float64        // in a unit of each axis
	Stride    [2]float64        // metres in a step of the lattice of coordinates
	Tiles     []image.Rectangle // in these steps
}

// Units returns the units of the rasters.
func Units(s Settings, at Place) raster.Units {
	return raster.Units{Cell: s.Resolution, Height: at.Metres[2], LowVegetation: s.LowVegetation}
}
