// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"math"
	"os"
	"strconv"

	"superpoint/embed"
	"superpoint/partition/base/tile"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/files/las"
)

// cellKey has the source, row, column and layer of a cell of points, in which embeddings
// look for the ground and for outliers.
type cellKey [4]int64

// cellStats are the number of points of a cell and the lowest height, in neighbor.Unit.
type cellStats struct{ count, lowest int64 }

// groundCells are the cells of a source that have points.
type groundCells struct {
	*ground
	unit, vertical float64 // metres per unit of X and Y, and of Z
	boxes          map[cellKey]*cellStats
	last           cellKey
	at             *cellStats // of last
}

func (v *Survey) newGroundCells(source int) *groundCells {
	if v.plan.Shared.Ground == nil {
		return nil
	}
	return &groundCells{ground: v.plan.Shared.Ground, unit: v.plan.Unit, vertical: v.plan.Shared.Vertical,
		boxes: map[cellKey]*cellStats{}, last: cellKey{int64(source)}}
}

// units returns a coordinate in neighbor.Unit, rounded as in clouds.
func units(v, metres float64) int64 {
	v *= metres
	return int64(math.Round(v * (1 / neighbor.Unit)))
}

// add adds a record.
func (c *groundCells) add(l *las.File, record []byte) {
	p := las.XYZ(record)
	x, y := l.Position(p)
	z := units(float64(p[2])*l.Scale[2]+l.Offset[2], c.vertical)
	b := cellKey{c.last[0]}
	b[1], b[2], b[3] = c.At(units(x, c.unit), units(y, c.unit), z)
	if c.at == nil || b != c.last { // consecutive points are often in one cell
		if c.at, c.last = c.boxes[b], b; c.at == nil {
			c.at = &cellStats{lowest: z}
			c.boxes[b] = c.at
		}
	}
	c.at.count++
	c.at.lowest = min(c.at.lowest, z)
}

// within returns the cells that the embeddings of points in area read.
func (c *groundCells) within(area tile.Box) *embed.Cells {
	per := neighbor.Unit / c.unit
	edge, west, south := c.Edge()*per, float64(c.From[0])*per, float64(c.From[1])*per
	area = area.Grow(c.width() / c.unit)
	out := new(embed.Cells)
	for b, in := range c.boxes {
		row, column := south+float64(b[1])*edge, west+float64(b[2])*edge
		if touches(tile.Box{West: column, South: row, East: column + edge, North: row + edge}, area) {
			out.Add(b[1], b[2], b[3], in.count, in.lowest)
		}
	}
	return out
}

func cellArrays(c *embed.Cells) []any { return []any{&c.Row, &c.Column, &c.Layer, &c.Count, &c.Lowest} }

// sliceCells returns the path of the cells of source k that tile n reads.
func (v *Survey) sliceCells(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".cells")
}

// addCells adds the cells that a tile with the plan's halo reads to all. Cells of a source
// in the files of several tiles are equal.
func (v *Survey) addCells(t *plannedTile, all map[cellKey]cellStats) error {
	if v.plan.Shared.Ground == nil {
		return nil
	}
	for _, k := range t.Sources {
		c := new(embed.Cells)
		path := v.sliceCells(t.Index, k)
		if err := readArrays(path, cellArrays(c)); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := c.Check(); err != nil {
			return damaged(path, err)
		}
		for i := range c.Row {
			all[cellKey{int64(k), c.Row[i], c.Column[i], c.Layer[i]}] = cellStats{c.Count[i], c.Lowest[i]}
		}
	}
	return nil
}

// mergeCells sums the cells of several sources; nil if the model reads none.
func (v *Survey) mergeCells(all map[cellKey]cellStats) *embed.Cells {
	if v.plan.Shared.Ground == nil {
		return nil
	}
	out := new(embed.Cells)
	for b, in := range all {
		out.Add(b[1], b[2], b[3], in.count, in.lowest)
	}
	return out
}
