package survey

import (
	"math"
	"strconv"
)

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // edge of a tile
	Halo float64 // what a tile sees around it
}

const (
	wantedPoints = 4e6   // in a tile's core, where no edge is given
	tilesPerHalo = 4     // least edge of a tile, in halos
	embedHalo    = 16.0  // halo to embed points, as a rule, in spacings, beyond the context that is read
	leastHalo    = 1.0   // metres
	classHalo    = 20.0  // metres; classifiers look at what lies within 15 m of a superpoint
	coarsenHalo  = 100.0 // halo to coarsen and refine, as a rule, in spacings
	reach        = 8.0   // spacings; longer edges are known to all tiles
	widening     = 1.5   // of a halo that is too narrow
)

// choose fills in what was not given, for points of a density a square metre. Merging is
// the halo of coarsening.
func (l Lengths) choose(e *exact, density float64, classes bool) (chosen Lengths, merging float64) {
	chosen = Lengths{l.Tile, round(max(leastHalo, (embedHalo+e.Context)*e.Spacing))}
	if merging = l.Halo; merging == 0 {
		merging = round(coarsenHalo * e.Spacing)
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
		chosen.Tile = round(max(math.Sqrt(wantedPoints/density), tilesPerHalo*chosen.Halo))
	}
	return chosen, merging
}

// round rounds up to two digits.
func round(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}
