// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"path/filepath"
	"slices"

	"superpoint/filter/land"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/raster"
)

// mapping is one run of map.
type mapping struct {
	*objects.Finding
	folder     string
	work       string  // folder of the results until all are complete
	resolution float64 // metres
	cover      float64 // greatest height of low vegetation, metres
	files      []string
	// folderOfTiles is where the files are: the folder of a survey, or contents.Points.
	folderOfTiles string
	columns       *segment.Columns // of the tiles that this run made; nil if it made none
	strict        bool             // a tile that cannot be read ends the run
	partial       bool             // a map of fewer tiles than the former one replaces that
	missing       []missing
	points        int
	codes         land.CodeTable
	back          map[int]int         // codes of LAS by codes of the files
	counts        map[int]*classCount // by code
	tiles         []tileCounts
	classes       []classCount // by number of points, descending
	sample        sample       // for the picture
	// of the points that are not noise, nor far from all others; nil without rasters
	bins       *raster.Bins
	model      *raster.Model // nil without rasters
	confidence *raster.Bins  // of the points of water, in place of heights
	minWater   float64       // smallest body of water, square metres
	water      []lake        // the largest first
	shown      []bool        // whether a body of the model is in water
	coarsest   int           // cells along a side of the widest ones on which a body was outlined
	witness    *promises.Witness
	written    []string // rasters
	limits     []string // of the classifier
}

// output returns a file of the folder work.
func (m *mapping) output(name string) (*atomicfile.Output, error) {
	return (&atomicfile.Files{Context: m.Host.Context()}).Output(filepath.Join(m.work, name))
}

func (m *mapping) has(code int) bool {
	return slices.ContainsFunc(m.classes, func(c classCount) bool { return c.Code == m.codes.Of(code) })
}
