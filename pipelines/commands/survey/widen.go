// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/partition/base/tile"
	"superpoint/pipelines/files/las"
)

// readRegion writes the points of a region to a folder, from the slices of all tiles that it touches, and returns files
// by source. The points of a tile keep their order.
func (v *Survey) readRegion(folder string, known *region) (all []*las.File, err error) {
	writers := map[int]*las.Edited{}
	defer func() {
		for _, w := range writers {
			w.Discard()
		}
	}()
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, err
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
			if known.touchesAny(v.plan.Sources[k].box().Grow(v.plan.Grid.Size / 1000)) {
				near.Sources = append(near.Sources, k)
			}
		}
		if err := v.cutFor(&near); err != nil {
			return nil, err
		}
		if err := v.addSlices(&near, known, folder, writers); err != nil {
			return nil, err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(writers)) {
		if err := writers[k].Close(); err != nil {
			return nil, err
		}
		l, err := las.Read(writers[k].Layout.Path)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// within returns the intersection of two boxes.
func within(b, other tile.Box) tile.Box {
	return tile.Box{West: max(b.West, other.West), South: max(b.South, other.South), East: min(b.East, other.East),
		North: min(b.North, other.North)}
}

// addSlices appends the points of a tile's core that lie in the region.
func (v *Survey) addSlices(t *plannedTile, known *region, folder string, writers map[int]*las.Edited) error {
	core := v.plan.Grid.Core(t.Column, t.Row)
	for _, k := range t.Sources {
		l, err := v.readSlice(t.Index, k)
		if err != nil {
			return err
		}
		if l == nil {
			continue
		}
		if writers[k] == nil {
			if writers[k], err = (las.Edit{}).Start(filepath.Join(folder, strconv.Itoa(k)+".las"), l); err != nil {
				return err
			}
		}
		err = l.Each(func(_ int, record []byte) error {
			x, y := l.Position(las.XYZ(record))
			if core.Contains(x, y) && (known.box.Contains(x, y) || known.depth(x, y) > 0) {
				return writers[k].Write(record, nil)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
