// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/partition/local"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/las"
)

// edgeList has the IDs of the ends of edges longer than the reach.
type edgeList struct{ Own, End []uint64 }

func (l *edgeList) arrays() []any { return []any{&l.Own, &l.End} }

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
	work, clean, err := atomicfile.Workspace(v.Path("embed"))
	if err != nil {
		return err
	}
	defer clean()
	known := v.newRegion(t, v.plan.Grid.Halo)
	for try := 1; ; try++ {
		all, err := v.readRegion(filepath.Join(work, strconv.Itoa(try)), known)
		if err != nil {
			return err
		}
		m.Halo, m.Places = known.halo, len(known.places)
		err = v.embedIn(t, all, known, m)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		if !known.add(narrow.Places, v.plan.Grid.Halo*v.plan.Unit) {
			known.widen(haloGrowth * known.halo)
		}
		v.host.Log(filter.LogDebug, fmt.Sprintf("tile %d: %s not yet embedded exactly; again with a halo of %.3g m and "+
			"areas beyond it: %d", t.Index, message.Count(narrow.Points, "point"), known.halo*v.plan.Unit, len(known.places)))
	}
}

// readSlice opens the slice of source k for tile n; nil if it has no points.
func (v *Survey) readSlice(n, k int) (*las.File, error) {
	l, err := las.Read(v.slice(n, k))
	if os.IsNotExist(err) {
		return nil, nil // cut writes no empty slices
	}
	return l, err
}

// embedIn embeds the core of a tile from the points of files, and writes the results.
func (v *Survey) embedIn(t *plannedTile, all []*las.File, known *region, m *Mark) error {
	inCore, err := v.coreOf(t, all)
	if err != nil {
		return err
	}
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
	part, err := f.Embed(filter.Run{Context: v.host.Context(), Step: v.host.Progress}, columns.View(), filter.Frame{
		Origin: v.plan.Shared.Origin, Corner: v.plan.Shared.Corner, Measured: v.plan.Shared.measured(),
		Points: int(v.plan.Points), Core: inCore, Region: known})
	if err != nil {
		return err
	}
	outputs, err := v.outputs(inCore, part.Outputs)
	if err != nil {
		return err
	}
	written, err := v.save(m, v.file("embed", t.Index, "outputs"), outputs)
	if err != nil {
		return err
	}
	edges := longEdgesOf(part, inCore, v.plan.Shared.Reach)
	if _, err := v.save(m, v.file("embed", t.Index, "long"), edges.arrays()); err != nil {
		return err
	}
	m.Dim, m.Long = part.Dim, len(edges.Own)
	sum, err := v.writePoints(v.file("embed", t.Index, "points"), part, inCore, columns.X, columns.Y)
	if err != nil {
		return err
	}
	m.Sum = checksumOf(written, sum)
	return v.addFile(m, v.file("embed", t.Index, "points"))
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
