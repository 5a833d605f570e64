// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/files/las"
)

// readRegion writes the points of a region that is larger than the plan's halo to a folder, from
// the slices of all tiles that it touches, and returns files by source, with the cells of the ground there.
func (v *Survey) readRegion(folder string, known *region) (all []*las.File, around *embed.Cells, err error) {
	writers, boxes := map[int]*las.Edited{}, map[cellKey]cellStats{}
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, nil, err
	}
	for n := range v.plan.Tiles {
		other := &v.plan.Tiles[n]
		// cores of tiles at the border of the grid have no end there
		if !known.touchesAny(within(v.plan.Grid.Core(other.Column, other.Row), known.bounds)) {
			continue
		}
		near := *other // only with the sources in the region, because others may be damaged
		near.Sources = nil
		for _, k := range other.Sources {
			if known.touchesAny(v.plan.Sources[k].box().Grow(v.plan.Shared.width()/v.plan.Unit + v.plan.Grid.Size/1000)) {
				near.Sources = append(near.Sources, k)
			}
		}
		if err := v.cutFor(&near); err != nil {
			return nil, nil, err
		}
		if err := v.addSlices(&near, known, folder, writers); err != nil {
			return nil, nil, err
		}
		if err := v.addCells(&near, boxes); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(writers)) {
		if err := writers[k].Close(); err != nil {
			return nil, nil, err
		}
		l, err := las.Read(writers[k].Layout.Path)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, l)
	}
	return all, v.mergeCells(boxes), nil
}

// within returns the intersection of two boxes.
func within(b, other tile.Box) tile.Box {
	return tile.Box{West: max(b.West, other.West), South: max(b.South, other.South), East: min(b.East, other.East),
		North: min(b.North, other.North)}
}

// addSlices appends the points of a tile's core that lie in the box of the region, and all
// points above and below those in its balls.
func (v *Survey) addSlices(t *plannedTile, known *region, folder string, writers map[int]*las.Edited) error {
	g := &v.plan.Grid
	core := g.Core(t.Column, t.Row)
	columns := map[[2]int64]bool{}
	for pass := range 2 {
		for _, k := range t.Sources {
			l, err := v.readSlice(t.Index, k)
			if err != nil {
				return err
			}
			if l == nil {
				continue
			}
			if pass == 1 && writers[k] == nil {
				if writers[k], err = (las.Edit{}).Start(filepath.Join(folder, strconv.Itoa(k)+".las"), l); err != nil {
					return err
				}
			}
			err = l.Each(func(_ int, record []byte) error {
				p := las.XYZ(record)
				x, y := l.Position(p)
				seen := known.box.Contains(x, y)
				if seen && pass == 0 || !core.Contains(x, y) {
					return nil
				}
				column := v.columnAt(x, y)
				if pass == 0 {
					z := float64(p[2])*l.Scale[2] + l.Offset[2]
					if known.within(r3.Vector{X: x * known.unit, Y: y * known.unit, Z: z * known.vertical}) {
						columns[column] = true
					}
					return nil
				}
				if seen || columns[column] {
					return writers[k].Write(0, record, nil)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// columnAt returns the cell, in X and Y, of the keys that order points.
func (v *Survey) columnAt(x, y float64) (cell [2]int64) {
	cells := v.plan.cells()
	for a, at := range [2]float64{x, y} {
		cell[a] = cells.At(units(at, v.plan.Unit) - units(v.plan.Shared.Origin[a], 1))
	}
	return cell
}
