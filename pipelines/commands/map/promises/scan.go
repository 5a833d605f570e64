// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"cmp"
	"path/filepath"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
)

// checkCells checks the cells of the rasters against one another.
func (r *rasters) checkCells() error {
	err := r.scan()
	return cmp.Or(err, r.cellFault)
}

// checkPoints checks the cells of the rasters against the points that were kept for that.
func (r *rasters) checkPoints() error {
	err := r.scan()
	return cmp.Or(err, r.pointFault)
}

// Rows are read in strips: a strip is a row of GDAL's blocks, or a part of one if that has many cells.
const (
	stripRows  = 512
	fewestRows = 64
	stripCells = 1 << 20
	mostCells  = 1 << 22 // of a raster above which not all strips are read, unless there are as many points
)

// scan reads the rasters once, and sets the first faults that it finds.
func (r *rasters) scan() error {
	if r.scanned || len(r.Rasters) == 0 {
		return nil
	}
	r.scanned = true
	cells := gridOf(r.heads[contents.Surface])
	seen, err := group(r.witness.points, cells)
	if err != nil {
		r.pointFault = broken(contents.Surface, "%w", err)
		return nil
	}
	r.seen = seen
	return r.eachStrip(cells, func(s *strip, isRead bool) error {
		inStrip := s.cellsOf(seen)
		var err error
		if isRead {
			err = r.scanStrip(s, inStrip)
		} else if hasWater(inStrip) {
			err = r.readStrip(s, contents.Terrain)
		}
		s.keepTerrain(inStrip)
		return err
	})
}

// eachStrip calls a function for each strip of the rasters, which says whether it is read, until it fails.
func (r *rasters) eachStrip(cells grid, visit func(s *strip, isRead bool) error) error {
	apart := r.stripsApart(cells)
	rows := max(fewestRows, min(stripRows, stripCells/cells.columns))
	for number := 0; number*rows < cells.rows; number++ {
		first := number * rows
		s := &strip{grid: cells, first: first, count: min(rows, cells.rows-first)}
		if err := visit(s, number%apart == 0); err != nil {
			return err
		}
	}
	return nil
}

// checkRoofTops checks that the top of each building is not above the surface at its footprint. Of a large
// raster not all strips are read, and buildings in the others are not checked.
func (r *rasters) checkRoofTops(buildings []object, reach float64) error {
	g := gridOf(r.heads[contents.Surface])
	tops := newRoofTops(buildings, reach, g)
	err := r.eachStrip(g, func(s *strip, isRead bool) error {
		if !isRead || !tops.hasAny(s) {
			return nil
		}
		if err := r.readStrip(s, contents.Surface); err != nil {
			return err
		}
		tops.add(s)
		return nil
	})
	if err != nil {
		return err
	}
	return tops.check(g)
}

// scanStrip reads a strip of all rasters and checks it.
func (r *rasters) scanStrip(s *strip, inStrip []observed) error {
	if err := r.readStrip(s, r.Rasters...); err != nil {
		return err
	}
	checks := &cells{
		points:        &r.witness.bounds,
		model:         r.Model,
		metres:        r.Metres[2],
		lowVegetation: r.LowVegetation,
		hasWater:      r.HasWater,
	}
	r.cellFault = cmp.Or(r.cellFault, checks.checkStrip(s))
	r.pointFault = cmp.Or(r.pointFault, checks.checkSeen(s, inStrip))
	return nil
}

// gridOf returns the cells of a raster.
func gridOf(head command.Raster) grid {
	return grid{columns: head.Columns, rows: head.Rows, west: head.West, north: head.North,
		width: head.Width, height: head.Height}
}

// stripsApart returns how many strips further the next strip is that is read: 1 unless the raster is large.
func (r *rasters) stripsApart(g grid) int {
	cells := g.columns * g.rows
	enough := max(mostCells, r.Points)
	if cells <= enough {
		return 1
	}
	return max(1, (cells-1)/enough)
}

// readStrip reads a strip of some rasters.
func (r *rasters) readStrip(s *strip, names ...string) error {
	s.heights = map[string][]float32{}
	for _, name := range names {
		heights := make([]float32, s.cells())
		if _, err := r.Host.ReadRaster(filepath.Join(r.Folder, name), s.first, heights); err != nil {
			return broken(name, "%w", err)
		}
		s.heights[name] = heights
	}
	return nil
}
