// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"
	"slices"
)

// rock is steep land without houses: coasts with stacks, quarries, gorges and slopes of scree, one kind
// for each seed. What rises like a wall or a roof is ground there.
type rock struct {
	open
	seed    uint64
	detail  float64
	kind    string
	relief  relief
	step    float64 // m, height of a face
	sharp   float64 // steepness of faces, 1 for none
	domes   float64 // chance of a dome in a square
	side    float64 // m, of a square
	tallest float64 // m, of a dome
	blocks  float64 // m, height of loose blocks and cracks
	sea     float64 // m, its level
	waves   float64 // m
	plants  *plants
	bushes  float64 // number of a block, mean
}

// rockKinds are the kinds of rock, by the seed's remainder.
var rockKinds = []string{"coast", "quarry", "gorge", "coast", "scree"}

// nowhere is the level of the sea, and the height of domes, where there are none: below all rock.
const nowhere = -1e4

func newRock(o Options) *rock {
	r := Random(Hash(o.Seed, 'k', 0))
	s := &rock{
		seed:    o.Seed,
		detail:  o.Detail,
		kind:    rockKinds[o.Seed%uint64(len(rockKinds))],
		relief:  relief{Hash(o.Seed, 'k', 1), 10 * math.Pow(6, r.Float()), r.Between(50, 160)},
		step:    4 * math.Pow(7, r.Float()),
		sharp:   r.Between(2, 8),
		domes:   r.Between(0, .5),
		side:    r.Between(25, 60),
		tallest: 6 * math.Pow(8, r.Float()),
		blocks:  r.Between(.1, 1),
		sea:     nowhere,
		plants:  newPlants(Hash(o.Seed, 'k', 2), o.Detail),
		bushes:  r.Between(0, 60),
	}
	switch s.kind {
	case "coast":
		s.sea = s.relief.high * r.Between(-.5, .3)
		s.waves = r.Between(.02, .25)
		s.domes = r.Between(.3, .9)
	case "quarry":
		s.sharp = r.Between(8, 40)
		s.domes = 0
		s.blocks /= 4
		if r.Chance(.3) { // a lake at its bottom
			s.sea = -s.relief.high * r.Between(.2, .6)
		}
	case "gorge":
		s.sharp = r.Between(3, 10)
		s.step *= 2
	case "scree":
		s.sharp = 1
		s.step = 3
		s.relief.high *= 1.5
	}
	return s
}

// Station stands on the ground, 50 m apart.
func (s *rock) Station(n int) (x, y, z float64) {
	x, y = 20+50*float64(n), 20
	return x, y, s.height(x, y) + 1.7
}

// rise returns the height of the rock at world coordinates.
func (s *rock) rise(x, y float64) float64 {
	face := s.step * (1 + .3*Noise(s.seed+3, x/80, y/80))
	faces := s.relief.at(x, y) / face
	below := math.Floor(faces)
	z := face * (below + steep(faces-below, s.sharp))
	z = max(z, s.dome(x, y))
	cracks := s.blocks * Noise(s.seed+4, x/3, y/3)
	loose := math.Round(1.5 * Noise(s.seed+5, x/1.7, y/1.7))
	return z + cracks + s.blocks/2*loose
}

// steep maps 0 … 1 to itself, nearly level at both ends and sharp times as steep in the middle.
func steep(t, sharp float64) float64 {
	return max(0, min(1, .5+sharp*(t-.5)))*.9 + .1*t
}

// dome returns the height of the highest dome of the squares around a place.
func (s *rock) dome(x, y float64) float64 {
	z := float64(nowhere)
	x += 4 * Noise(s.seed+6, x/12, y/12)
	y += 4 * Noise(s.seed+7, x/12, y/12)
	column := math.Floor(x / s.side)
	row := math.Floor(y / s.side)
	for i := column - 1; i <= column+1; i++ {
		for j := row - 1; j <= row+1; j++ {
			z = max(z, s.domeOf(i, j, x, y))
		}
	}
	return z
}

// domeOf returns the height of the dome of a square at a place.
func (s *rock) domeOf(i, j, x, y float64) float64 {
	r := Random(Hash(s.seed^'o', uint64(int64(i)), uint64(int64(j))))
	if !r.Chance(s.domes) {
		return nowhere
	}
	midX := (i + r.Float()) * s.side
	midY := (j + r.Float()) * s.side
	radius := s.side * r.Between(.2, .8)
	d := math.Hypot(x-midX, y-midY) / radius
	if d >= 1 {
		return nowhere
	}
	foot := s.relief.at(midX, midY) - 2
	high := s.tallest * r.Between(.3, 1)
	return foot + high*math.Pow(1-d*d, r.Between(.3, 1))
}

// water returns the height of the sea at world coordinates.
func (s *rock) water(x, y float64) float64 { return s.sea + s.waves*Noise(s.seed+8, x/5, y/9) }

// height returns the height of the rock or the sea at world coordinates.
func (s *rock) height(x, y float64) float64 { return max(s.rise(x, y), s.water(x, y)) }

// surface returns the surface at world coordinates.
func (s *rock) surface(x, y float64) Part {
	if s.rise(x, y) <= s.water(x, y) {
		return Part{Class: WaterClass, Material: Water, Object: waterObject}
	}
	return Part{Class: Ground, Material: Concrete, Object: 1, Color: [3]uint8{150, 140, 124}}
}

// Block makes the rock, the sea, and what grows on level places.
func (s *rock) Block(i, j int) *Block {
	l := newLot(s.seed, i, j)
	step := .5
	if s.detail < .5 {
		step = 4
	}
	l.cover(step, s.height, s.surface)
	for range int(s.bushes + l.r.Float()) {
		x := l.r.Between(1, blockSize-1)
		y := l.r.Between(1, blockSize-1)
		if !s.grows(l.x0+x, l.y0+y) {
			continue
		}
		kind := s.plants.bushes
		if l.r.Chance(.2) {
			kind = slices.Concat(s.plants.broad, s.plants.narrow)
		}
		l.copyOf(kind, x, y, s.height(l.x0+x, l.y0+y), l.r.Between(.5, 1.1), l.object(), .82, 1.25)
	}
	return l.block
}

// grows reports whether a place is level enough for plants, and dry.
func (s *rock) grows(x, y float64) bool {
	z := s.height(x, y)
	east := math.Abs(s.height(x+.5, y) - z)
	north := math.Abs(s.height(x, y+.5) - z)
	return east < .4 && north < .4 && s.surface(x, y).Class == Ground
}
