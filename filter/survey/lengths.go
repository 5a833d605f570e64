package survey

import (
	"math"
	"strconv"
)

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // edge of a tile
	Halo float64 // what a tile sees around it
	Seam float64 // half width of the seam
}

const (
	wantedPoints   = 4e6 // in a tile's core, where no edge is given
	seamSpacings   = 12  // a superpoint of the default size is about ten points across
	leastSeam      = 0.2
	mostSeam       = 5.0
	margin         = 8.0 // spacings that the nearest neighbours may reach
	leastMargin    = 1.0
	tilesPerHalo   = 4 // least edge of a tile, in halos
	unknownSpacing = 0.5
)

// choose fills in what was not given.
func (l Lengths) choose(spacing, halo, density float64) Lengths {
	if spacing == 0 {
		spacing = unknownSpacing
	}
	if l.Seam == 0 {
		l.Seam = round(math.Min(mostSeam, math.Max(leastSeam, seamSpacings*spacing)))
	}
	if l.Halo == 0 {
		l.Halo = round(halo + l.Seam + math.Max(leastMargin, margin*spacing))
	}
	if l.Tile == 0 {
		l.Tile = round(math.Max(math.Sqrt(wantedPoints/density), tilesPerHalo*l.Halo))
	}
	return l
}

// round rounds up to two digits.
func round(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}
