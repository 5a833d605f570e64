// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"slices"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/commands/map/rasters"
)

// keepPromises fails unless every promise about the files of the work folder holds.
func (m *mapping) keepPromises() error {
	all := slices.Concat(promises.OfFiles(), promises.OfRoofs())
	return promises.Keep(m.Run("checking the files"), m.stated(), m.witness, all)
}

// stated returns what this run states of the files of the work folder.
func (m *mapping) stated() *promises.Map {
	return &promises.Map{
		Host:          m.Host,
		Folder:        m.work,
		Tiles:         m.files,
		Reference:     m.Reference(),
		Metres:        m.Metres,
		ID:            m.Id,
		Points:        m.counts.points,
		NoConfidence:  m.NoConfidence,
		Buildings:     len(m.Buildings),
		Trees:         len(m.Trees),
		Crowns:        m.crowns(),
		Cell:          m.Cell,
		HasSolids:     m.HasSolids(),
		Rasters:       m.written,
		Resolution:    m.Resolution,
		HeightUnit:    rasters.HeightUnit(m.Metres[2]),
		LowVegetation: m.LowVegetation,
		HasWater:      m.has(contents.Water),
		Model:         m.model,
		Water:         m.statedWater(),
	}
}

// statedWater returns what this run states of bodies of water.
func (m *mapping) statedWater() (w promises.Water) {
	if m.water == nil {
		return w
	}
	return promises.Water{Count: m.water.Count(), Shown: m.water.Shown, Coarsest: m.water.Coarsest}
}

// crowns returns the number of crowns.
func (m *mapping) crowns() (n int) {
	for k := range m.Trees {
		if m.Trees[k].Crown != nil {
			n++
		}
	}
	return n
}
