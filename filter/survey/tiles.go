package survey

import (
	"fmt"
	"maps"
	"slices"

	"superpoint/partition/tile"
)

// findTiles returns the tiles in whose core a source may have points, with the sources that
// touch the tile with its halo enlarged by farther.
func findTiles(g *tile.Grid, extents []extent, farther float64) (all []plannedTile, err error) {
	// bounds in headers may be rounded
	slack, halo := g.Size/1000, g.Halo+farther
	type seen struct {
		used    bool
		sources []int
	}
	found, looked := map[[2]int]*seen{}, 0
	for k, e := range extents {
		for _, b := range e.boxes {
			b = b.Grow(slack)
			west, south := g.At(b.West-halo-g.Size, b.South-halo-g.Size)
			east, north := g.At(b.East+halo+g.Size, b.North+halo+g.Size)
			if looked += (east - west + 1) * (north - south + 1); looked > 16*tile.MaxTiles {
				return nil, fmt.Errorf("the sources lie in more than %d tiles of size %v; use larger tiles", tile.MaxTiles, g.Size)
			}
			for row := south; row <= north; row++ {
				for column := west; column <= east; column++ {
					core, at := g.Core(column, row), [2]int{row, column}
					if !touches(b, core.Grow(halo)) {
						continue
					}
					t := found[at]
					if t == nil {
						t = &seen{}
						found[at] = t
					}
					if n := len(t.sources); n == 0 || t.sources[n-1] != k {
						t.sources = append(t.sources, k)
					}
					t.used = t.used || touches(b, core)
				}
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(found), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		if t := found[at]; t.used {
			all = append(all, plannedTile{Index: len(all), Column: at[1], Row: at[0], Sources: t.sources})
		}
	}
	return all, nil
}

func touches(a, b tile.Box) bool {
	return a.West <= b.East && b.West <= a.East && a.South <= b.North && b.South <= a.North
}
