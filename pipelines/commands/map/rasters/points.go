// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"superpoint/embed/classes"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
)

// Points holds what the rasters need of the points that are neither noise nor far from all others.
type Points struct {
	Heights    *raster.Bins
	Confidence *raster.Bins // of the points of water, in place of heights
}

// NewPoints returns no points, in cells of a side.
func NewPoints(side float64) *Points {
	return &Points{Heights: raster.NewBins(side), Confidence: raster.NewBins(side)}
}

// Add adds points whose dimension class has codes of LAS.
func (p *Points) Add(c *command.Columns, class string) {
	confidence := c.Dimensions[command.ConfidenceDimension]
	for i, code := range c.Dimensions[class] {
		if code == contents.Water && confidence != nil {
			p.Confidence.Add(c.X[i], c.Y[i], confidence[i], raster.Water)
		}
		switch code {
		case classes.Noise, classes.HighNoise:
		case contents.Ground:
			kind := raster.Ground
			if confidence != nil && contents.IsUnsure(confidence[i]) {
				kind = raster.Unsure
			}
			p.Heights.Add(c.X[i], c.Y[i], c.Z[i], kind)
		case contents.Water:
			p.Heights.Add(c.X[i], c.Y[i], c.Z[i], raster.Water)
		case contents.LowVegetation:
			p.Heights.Add(c.X[i], c.Y[i], c.Z[i], raster.LowVegetation)
		case contents.Building:
			p.Heights.Add(c.X[i], c.Y[i], c.Z[i], raster.Building)
		default:
			p.Heights.Add(c.X[i], c.Y[i], c.Z[i], raster.Other)
		}
	}
}
