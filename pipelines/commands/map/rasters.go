// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/land/raster"
	"superpoint/pipelines/layers"
)

// maxCells bounds a raster, and bytesPerCell is what its steps need for a cell near points: measured where
// few cells had points, with what Go has not collected.
const (
	maxCells     = 1 << 29
	bytesPerCell = 32
)

// collect adds points with the codes of LAS to the bins of the rasters.
func (m *mapping) collect(c *command.Columns) {
	if m.bins == nil {
		side := m.resolution / m.Metres[0]
		m.bins = raster.NewBins(side)
		m.confidence = raster.NewBins(side)
		m.witness = promises.NewWitness(side)
	}
	m.witness.Add(c, m.Class)
	confidence := c.Dimensions[command.ConfidenceDimension]
	for i, class := range c.Dimensions[m.Class] {
		if class == contents.Water && confidence != nil {
			m.confidence.Add(c.X[i], c.Y[i], confidence[i], raster.Water)
		}
		switch class {
		case classes.Noise, classes.HighNoise:
		case contents.Ground:
			kind := raster.Ground
			if confidence != nil && contents.IsUnsure(confidence[i]) {
				kind = raster.Unsure
			}
			m.bins.Add(c.X[i], c.Y[i], c.Z[i], kind)
		case contents.Water:
			m.bins.Add(c.X[i], c.Y[i], c.Z[i], raster.Water)
		case contents.LowVegetation:
			m.bins.Add(c.X[i], c.Y[i], c.Z[i], raster.Low)
		case contents.Building:
			m.bins.Add(c.X[i], c.Y[i], c.Z[i], raster.Building)
		default:
			m.bins.Add(c.X[i], c.Y[i], c.Z[i], raster.Other)
		}
	}
}

// rasters writes the rasters.
func (m *mapping) rasters() error {
	err := m.CheckMetres(m.files[0])
	if err == nil {
		err = m.checkCells()
	}
	if err != nil {
		m.Host.Log(message.Warning, "no terrain.tif, surface.tif, canopy.tif and layer water: "+err.Error())
		return nil
	}
	run := parallel.Run{Context: m.Host.Context(), Threads: m.Threads}
	if m.model, err = raster.Build(run, m.bins, m.units()); err != nil {
		return err
	}
	m.bins = nil
	if err := m.findWater(run); err != nil {
		return err
	}
	m.confidence = nil
	if err := m.write(contents.Surface, "height of the surface", m.model.Surface); err != nil {
		return err
	}
	if m.model.Terrain == nil {
		m.Host.Log(message.Warning, "no terrain.tif and canopy.tif: no point is of class 2, ground")
		return nil
	}
	if err := m.write(contents.Terrain, "height of the ground", m.model.Terrain); err != nil {
		return err
	}
	return m.write(contents.Canopy, "height of the surface above the ground", m.model.Canopy())
}

// checkCells returns an error if all points are noise, or if tiles that are far from one another, or small
// cells, make the rasters too large.
func (m *mapping) checkCells() error {
	area := m.bins.Area()
	if area.Empty() {
		return errors.New("all points are noise")
	}
	var err error
	if float64(area.Dx())*float64(area.Dy()) > maxCells {
		err = fmt.Errorf("%d × %d cells are too many", area.Dx(), area.Dy())
	} else {
		err = m.checkMemory()
	}
	if err != nil {
		err = fmt.Errorf("%w; give a larger --resolution (it is %g m), or map tiles that are far from one "+
			"another into folders of their own", err, m.resolution)
	}
	return err
}

// checkMemory returns an error if there is not enough memory for the cells near points.
func (m *mapping) checkMemory() error {
	held, err := raster.Held(m.bins, m.units())
	if err != nil {
		return err
	}
	return memory.CheckCells(held, bytesPerCell)
}

// units returns the units of the rasters.
func (m *mapping) units() raster.Units {
	return raster.Units{Cell: m.resolution, Height: m.Metres[2], Cover: m.cover}
}

// write writes one raster of the model.
func (m *mapping) write(name, shows string, values []float32) error {
	g := m.model.Grid
	head := command.Raster{Columns: g.Area.Dx(), Rows: g.Area.Dy(), West: g.West(), North: g.North(),
		Width:  g.Side,
		Height: g.Side, NoData: contents.NoData, Unit: m.heightUnit(), Description: shows}
	if reference := layers.GDALReference(m.Reference()); reference != layers.NoReference {
		head.Reference = reference
	}
	for _, r := range g.InFile() {
		head.Held = append(head.Held, command.Cells(r))
	}
	path := filepath.Join(m.work, name)
	if err := m.Host.WriteRaster(path, head, values); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.written = append(m.written, name)
	return nil
}

// heightUnit returns GDAL's name of the unit of heights; "" if it has none.
func (m *mapping) heightUnit() string {
	const foot, surveyFoot = 0.3048, 1200.0 / 3937
	near := func(length float64) bool { return math.Abs(m.Metres[2]-length) < 1e-8 }
	switch {
	case near(1):
		return "metre"
	case near(foot):
		return "foot"
	case near(surveyFoot):
		return "US survey foot"
	}
	return ""
}

// rasterNotes says what the rasters lack, and where they are not as the points.
func (m *mapping) rasterNotes() (notes []string) {
	if m.model == nil || m.model.Terrain == nil {
		return nil
	}
	n := m.model.Notes
	if n.WithoutTerrain > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"%s with points, and no height of the ground: it is not filled over holes wider than "+
					"%.0f m, nor at the edge of the tiles", message.Count(n.WithoutTerrain, "cell"), n.Limit))
	}
	if n.Widest > 0 {
		notes = append(notes, fmt.Sprintf("the widest hole in the ground that was filled is %.0f m wide",
			n.Widest))
	}
	if n.Lowered > 0 {
		notes = append(notes,
			fmt.Sprintf("the filled ground was above points of %s, and lowered, by up to "+
				"%.1f m", message.Count(n.Lowered, "cell"), n.LoweredBy))
	}
	if n.Raised > 0 {
		notes = append(notes,
			fmt.Sprintf("the filled ground was far below low vegetation in %s, and raised, by up to %.1f m",
				message.Count(n.Raised, "cell"), n.RaisedBy))
	}
	if n.Pits+n.Hills > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"the points of ground in %s (below) and %s (above) were left out: they are more than "+
					"%.0f m from all other ground around them", message.Count(n.Pits, "cell"),
				message.Count(n.Hills, "cell"), raster.Odd))
	}
	if n.Plants > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"the points of ground in %s beside buildings were left out: their confidence is below 0.9, "+
					"and they stand above the sure ground around as low plants do",
				message.Count(n.Plants, "cell")))
	}
	return append(notes, m.waterNotes()...)
}

// waterNotes describes the largest bodies of water.
func (m *mapping) waterNotes() (notes []string) {
	const most, smallest = 5, 10 // cells
	all := slices.Clone(m.model.Bodies)
	slices.SortStableFunc(all, func(a, b raster.Body) int { return cmp.Compare(b.Cells, a.Cells) })
	for k, b := range all {
		if b.Cells < smallest {
			break
		}
		if k == most {
			notes = append(notes, fmt.Sprintf("further bodies of water: %d", len(all)-most))
			break
		}
		area := float64(b.Cells) * m.resolution * m.resolution
		if b.IsLevel {
			notes = append(notes, fmt.Sprintf("water of %.0f m² has the level %.2f", area, b.Level))
		} else {
			notes = append(notes, fmt.Sprintf("water of %.0f m² slopes, and is not level", area))
		}
	}
	return notes
}
