// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"superpoint/partition/base/tile"
)

// findTiles returns the tiles in whose core a source may have points, with the sources that
// touch the tile with its halo.
func findTiles(g *tile.Grid, sources []source) (all []plannedTile, err error) {
	slack := g.Size / 1000 // bounds in headers may be rounded
	type seen struct {
		used    bool
		sources []int
	}
	found, looked := map[[2]int]*seen{}, 0
	for k := range sources {
		b := sources[k].box().Grow(slack)
		west, south := g.At(b.West-g.Halo-g.Size, b.South-g.Halo-g.Size)
		east, north := g.At(b.East+g.Halo+g.Size, b.North+g.Halo+g.Size)
		if looked += (east - west + 1) * (north - south + 1); looked > 16*tile.MaxTiles {
			return nil, fmt.Errorf("the sources lie in more than %d tiles of size %v; use larger tiles", tile.MaxTiles, g.Size)
		}
		for row := south; row <= north; row++ {
			for column := west; column <= east; column++ {
				core, at := g.Core(column, row), [2]int{row, column}
				if !touches(b, core.Grow(g.Halo)) {
					continue
				}
				t := found[at]
				if t == nil {
					t = &seen{}
					found[at] = t
				}
				t.sources = append(t.sources, k)
				t.used = t.used || touches(b, core)
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

// enclosing returns the smallest box around two.
func enclosing(a, b tile.Box) tile.Box {
	return tile.Box{West: min(a.West, b.West), South: min(a.South, b.South), East: max(a.East, b.East),
		North: max(a.North, b.North)}
}

func touches(a, b tile.Box) bool {
	return a.West <= b.East && b.West <= a.East && a.South <= b.North && b.South <= a.North
}

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // side of a tile
	Halo float64 // width of the halo
}

const (
	tilePointsDefault = 4e6   // in a tile's core, if no side is given
	tilesPerHalo      = 4     // smallest side of a tile, in halos
	largestTile       = 15e3  // metres, if no side is given: points of a tile lie within 21 km, with halos
	embedHalo         = 16.0  // default halo to embed points, in spacings, in addition to what the model reads
	minHalo           = 1.0   // metres
	classHalo         = 20.0  // metres; classifiers read points within 15 m of a superpoint
	coarsenHalo       = 100.0 // default halo to coarsen and refine, in spacings
	reach             = 8.0   // spacings; longer edges are listed for all tiles
	haloGrowth        = 1.5   // factor by which a halo that is too narrow is widened
)

// choose returns the lengths, with defaults for a density in points per square metre, and
// merging, the halo of coarsening and refinement.
func (l Lengths) choose(e *shared, density float64, classes bool) (chosen Lengths, merging float64) {
	chosen = Lengths{l.Tile, roundUp(max(minHalo, embedHalo*e.Spacing+e.Wide))}
	if merging = l.Halo; merging == 0 {
		merging = roundUp(coarsenHalo * e.Spacing)
	}
	if classes {
		chosen.Halo = max(chosen.Halo, classHalo)
	}
	if l.Halo > 0 {
		chosen.Halo = min(chosen.Halo, max(l.Halo, e.Wide)) // else all points near the border need discs
	}
	if l.Tile > 0 {
		chosen.Halo = min(chosen.Halo, l.Tile/2)
	} else {
		chosen.Tile = roundUp(max(min(math.Sqrt(tilePointsDefault/density), largestTile), tilesPerHalo*chosen.Halo))
	}
	return chosen, merging
}

// roundUp rounds up to two digits.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}
