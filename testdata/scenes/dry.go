// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"
	"slices"
)

// dry is open land that may be taken for water: level, bare or nearly so, with one kind of ground for each
// seed.
type dry struct {
	open
	seed       uint64
	detail     float64
	kind       string
	sin, cos   float64 // of the direction in which the ground rises
	tilt       float64 // m per m
	step, wide float64 // m, height and width of terraces, of pans, or of an islet's rise
	waves      relief
	apart      float64 // m, between the middles of two roads or ditches
	road       float64 // m that roads lie above the ground, or below it; 0 for none
	ditch      float64 // m, depth of ditches; 0 for none
	gaps       bool    // patches that return no pulses
	trees      float64 // number of a block, mean
	houses     float64 // chance of one in a block
	plants     *plants
}

// dryKinds are the kinds of ground, by the seed's remainder.
var dryKinds = []string{"level", "slope", "terraces", "rolling", "ploughed", "car park", "runway",
	"roofs", "islet",
	"pans"}

func newDry(o Options) *dry {
	r := Random(Hash(o.Seed, 'd', 0))
	s := &dry{seed: o.Seed, detail: o.Detail, kind: dryKinds[o.Seed%uint64(len(dryKinds))],
		step: r.Between(.3, 2),
		wide: r.Between(15, 50), apart: r.Between(80, 200), waves: relief{Hash(o.Seed, 'd', 1), .02,
			r.Between(15, 60)},
		gaps: r.Chance(.25), plants: newPlants(Hash(o.Seed, 'd', 2), o.Detail)}
	s.sin, s.cos = math.Sincos(r.Between(0, 2*math.Pi))
	if r.Chance(.5) {
		s.road = r.Between(-1.2, 1.2)
	}
	if r.Chance(.4) {
		s.ditch = r.Between(.4, 1.5)
	}
	if r.Chance(.75) {
		s.trees = r.Between(.2, 6)
	}
	if r.Chance(.6) {
		s.houses = r.Between(.1, .7)
	}
	switch s.kind {
	case "level":
		s.tilt = r.Between(0, .001)
	case "slope":
		s.tilt = .0005 * math.Pow(160, r.Float())
	case "terraces":
		s.tilt = r.Between(0, .004)
	case "rolling":
		s.tilt, s.waves.high = r.Between(0, .01), r.Between(.3, 3)
	case "ploughed":
		s.tilt, s.waves.high = r.Between(0, .01), r.Between(.02, .2)
	case "car park", "runway":
		s.tilt, s.road, s.ditch, s.waves.high = r.Between(.0005, .015), 0, 0, .005
	case "islet":
		s.road, s.ditch, s.trees, s.houses, s.step = 0, 0, s.trees/4, 0, r.Between(.3, 6)
	case "pans":
		s.step, s.waves.high = s.step/4+.2, .01
	}
	return s
}

// Station stands on the ground, 50 m apart.
func (s *dry) Station(n int) (x, y, z float64) {
	x, y = 20+50*float64(n), 20
	return x, y, s.height(x, y) + 1.7
}

// height returns the height of the ground at world coordinates.
func (s *dry) height(x, y float64) float64 {
	z := s.waves.at(x, y)
	along := s.cos*x + s.sin*y
	if s.kind != "islet" {
		z += s.tilt * along
	}
	switch s.kind {
	case "terraces":
		z += s.step * math.Floor(along/s.wide)
	case "ploughed":
		z += .12 * math.Sin(2*math.Pi*along/2.5)
	case "runway":
		z -= .012 * math.Abs(s.middle(along))
	case "islet":
		z += s.step * (Noise(s.seed+5, x/(2*s.wide), y/(2*s.wide)) + .2)
		if z < 0 {
			return 0
		}
	case "pans":
		if s.dyke(x, y) {
			z += s.step
		}
	}
	if s.road != 0 {
		z += s.road * ramp(s.middle(x+10*Noise(s.seed+3, y/60, 0)), 4)
	}
	if s.ditch > 0 {
		z -= s.ditch * ramp(s.middle(y+8*Noise(s.seed+4, x/50, 0)), 2)
	}
	return z
}

// middle returns the distance from the middle of the nearest strip.
func (s *dry) middle(u float64) float64 { return u - s.apart*(math.Floor(u/s.apart)+.5) }

// ramp falls from 1 at a distance of half or less to 0 at twice that.
func ramp(d, half float64) float64 { return max(0, min(1, 2-math.Abs(d)/half)) }

// dyke reports whether a place is between two pans.
func (s *dry) dyke(x, y float64) bool {
	u, v := (s.cos*x+s.sin*y)/s.wide, (s.cos*y-s.sin*x)/s.wide
	edge := 2 / s.wide
	return u-math.Floor(u) < edge || v-math.Floor(v) < edge
}

// surface returns the surface of the ground at world coordinates.
func (s *dry) surface(x, y float64) Part {
	p := Part{Class: Ground, Material: []Material{Grass, Soil, Crop}[s.seed/uint64(len(dryKinds))%3],
		Object: 1}
	switch s.kind {
	case "car park":
		p.Material = Asphalt
	case "runway":
		if math.Abs(s.middle(s.cos*x+s.sin*y)) < 22 {
			p.Material, p.Object = Asphalt, 2
		}
	case "islet":
		p.Material = Soil
		if s.height(x, y) <= 0 {
			return Part{Class: WaterClass, Material: Water, Object: waterObject}
		}
	case "pans":
		p.Material = Soil
	}
	if s.gaps && Noise(s.seed+6, x/20, y/20) > .45 {
		p.Material = Tar
	}
	return p
}

// Block makes the ground, and the few things on it.
func (s *dry) Block(i, j int) *Block {
	l := newLot(s.seed, i, j)
	step := 1.0
	if s.detail < .5 {
		step = 4
	}
	height := func(x, y float64) float64 { return s.height(l.x0+x, l.y0+y) }
	terrain{x0: l.x0, y0: l.y0, xs: lines(blockSize, step), ys: lines(blockSize, step), height: height,
		surface: func(x, y float64) Part { return s.surface(l.x0+x, l.y0+y) }}.build(l.b)
	somewhere := func(margin float64) (x, y float64) {
		x, y = l.r.Between(margin, blockSize-margin), l.r.Between(margin, blockSize-margin)
		l.b.frame = at(x, y, height(x, y), l.r.Between(0, math.Pi))
		return x, y
	}
	for range int(s.trees + l.r.Float()) {
		x, y := somewhere(1)
		if s.surface(l.x0+x, l.y0+y).Class == Ground {
			l.copyOf(slices.Concat(s.plants.broad, s.plants.bushes), x, y, height(x, y), l.r.Between(.6, 1.3),
				l.object(), .82, 1.25)
		}
	}
	if l.r.Chance(s.houses) {
		somewhere(14)
		barn(l.b, &l.r, l.object())
	}
	switch s.kind {
	case "car park":
		for range 12 + l.r.Pick(30) {
			somewhere(4)
			car(l.b, &l.r, l.object())
		}
	case "roofs":
		somewhere(32)
		l.b.use(Part{Class: Building, Material: RoofSheet, Object: l.object()})
		x, y, z, rim := l.r.Between(10, 28), l.r.Between(8, 28), l.r.Between(3, 12), l.r.Between(.1, 1)
		l.b.box(-x, -y, -3, x, y, z)
		l.b.box(-x, -y, z, x, -y+.4, z+rim)
		l.b.box(-x, y-.4, z, x, y, z+rim)
	}
	return l.block
}
