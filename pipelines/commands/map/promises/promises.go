// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"fmt"
	"strings"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/files/las"
)

// Promise is what the page map.md says of the files of a map, and the function that checks it.
type Promise struct {
	Says  string // words of the page
	check func(r *results) error
}

// OfFiles returns the promises about files, without roofs and solids.
func OfFiles() []Promise {
	return []Promise{
		{"with `SuperpointID`, `Classification`, `ClassConfidence`", (*results).tiles},
		{"cloud-optimised GeoTIFF", (*results).heads},
		{"The three rasters have the same cells and spatial reference", (*results).grid},
		{"A point lies in the one cell that contains it", (*results).points},
		{"height of the surface above the terrain", (*results).cells},
		{"buildings, trees (tops), their crowns and bodies of water", (*results).readObjects},
		{"Footprints are valid and lie within the tiles", (*results).buildings},
		{"No top of a tree lies in a footprint", (*results).trees},
		{"heights of buildings and trees are heights of points", (*results).heights},
		{"the top of a building is no higher than the points at its footprint", (*results).roofTops},
		{"No crown lies over a footprint", (*results).crowns},
		{"no footprint over another one", (*results).footprints},
		{"Bodies of water are valid polygons, and the terrain in them has their level", (*results).water},
		{"the classes seen from above", (*results).picture},
		{"counts of classes", (*results).report},
	}
}

// OfRoofs returns the promises about roofs and solids, which are checked after OfFiles.
func OfRoofs() []Promise {
	return []Promise{
		{"Eave and ridge of a roof lie between the ground and the top of its building", (*results).roofs},
		{"The solids stand on the footprints", (*results).solids},
	}
}

// results are the files of a map before they appear.
type results struct {
	m       *Map
	witness *Witness
	rasters *rasters
	layers  *features // once they are read
}

// Keep fails unless promises hold about the files of a map, whose points a witness has seen.
func Keep(run parallel.Run, m *Map, w *Witness, all []Promise) error {
	r := &results{m: m, witness: w, rasters: newRasters(m, w)}
	for k, p := range all {
		run.Progress(float64(k) / float64(len(all)))
		if err := m.Host.Context().Err(); err != nil {
			return err
		}
		if err := inFolder(p.check(r), m.Folder); err != nil {
			return fmt.Errorf(
				"%w: the map would not be what its page says (%s), so it is not written; please report this",
				err, strings.ToLower(p.Says))
		}
	}
	run.Progress(1)
	return nil
}

// tiles checks that the tiles have the dimensions of a map.
func (r *results) tiles() error {
	for _, path := range r.m.Tiles {
		l, err := las.Read(path)
		if err != nil {
			return err
		}
		for _, name := range []string{r.m.ID, command.ConfidenceDimension} {
			if l.Count > 0 && l.Find(name) == nil && !r.m.NoConfidence {
				return fmt.Errorf("%s: it has no dimension %s", path, name)
			}
		}
	}
	return nil
}

func (r *results) heads() error  { return r.rasters.checkHeads() }
func (r *results) grid() error   { return r.rasters.checkGrid() }
func (r *results) points() error { return r.rasters.checkPoints() }
func (r *results) cells() error  { return r.rasters.checkCells() }

// readObjects reads the layers of objects, which are valid then.
func (r *results) readObjects() (err error) {
	withWater := r.m.Model != nil
	r.layers, err = readLayers(r.m.Host, r.m.Folder, withWater)
	return err
}

func (r *results) buildings() error {
	if err := checkCount("buildings", len(r.layers.buildings), r.m.Buildings); err != nil {
		return err
	}
	margin := outlineReach * r.m.Cell / r.m.Metres[0]
	return checkPlaces(r.layers.buildings, &r.witness.bounds, margin)
}

func (r *results) trees() error {
	if err := checkCount("trees", len(r.layers.trees), r.m.Trees); err != nil {
		return err
	}
	return r.outlines().checkTops(r.layers.trees)
}

func (r *results) heights() error {
	metres := r.m.Metres[2]
	if err := checkHeights("building", r.layers.buildings, &r.witness.bounds, metres); err != nil {
		return err
	}
	return checkHeights("tree", r.layers.trees, &r.witness.bounds, metres)
}

func (r *results) roofTops() error {
	if r.m.Model == nil {
		return nil
	}
	return r.rasters.checkRoofTops(r.layers.buildings, topReach*r.m.Cell/r.m.Metres[0])
}

func (r *results) crowns() error {
	if err := checkCount("crowns", len(r.layers.crowns), r.m.Crowns); err != nil {
		return err
	}
	return r.outlines().checkApart("crown", r.layers.crowns)
}

func (r *results) footprints() error {
	return r.outlines().checkApart("building", r.layers.buildings)
}

// outlines returns the footprints of the layer of buildings.
func (r *results) outlines() footprints { return newFootprints(r.layers.buildings, r.m.Metres) }

func (r *results) picture() error { return checkPicture(r.m.Folder) }
func (r *results) report() error  { return checkReport(r.m.Folder, r.m.Tiles) }
func (r *results) roofs() error   { return checkRoofs(r.layers.buildings) }

func (r *results) solids() error {
	if !r.m.HasSolids {
		return nil
	}
	return checkSolids(r.m.Folder, r.layers.buildings, r.m.Metres)
}

func (r *results) water() error {
	if r.m.Model == nil {
		return nil
	}
	if err := r.rasters.scan(); err != nil {
		return err
	}
	layer := &water{
		bodies:   r.layers.water,
		index:    boundsIndex(r.layers.water),
		count:    r.m.Water.Count,
		shown:    r.m.Water.Shown,
		coarsest: r.m.Water.Coarsest,
		points:   &r.witness.bounds,
		seen:     r.rasters.seen,
		grid:     gridOf(r.rasters.heads[contents.Surface]),
		model:    r.m.Model,
		metres:   r.m.Metres,
	}
	return layer.checkWater()
}
