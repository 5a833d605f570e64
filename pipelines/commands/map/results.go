// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/land/raster"
	"superpoint/pipelines/layers"
)

// makeRasters makes and writes the rasters, and finds the water. A map with degrees, or with too many cells,
// has none.
func (m *mapping) makeRasters() error {
	at := m.place()
	err := m.CheckMetres(m.files[0])
	if err == nil {
		err = rasters.Check(m.points.Heights, m.Settings, at)
	}
	if err != nil {
		m.Host.Log(message.Warning, "no "+rasterNames()+" and layer water: "+err.Error())
		return nil
	}
	if text := rasters.Oversampled(m.points.Heights, m.Settings, m.PointSpacing()); text != "" {
		m.Host.Log(message.Warning, text)
	}
	run := m.run()
	if m.model, err = raster.Build(run, m.points.Heights, rasters.Units(m.Settings, at)); err != nil {
		return err
	}
	confidence := m.points.Confidence
	m.points = nil
	if m.water, err = rasters.FindWater(run, m.model, confidence, m.Settings, at); err != nil {
		return err
	}
	return m.writeRasters(at)
}

// rasterNames returns the names of all rasters, for messages.
func rasterNames() string {
	var names []string
	for _, r := range rasters.All() {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

// writeRasters writes the heights of the model.
func (m *mapping) writeRasters(at rasters.Place) error {
	to := rasters.Files{Host: m.Host, Folder: m.work, At: at, Grid: m.model.Grid}
	var without []string
	for _, r := range rasters.All() {
		heights := r.Heights(m.model)
		if heights == nil {
			without = append(without, r.Name)
			continue
		}
		if err := to.Write(r, heights); err != nil {
			return err
		}
		m.written = append(m.written, r.Name)
	}
	if len(without) > 0 {
		m.Host.Log(message.Warning, "no "+strings.Join(without, " and ")+": no point is of class 2, ground")
	}
	return nil
}

// waterLayer returns the layer of bodies of water, whose ids follow the ids of buildings and trees.
func (m *mapping) waterLayer() layers.Layer {
	return m.water.Layer(rasters.LayerOfWater{
		Run:            m.Run("writing"),
		At:             m.place(),
		File:           m.files[0],
		Before:         len(m.Buildings) + len(m.Trees),
		Class:          m.codes.Of(contents.Water),
		WithConfidence: !m.NoConfidence,
	})
}

// picture draws the classes seen from above.
func (m *mapping) picture() error {
	to, err := m.output(contents.Picture)
	if err != nil {
		return err
	}
	style := render.MapStyle{
		Width: contents.PictureWidth,
		ID:    m.Id,
		Title: m.inputNames(1),
		Place: m.centre(),
	}
	return m.sample.draw(m.run(), to, style, m.Metres)
}

// solids writes the buildings as solids, except with degrees.
func (m *mapping) solids() error {
	if !m.HasSolids() {
		return nil
	}
	to, err := m.output(contents.Solids)
	if err != nil {
		return err
	}
	return m.WriteSolids(to)
}

// writeCounts writes the counts of classes as a table.
func (m *mapping) writeCounts() error {
	to, err := m.output(contents.Counts)
	if err != nil {
		return err
	}
	return to.Write(m.counts.write)
}
