// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/steps"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/las"
)

// inputsOfEmbed returns the identities of the sources of a tile.
func inputsOfEmbed(v *folder.Survey, n int) (string, error) {
	var all []string
	for _, k := range v.Plan.Tiles[n].Sources {
		all = append(all, identity(v, k))
	}
	return strings.Join(all, " "), nil
}

// embedTile computes neighbors, embedding and edges of a tile with its halo. Where they are not
// exact, it adds the points around those places, or else widens the halo, and tries again.
func embedTile(v *folder.Survey, n int, m *folder.Mark) error {
	t := &v.Plan.Tiles[n]
	known := newRegion(v, t, v.Plan.Grid.Halo)
	for try := 1; ; try++ {
		all, core, err := readRegion(v, filepath.Join(v.Work, strconv.Itoa(try)), known)
		if err != nil {
			return err
		}
		m.Halo, m.Places = known.halo, len(known.places)
		err = embedIn(v, t, all, core, known, m)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		if !known.add(narrow.Places, v.Plan.Grid.Halo*v.Plan.Unit) {
			known.widen(haloGrowth * known.halo)
		}
		v.Host.Log(message.Debug,
			fmt.Sprintf("tile %d: %s not yet embedded exactly; again with a halo of %.3g m and "+
				"areas beyond it: %d", t.Index, message.Count(narrow.Points, "point"), known.halo*v.Plan.Unit,
				len(known.places)))
	}
}

// embedIn embeds the core of a tile from the points of files, and writes the results.
func embedIn(v *folder.Survey, t *plan.Tile, all []*las.File, inCore []bool, known *region,
	m *folder.Mark) error {
	core := countTrue(inCore)
	m.Points, m.HaloPoints = int64(core), int64(len(inCore)-core)
	if core == 0 {
		return nil
	}
	columns, err := readColumns(v, all, len(inCore))
	if err != nil {
		return err
	}
	f, err := v.NewFilter()
	if err != nil {
		return err
	}
	part, err := f.Embed(steps.Run{Context: v.Host.Context(), Step: v.Progress}, v.Plan.View(columns),
		filter.Frame{
			Origin: v.Plan.Shared.Origin, Corner: v.Plan.Shared.Corner, Measured: v.Plan.Shared.Measured(),
			Points: int(v.Plan.Points), Core: inCore, Region: known})
	if err != nil {
		return err
	}
	names, _ := divideOutputs(v, f)
	values, err := outputs(names, inCore, part.Outputs)
	if err != nil {
		return err
	}
	return saveTile(v, m, t.Index, &embedded{part, inCore, columns, values})
}

// embedded is a tile with its halo after step embed.
type embedded struct {
	*filter.EmbeddedTile
	core    []bool // which records are of the core
	columns *host.Columns
	outputs [][]float64 // of the stage, of the core
}

// saveTile makes the files of the core of tile n and its mark's sum.
func saveTile(v *folder.Survey, m *folder.Mark, n int, of *embedded) error {
	written, err := v.Save(m, v.File("embed", n, "outputs"), blocks.Pointers(of.outputs))
	if err != nil {
		return err
	}
	edges := longEdgesOf(of.EmbeddedTile, of.core, v.Plan.Shared.LongEdge)
	if _, err := v.Save(m, v.File("embed", n, "long"), edges.arrays()); err != nil {
		return err
	}
	m.Dim, m.Long = of.Dim, len(edges.Own)
	sum, err := writePoints(v, m, v.File("embed", n, "points"), of.EmbeddedTile, of.core, of.columns)
	m.Sum = blocks.Checksum(written, sum)
	return err
}
