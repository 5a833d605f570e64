package survey

import (
	"errors"
	"math"
	"os"
	"strconv"

	"superpoint/embed"
	"superpoint/filter/records"
	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// cells are the lowest points of cells, by row and column.
type cells struct {
	*ground
	unit, vertical float64 // metres per unit of X and Y, and of Z
	lowest         map[[2]int64]int64
	last           [2]int64
	z              int64
}

func (v *Survey) newCells() *cells {
	if v.plan.Exact == nil || v.plan.Exact.Ground == nil {
		return nil
	}
	return &cells{ground: v.plan.Exact.Ground, unit: v.plan.Unit, vertical: v.plan.Exact.Vertical,
		lowest: map[[2]int64]int64{}, z: math.MaxInt64}
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
	up := float64(p[2])*l.Scale[2] + l.Offset[2]
	cell := [2]int64{arithmetic.FloorDiv(units(y, c.unit), c.Side), arithmetic.FloorDiv(units(x, c.unit), c.Side)}
	z := units(up, c.vertical)
	if cell == c.last && z >= c.z {
		return // points follow each other
	}
	if low, ok := c.lowest[cell]; ok && low <= z {
		z = low
	}
	c.lowest[cell], c.last, c.z = z, cell, z
}

// within returns the cells that points in a box read, in order.
func (c *cells) within(box tile.Box) *embed.Cells {
	edge := float64(c.Side) * neighbor.Unit / c.unit
	box = box.Grow(c.width() / c.unit)
	out := new(embed.Cells)
	for cell, z := range c.lowest {
		row, column := float64(cell[0])*edge, float64(cell[1])*edge
		if touches(tile.Box{West: column, South: row, East: column + edge, North: row + edge}, box) {
			out.Row, out.Column, out.Lowest = append(out.Row, cell[0]), append(out.Column, cell[1]), append(out.Lowest, z)
		}
	}
	return out
}

func cellArrays(c *embed.Cells) []any { return []any{&c.Row, &c.Column, &c.Lowest} }

// sliceCells is the file with the cells of source k that tile n reads.
func (v *Survey) sliceCells(n, k int) string {
	return v.path("cut", strconv.Itoa(n), strconv.Itoa(k)+".cells")
}

// cellsOf returns the cells that a tile reads with the plan's halo; nil without any.
func (v *Survey) cellsOf(t *planned) (*embed.Cells, error) {
	if v.plan.Exact.Ground == nil {
		return nil, nil
	}
	all := new(embed.Cells)
	for _, k := range t.Sources {
		c := new(embed.Cells)
		if _, err := readArrays(v.sliceCells(t.Index, k), cellArrays(c)); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		all.Row, all.Column = append(all.Row, c.Row...), append(all.Column, c.Column...)
		all.Lowest = append(all.Lowest, c.Lowest...)
	}
	if len(all.Row) != len(all.Column) || len(all.Row) != len(all.Lowest) {
		return nil, errors.New("the cells of its sources do not fit together; remove the folder cut and start again")
	}
	return all, nil
}
