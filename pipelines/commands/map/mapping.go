// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"path/filepath"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/raster"
)

// mapping is one run of map.
type mapping struct {
	*objects.Finding
	omitted
	classification
	rasters.Settings
	work  string // folder of the results until all are complete
	files []string
	// folderOfTiles is where the files are: the folder of a survey, or contents.Points.
	folderOfTiles string
	columns       *segment.Columns // of the tiles that this run made; nil if it made none
	counts        counts
	classes       []classCount      // by number of points, descending
	sample        sample            // for the picture
	points        *rasters.Points   // nil without rasters, and once they are made
	witness       *promises.Witness // of the promises
	model         *raster.Model     // nil without rasters
	water         *rasters.Water    // nil without rasters
	written       []string          // rasters
}

// output returns a file of the folder work.
func (m *mapping) output(name string) (*atomicfile.Output, error) {
	return (&atomicfile.Files{Context: m.Host.Context()}).Output(filepath.Join(m.work, name))
}

// has reports whether a point has the class of a code of LAS.
func (m *mapping) has(code int) bool {
	return slices.ContainsFunc(m.classes, func(c classCount) bool { return c.Code == m.codes.Of(code) })
}

// place says where the tiles are.
func (m *mapping) place() rasters.Place {
	at := rasters.Place{Reference: m.Reference(), Metres: m.Metres, Stride: m.Stride}
	for _, t := range m.Tiles {
		at.Tiles = append(at.Tiles, t.Area)
	}
	return at
}

// run returns a run on all threads without progress.
func (m *mapping) run() parallel.Run {
	return parallel.Run{Context: m.Host.Context(), Threads: m.Threads}
}

// count counts the classes of a tile. It collects the points that are near others for the rasters and the
// picture, with their classes as codes of LAS.
func (m *mapping) count(path string, c *command.Columns, near []*command.Columns) {
	m.counts.add(countTile(path, c, m.Class, m.codes))
	for _, c := range near {
		m.toLAS(c.Dimensions[m.Class])
		m.collect(c)
		m.sample.add(c, m.Class, m.Id)
	}
}

// collect adds points with the codes of LAS to what the rasters and the promises need.
func (m *mapping) collect(c *command.Columns) {
	if m.points == nil {
		side := m.Resolution / m.Metres[0]
		m.points = rasters.NewPoints(side)
		m.witness = promises.NewWitness(side)
	}
	m.witness.Add(c, m.Class)
	m.points.Add(c, m.Class)
}
