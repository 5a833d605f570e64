package survey

import (
	"fmt"
	"maps"
	"slices"

	"superpoint/partition/tile"
)

// tiles lists the tiles in whose core a source has points, with the sources that
// each sees or, that much farther away, reads the ground of.
func tiles(g *tile.Grid, extents []extent, farther float64) (all []planned, err error) {
	// a header's bounds may be rounded
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
				return nil, fmt.Errorf("the sources lie in more than %d tiles of size %v; take larger tiles", tile.MaxTiles, g.Size)
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
			all = append(all, planned{Index: len(all), Column: at[1], Row: at[0], Sources: t.sources})
		}
	}
	return all, nil
}

func touches(a, b tile.Box) bool {
	return a.West <= b.East && b.West <= a.East && a.South <= b.North && b.South <= a.North
}
