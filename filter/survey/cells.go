package survey

import (
	"math"
	"os"
	"strconv"

	"superpoint/embed"
	"superpoint/filter/records"
	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// box is the row, column and layer of a box in which heights and outliers are looked
// for, after the number of the source that its points are of.
type box [4]int64

// inBox is how many points a box has, and the height of the lowest.
type inBox struct{ count, lowest int64 }

// cells are the boxes of a source that have points.
type cells struct {
	*ground
	unit, vertical float64 // metres per unit of X and Y, and of Z
	boxes          map[box]*inBox
	last           box
	at             *inBox // of the last record
}

func (v *Survey) newCells(source int) *cells {
	if v.plan.Exact.Ground == nil {
		return nil
	}
	return &cells{ground: v.plan.Exact.Ground, unit: v.plan.Unit, vertical: v.plan.Exact.Vertical,
		boxes: map[box]*inBox{}, last: box{int64(source)}}
}

// units rounds a coordinate as clouds do.
func units(v, metres float64) int64 {
	v *= metres
	return int64(math.Round(v * (1 / neighbor.Unit)))
}

// add looks at a record.
func (c *cells) add(l *records.File, record []byte) {
	p := records.XYZ(record)
	x, y := l.Position(p)
	z := units(float64(p[2])*l.Scale[2]+l.Offset[2], c.vertical)
	b := box{c.last[0], arithmetic.FloorDiv(units(y, c.unit), c.Side), arithmetic.FloorDiv(units(x, c.unit), c.Side),
		arithmetic.FloorDiv(z, c.Height)}
	if c.at == nil || b != c.last { // points follow each other
		if c.at, c.last = c.boxes[b], b; c.at == nil {
			c.at = &inBox{lowest: z}
			c.boxes[b] = c.at
		}
	}
	c.at.count++
	c.at.lowest = min(c.at.lowest, z)
}

// within returns the boxes that points in an area read.
func (c *cells) within(area tile.Box) *embed.Cells {
	edge := float64(c.Side) * neighbor.Unit / c.unit
	area = area.Grow(c.width() / c.unit)
	out := new(embed.Cells)
	for b, in := range c.boxes {
		row, column := float64(b[1])*edge, float64(b[2])*edge
		if touches(tile.Box{West: column, South: row, East: column + edge, North: row + edge}, area) {
			out.Add(b[1], b[2], b[3], in.count, in.lowest)
		}
	}
	return out
}

func cellArrays(c *embed.Cells) []any { return []any{&c.Row, &c.Column, &c.Layer, &c.Count, &c.Lowest} }

// sliceCells is the file with the boxes of source k that tile n reads.
func (v *Survey) sliceCells(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".cells")
}

// cellsOf adds the boxes that a tile reads with the plan's halo. Those of a source that
// several tiles read are the same for each.
func (v *Survey) cellsOf(t *planned, all map[box]inBox) error {
	if v.plan.Exact.Ground == nil {
		return nil
	}
	for _, k := range t.Sources {
		c := new(embed.Cells)
		path := v.sliceCells(t.Index, k)
		if _, err := readArrays(path, cellArrays(c)); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err := c.Check(); err != nil {
			return damaged(path, err)
		}
		for i := range c.Row {
			all[box{int64(k), c.Row[i], c.Column[i], c.Layer[i]}] = inBox{c.Count[i], c.Lowest[i]}
		}
	}
	return nil
}

// cellsFor returns boxes of several sources; nil where the model reads none.
func (v *Survey) cellsFor(all map[box]inBox) *embed.Cells {
	if v.plan.Exact.Ground == nil {
		return nil
	}
	out := new(embed.Cells)
	for b, in := range all {
		out.Add(b[1], b[2], b[3], in.count, in.lowest)
	}
	return out
}
