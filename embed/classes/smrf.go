// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"
)

// Parameters of SMRF, the defaults of PDAL's filters.smrf.
const (
	smrfCell      = 1.0  // side of a cell, metres; larger where points are farther apart
	smrfSlope     = 0.15 // metres per metre of the opening's radius
	smrfWindow    = 18.0 // greatest radius of an opening, metres
	smrfThreshold = 0.5  // metres above the surface up to which a point is ground,
	smrfScalar    = 1.25 // plus this, metres, times the surface's slope
)

// terrain is the surface of the ground by the simple morphological filter (SMRF, Pingel et al. 2013,
// doi:10.1016/j.isprsjprs.2012.12.002), and what follows from it for every point.
type terrain struct {
	above   []float32 // height of each point above the surface in metres, negative below it
	ground  []bool    // whether a point is ground by SMRF: within the threshold of the surface
	tooHigh []bool    // whether a point is above the threshold
	density []float32 // log ratio of the points per m² within 2.5 cells to the median over the cells with points
}

// findTerrain computes the terrain. A cell is an object if its lowest point is higher above the opening of the
// surface by a radius than smrfSlope × radius; the ground is the lowest points of the other cells, with the cells
// between filled in. Windows are diamonds, as PDAL's; the paper's are disks.
func (s *Superpoints) findTerrain() *terrain {
	n := s.Cloud.Len()
	t := &terrain{make([]float32, n), make([]bool, n), make([]bool, n), make([]float32, n)}
	if n == 0 {
		return t
	}
	r := newRaster(s.Cloud, max(smrfCell, s.spacing()), s.ignored)
	occupied := slices.Clone(r.known)
	t.measureDensity(r)
	r.fill()
	before, eroded := slices.Clone(r.height), slices.Clone(r.height)
	opened, scratch := make([]float32, len(r.height)), make([]float32, len(r.height))
	for radius := 1; float64(radius)*r.side <= smrfWindow; radius++ {
		r.cross(scratch, eroded, false)
		eroded, scratch = scratch, eroded
		copy(opened, eroded)
		for range radius {
			r.cross(scratch, opened, true)
			opened, scratch = scratch, opened
		}
		for k, v := range opened {
			r.known[k] = r.known[k] && float64(before[k]-v) <= smrfSlope*float64(radius)*r.side
		}
		before, opened = opened, before
	}
	for k := range r.known {
		r.known[k] = r.known[k] && occupied[k]
	}
	if !slices.Contains(r.known, true) {
		copy(r.known, occupied)
	}
	r.fill()
	slope := r.slope()
	for i, p := range s.Cloud.XYZ {
		above := float64(p[2])*s.Cloud.Unit - r.at(s.Cloud, i)
		limit := smrfThreshold + smrfScalar*float64(slope[r.cell[i]])
		t.above[i], t.ground[i], t.tooHigh[i] = float32(above), math.Abs(above) <= limit, above > limit
	}
	return t
}

// measureDensity fills in density.
func (t *terrain) measureDensity(r *raster) {
	count := make([]float64, len(r.height))
	for _, k := range r.cell {
		count[k]++
	}
	near := r.means(count, 2)
	var occupied []float64
	for k, v := range near {
		if count[k] > 0 {
			occupied = append(occupied, v)
		}
	}
	slices.Sort(occupied)
	median := occupied[len(occupied)/2]
	for i, k := range r.cell {
		t.density[i] = float32(math.Log(near[k]/median + 0.02))
	}
}
