// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/las"
)

// promise is what a page says of the files of a map, and the function that checks it.
type promise struct {
	says  string // words of the page
	check func(r *results) error
}

// promises returns all promises of map.md about files. They are checked on the files in the work folder, read
// by other code than that which wrote them, before any of them appears.
func promises() []promise {
	return []promise{
		{"with `SuperpointID`, `Classification`, `ClassConfidence`", (*results).checkTiles},
		{"cloud-optimised GeoTIFF", (*results).checkHeads},
		{"The three rasters have the same cells and spatial reference", (*results).checkGrid},
		{"A point lies in the one cell that contains it", (*results).checkPoints},
		{"height of the surface above the terrain", (*results).checkCells},
		{"buildings, trees (tops), their crowns and bodies of water", (*results).readObjects},
		{"Footprints are valid and lie within the tiles", (*results).checkBuildings},
		{"No top of a tree lies in a footprint", (*results).checkTrees},
		{"heights of buildings and trees are heights of points", (*results).checkHeights},
		{"No crown lies over a footprint", (*results).checkCrowns},
		{"no footprint over another one", (*results).checkFootprints},
		{"Bodies of water are valid polygons, and the terrain in them has their level",
			(*results).checkWater},
		{"the classes seen from above", (*results).checkPicture},
		{"counts of classes", (*results).checkReport},
	}
}

// results are the files of a map before they appear.
type results struct {
	m       *mapping
	heads   map[string]command.Raster
	scanned bool       // the cells of the rasters
	seen    []observed // cells of which all points were kept
	cells   error      // first fault among cells
	points  error      // first fault of a cell and its points

	buildings []object
	trees     []object
	crowns    []object
	water     []object
}

func newResults(m *mapping) *results {
	return &results{m: m, heads: map[string]command.Raster{}}
}

// keepPromises fails unless every promise about the files of the work folder holds.
func (m *mapping) keepPromises() error {
	return newResults(m).keep(slices.Concat(promises(), roofPromises()))
}

// keep fails unless promises hold.
func (r *results) keep(all []promise) error {
	run := r.m.Run("checking the files")
	for k, p := range all {
		run.Progress(float64(k) / float64(len(all)))
		if err := r.m.Host.Context().Err(); err != nil {
			return err
		}
		if err := p.check(r); err != nil {
			return fmt.Errorf(
				"%w: the map would not be what its page says (%s), so it is not written; please report this",
				err, strings.ToLower(p.says))
		}
	}
	run.Progress(1)
	return nil
}

// broken returns the error of a promise that does not hold.
func (r *results) broken(name, format string, values ...any) error {
	return fmt.Errorf("%s: "+format, slices.Insert(values, 0, any(filepath.Join(r.m.work, name)))...)
}

// checkTiles checks that the tiles have the dimensions of a map.
func (r *results) checkTiles() error {
	for _, path := range r.m.files {
		l, err := las.Read(path)
		if err != nil {
			return err
		}
		for _, name := range []string{r.m.Id, command.ConfidenceDimension} {
			if l.Count > 0 && l.Find(name) == nil && !r.m.NoConfidence {
				return fmt.Errorf("%s: it has no dimension %s", path, name)
			}
		}
	}
	return nil
}
