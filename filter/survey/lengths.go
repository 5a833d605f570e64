package survey

import (
	"math"
	"strconv"
)

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // side of a tile
	Halo float64 // width of the halo
}

const (
	tilePointsDefault = 4e6   // in a tile's core, if no side is given
	tilesPerHalo      = 4     // smallest side of a tile, in halos
	embedHalo         = 16.0  // default halo to embed points, in spacings, in addition to the model's context
	minHalo           = 1.0   // metres
	classHalo         = 20.0  // metres; classifiers read points within 15 m of a superpoint
	coarsenHalo       = 100.0 // default halo to coarsen and refine, in spacings
	reach             = 8.0   // spacings; longer edges are listed for all tiles
	haloGrowth        = 1.5   // factor by which a halo that is too narrow is widened
)

// choose returns the lengths, with defaults for a density in points per square metre, and
// merging, the halo of coarsening and refinement.
func (l Lengths) choose(e *shared, density float64, classes bool) (chosen Lengths, merging float64) {
	chosen = Lengths{l.Tile, roundUp(max(minHalo, (embedHalo+e.Context)*e.Spacing))}
	if merging = l.Halo; merging == 0 {
		merging = roundUp(coarsenHalo * e.Spacing)
	}
	if classes {
		chosen.Halo = max(chosen.Halo, classHalo)
	}
	if l.Halo > 0 {
		chosen.Halo = min(chosen.Halo, l.Halo)
	}
	if l.Tile > 0 {
		chosen.Halo = min(chosen.Halo, l.Tile/2)
	} else {
		chosen.Tile = roundUp(max(math.Sqrt(tilePointsDefault/density), tilesPerHalo*chosen.Halo))
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
