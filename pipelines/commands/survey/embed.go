// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/steps"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/las"
)

// inputsOfEmbed returns the identities of the sources of a tile.
func (v *Survey) inputsOfEmbed(n int) (string, error) {
	var all []string
	for _, k := range v.plan.Tiles[n].Sources {
		all = append(all, v.identity(k))
	}
	return strings.Join(all, " "), nil
}

// embed computes neighbors, embedding and edges of a tile with its halo. Where they are not
// exact, it adds the points around those places, or else widens the halo, and tries again.
func (v *Survey) embed(n int, m *Mark) error {
	t := &v.plan.Tiles[n]
	known := v.newRegion(t, v.plan.Grid.Halo)
	for try := 1; ; try++ {
		all, core, err := v.readRegion(filepath.Join(v.work, strconv.Itoa(try)), known)
		if err != nil {
			return err
		}
		m.Halo, m.Places = known.halo, len(known.places)
		err = v.embedIn(t, all, core, known, m)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		if !known.add(narrow.Places, v.plan.Grid.Halo*v.plan.Unit) {
			known.widen(haloGrowth * known.halo)
		}
		v.host.Log(message.Debug,
			fmt.Sprintf("tile %d: %s not yet embedded exactly; again with a halo of %.3g m and "+
				"areas beyond it: %d", t.Index, message.Count(narrow.Points, "point"), known.halo*v.plan.Unit,
				len(known.places)))
	}
}

// embedIn embeds the core of a tile from the points of files, and writes the results.
func (v *Survey) embedIn(t *plan.Tile, all []*las.File, inCore []bool, known *region, m *Mark) error {
	core := 0
	for _, is := range inCore {
		if is {
			core++
		}
	}
	m.Points, m.HaloPoints = int64(core), int64(len(inCore)-core)
	if core == 0 {
		return nil
	}
	columns, err := v.columns(all, len(inCore))
	if err != nil {
		return err
	}
	f, err := v.newFilter()
	if err != nil {
		return err
	}
	part, err := f.Embed(steps.Run{Context: v.host.Context(), Step: v.progress}, v.plan.View(columns),
		filter.Frame{
			Origin: v.plan.Shared.Origin, Corner: v.plan.Shared.Corner, Measured: v.plan.Shared.Measured(),
			Points: int(v.plan.Points), Core: inCore, Region: known})
	if err != nil {
		return err
	}
	names, _ := v.divideOutputs(f)
	values, err := outputs(names, inCore, part.Outputs)
	if err != nil {
		return err
	}
	return v.saveTile(m, t.Index, &embedded{part, inCore, columns, values})
}

// embedded is a tile with its halo after step embed.
type embedded struct {
	*filter.Embedded
	core    []bool // which records are of the core
	columns *host.Columns
	outputs [][]float64 // of the stage, of the core
}

// saveTile makes the files of the core of tile n and its mark's sum.
func (v *Survey) saveTile(m *Mark, n int, of *embedded) error {
	written, err := v.save(m, v.file("embed", n, "outputs"), blocks.Pointers(of.outputs))
	if err != nil {
		return err
	}
	edges := longEdgesOf(of.Embedded, of.core, v.plan.Shared.Reach)
	if _, err := v.save(m, v.file("embed", n, "long"), edges.arrays()); err != nil {
		return err
	}
	m.Dim, m.Long = of.Dim, len(edges.Own)
	sum, err := v.writePoints(m, v.file("embed", n, "points"), of.Embedded, of.core, of.columns)
	m.Sum = blocks.Checksum(written, sum)
	return err
}

// longEdgesOf returns the edges longer than reach that start at points of the core.
func longEdgesOf(part *filter.Embedded, core []bool, reach float64) (l edgeList) {
	for u, i := range part.Cloud.Order {
		if !core[i] {
			continue
		}
		for _, to := range part.Edges.Of(uint32(u)) {
			x, y, _ := part.Cloud.Offset(uint32(u), to)
			if math.Hypot(float64(x), float64(y)) > reach {
				l.Own, l.End = append(l.Own, part.ID[u]), append(l.End, part.ID[to])
			}
		}
	}
	return l
}
