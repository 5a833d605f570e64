// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"

	"superpoint/partition/neighbor"
)

// Parameters of SMRF, the defaults of PDAL's filters.smrf.
const (
	smrfCell      = 1.0  // side of a cell, metres; larger where points are farther apart
	smrfSlope     = 0.15 // metres per metre of the opening's radius
	smrfWindow    = 18.0 // greatest radius of an opening, metres
	smrfThreshold = 0.5  // metres above the surface up to which a point is ground,
	smrfScalar    = 1.25 // plus this, metres, times the surface's slope
)

// Limits of the step from a cell of ground to a near one that is ground as well: steep land and rocks are
// climbed, walls are not.
const (
	reachSlope = 0.7 // metres per metre
	reachStep  = 1.0 // metres
	reachCells = 2   // cells without points lie between: scan lines are farther apart than points along them
)

// terrain has two surfaces of the ground and what follows from them for every point. The first is computed by
// the simple morphological filter (SMRF, Pingel et al. 2013, doi:10.1016/j.isprsjprs.2012.12.002), which
// removes all that rises steeply. The second, reached, adds what is connected with this ground without a
// step: slopes, banks and bridges, but no roofs (Sithole and Vosselman 2005, "Filtering of airborne laser
// scanner data based on segmented point clouds").
type terrain struct {
	smrf, reached []float32 // height of each point over the surfaces in metres, negative below them
	cell          []int32   // of each point; the others are of cells:
	lowest        []float32 // height of the lowest point, metres
	limit         []float32 // height over SMRF's surface up to which a point is ground, metres
	walled, steep []bool    // whether the component is, see component
	deck          []bool    // whether the cell is of a deck
	// log ratio of the points per m² within 2.5 cells to the median over the cells with points
	density []float32
}

// ground reports whether a point is ground by SMRF.
func (t *terrain) ground(i int) bool { return max(t.smrf[i], -t.smrf[i]) <= t.limit[t.cell[i]] }

// isLow reports whether a point is not far above the lowest one in its cell, and so of the cell's rim and
// deck.
func (s *Superpoints) isLow(i int) bool {
	z := float64(s.Cloud.XYZ[i][2]) * s.Cloud.Unit
	return z-float64(s.terrain.lowest[s.terrain.cell[i]]) < reachStep
}

// onDeck reports whether a point is of a deck.
func (s *Superpoints) onDeck(i int) bool { return s.terrain.deck[s.terrain.cell[i]] && s.isLow(i) }

// aboveSMRF fills in smrf.
func (t *terrain) aboveSMRF(to []float32) { copy(to, t.smrf) }

// fillDensity fills in the density at each point.
func (t *terrain) fillDensity(to []float32) {
	for i, k := range t.cell {
		to[i] = t.density[k]
	}
}

// noiseMargin is the height in metres over the limit of ground from which on isolated points are noise.
const noiseMargin = 1.5

// noise returns the class of a point that is noise.
func (s *Superpoints) noise(i int) uint8 {
	if s.noiseClass != nil && s.noiseClass[i] != 0 {
		return s.noiseClass[i]
	}
	t := s.terrain
	switch most := t.limit[t.cell[i]] + noiseMargin; {
	case t.smrf[i] > most:
		return HighNoise
	case t.smrf[i] < -most:
		return Noise
	}
	return Unclassified
}

// Level is how a point lies to the two surfaces.
type Level int

// The levels, and their number.
const (
	Low      Level = iota // not above SMRF's ground
	Cover                 // the same, but as high above the lowest points as plants that cover the ground
	OnDeck                // not above SMRF's ground, on a deck, which SMRF may take for ground
	Disputed              // above that, and not above what is connected with it: steep land, rocks, bridges
	TooHigh               // above both
	Levels
)

// coverHeight is the least height of such plants over the surface through the lowest points, in metres. In
// surveys with a class of low plants, up to nine in ten of the points above it that the network takes for
// ground are plants.
const coverHeight = 0.2

// Level returns the level of a point. It is called after Describe.
func (s *Superpoints) Level(i int) Level {
	t, limit := s.terrain, s.terrain.limit[s.terrain.cell[i]]
	switch {
	case t.smrf[i] <= limit:
		switch {
		case s.onDeck(i):
			return OnDeck
		case t.smrf[i] > coverHeight:
			return Cover
		}
		return Low
	case t.reached[i] <= limit:
		return Disputed
	}
	return TooHigh
}

// findTerrain computes the terrain. A cell is an object if its lowest point is higher above the opening of
// the surface by a radius than smrfSlope × radius; the ground is the lowest points of the other cells, with
// the cells between filled in. Windows are diamonds, as PDAL's; the paper's are disks.
func (s *Superpoints) findTerrain() *terrain {
	t := new(terrain)
	if s.Cloud.Len() == 0 {
		return t
	}
	r := newRaster(s.Cloud, max(smrfCell, s.spacing()), s.Noise, s.ignored)
	occupied := slices.Clone(r.known)
	t.cell = r.cell
	t.lowest = slices.Clone(r.height)
	t.density = r.density()
	ground := r.smrf(occupied)
	all, of := r.components(t.lowest, occupied, ground)
	t.deck = r.decks(of, t.lowest, s.spacing())
	t.walled = make([]bool, len(of))
	t.steep = make([]bool, len(of))
	reached := make([]bool, len(of))
	for k, id := range of {
		if id < 0 {
			continue
		}
		reached[k] = all[id].ground
		t.walled[k] = all[id].isWalled()
		t.steep[k] = all[id].isSteep(r.side)
	}
	t.reached = r.over(s.Cloud, t.lowest, reached)
	t.smrf = r.over(s.Cloud, t.lowest, ground)
	t.limit = r.slope()
	for k, slope := range t.limit {
		t.limit[k] = smrfThreshold + smrfScalar*slope
	}
	return t
}

// smrf returns the cells of ground among those that are occupied.
func (r *raster) smrf(occupied []bool) []bool {
	ground := slices.Clone(occupied)
	r.fill()
	before := slices.Clone(r.height)
	eroded := slices.Clone(r.height)
	opened := make([]float32, len(r.height))
	scratch := make([]float32, len(r.height))
	for radius := 1; float64(radius)*r.side <= smrfWindow; radius++ {
		r.cross(scratch, eroded, false)
		eroded, scratch = scratch, eroded
		copy(opened, eroded)
		for range radius {
			r.cross(scratch, opened, true)
			opened, scratch = scratch, opened
		}
		most := smrfSlope * float64(radius) * r.side
		for k, v := range opened {
			ground[k] = ground[k] && float64(before[k]-v) <= most
		}
		before, opened = opened, before
	}
	if !slices.Contains(ground, true) {
		return occupied
	}
	return ground
}

// over returns the heights of points over the surface through the lowest points of cells of ground.
func (r *raster) over(c *neighbor.Cloud, lowest []float32, ground []bool) []float32 {
	copy(r.height, lowest)
	copy(r.known, ground)
	r.fill()
	above := make([]float32, c.Len())
	for i, p := range c.XYZ {
		above[i] = float32(float64(p[2])*c.Unit - r.at(c, i))
	}
	return above
}

// density returns the density of each cell with points, see terrain.
func (r *raster) density() []float32 {
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
	density := make([]float32, len(near))
	for k, v := range near {
		if count[k] > 0 {
			density[k] = float32(math.Log(v/median + 0.02))
		}
	}
	return density
}
