package classes

import (
	"math"
	"slices"
)

// What the ground is found by, metres: the side of a cell, the windows (one wider than
// a large roof last), and how far a cell may be above the opening by a window: a part
// that land within it may rise, and what the window's width adds. Slopes are those of
// towns and fields; of steep ones the tops are cut.
const (
	groundSide  = 1.0
	groundRise  = 0.25
	groundSlope = 0.0375
)

var groundWindows = []float64{3, 5, 9, 15, 23, 33}

// aboveGround returns every point's height above the ground, metres: what is left of
// the lowest points of cells after openings by growing windows (a progressive
// morphological filter, Zhang et al. 2003, doi:10.1109/TGRS.2003.810682), with what
// lies between filled in and smoothed. It is negative for points below that.
func (s *Superpoints) aboveGround() []float32 {
	above := make([]float32, s.Cloud.Len())
	if len(above) == 0 {
		return above
	}
	r := newRaster(s.Cloud, groundSide, s.apart)
	r.keepGround()
	r.fill()
	ground := r.smooth()
	for i, p := range s.Cloud.XYZ {
		above[i] = float32(float64(p[2])*s.Cloud.Unit) - ground[r.cell[i]]
	}
	return above
}

// keepGround forgets cells whose lowest point is not on the ground. The lowest cell of
// all stays.
func (r *raster) keepGround() {
	occupied := slices.Clone(r.known)
	r.fill()
	surface := slices.Clone(r.height)
	before, scratch := 0, make([]float32, len(surface))
	for _, window := range groundWindows {
		half := max(1, int(math.Round(window/r.side))/2)
		if half == before {
			continue
		}
		before = half
		opened := slices.Clone(surface)
		r.slide(opened, scratch, half, false)
		r.slide(opened, scratch, half, true)
		most := float32(groundRise + groundSlope*float64(2*half+1)*r.side)
		for k, v := range opened {
			occupied[k] = occupied[k] && surface[k]-v <= most
		}
		surface = opened
	}
	r.known = occupied
}
