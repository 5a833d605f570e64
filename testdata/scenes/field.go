// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// field is rolling farmland: crops in strips, a track, woods where slow noise
// is high, single trees and hedgerows, barns, and a power line every few rows.
type field struct {
	open
	seed   uint64
	detail float64
	relief relief
	plants *plants
	wooded bool    // a forest
	tall   []*Mesh // its trees
}

func newField(o Options) *field {
	return &field{seed: o.Seed, detail: o.Detail,
		relief: relief{Hash(o.Seed, 'f', 0), 11, 260}, plants: newPlants(Hash(o.Seed, 'f', 1), o.Detail)}
}

// Station stands on the track of the first row, 50 m apart.
func (s *field) Station(n int) (x, y, z float64) {
	x, y = 20+50*float64(n), trackY
	return x, y, s.relief.at(x, y) + 1.7
}

const (
	trackY    = 10.0
	trackHalf = 1.6
	lineY     = 44.0 // m, the power line in its rows
)

// track and powered are the rows that have a track and a power line.
func (s *field) track(j int) bool   { return (j%2+2)%2 == 0 }
func (s *field) powered(j int) bool { return !s.wooded && (j%4+4)%4 == 0 }

// Block makes the ground, what grows on it and what was built on it.
func (s *field) Block(i, j int) *Block {
	p := &acre{s, newLot(s.seed, i, j)}
	step := 2.0
	if s.detail < .5 {
		step = 5
	}
	var along []float64
	if s.track(j) {
		along = []float64{trackY - trackHalf, trackY + trackHalf}
	}
	terrain{x0: p.x0, y0: p.y0, xs: lines(blockSize, step, p.border()), ys: lines(blockSize, step, along...),
		height: p.height, surface: p.surface}.build(p.b)
	if s.powered(j) {
		s.power(p)
	}
	if s.wooded {
		p.wood()
		return p.block
	}
	p.grow()
	p.work()
	return p.block
}

// acre is one block of a field.
type acre struct {
	*field
	lot
}

func (p *acre) height(x, y float64) float64 { return p.relief.at(p.x0+x, p.y0+y) }

// border is where one crop ends and the next begins, in block coordinates.
func (p *acre) border() float64 {
	return 12 + float64(Hash(p.seed, 'c', uint64(p.i))%40)
}

func (p *acre) surface(x, y float64) Part {
	if p.track(p.j) && math.Abs(y-trackY) < trackHalf {
		return Part{Class: Ground, Material: Soil, Object: 1, Color: [3]uint8{168, 150, 122}}
	}
	if p.wooded {
		return Part{Class: Ground, Material: Soil, Object: 100, Color: [3]uint8{112, 96, 66}}
	}
	strip := p.i // a strip reaches from one border to the next
	if x > p.border() {
		strip = p.i + 1
	}
	row := int(math.Floor(float64(p.j) / 2)) // two rows of blocks, between tracks
	h := Hash(p.seed, uint64(strip), uint64(row))
	part := Part{Class: Ground, Object: uint16(100 + h%400)}
	switch h >> 32 % 4 {
	case 0:
		part.Material = Soil
	case 1:
		part.Material = Crop
	case 2:
		part.Material, part.Color = Crop, [3]uint8{186, 168, 84}
	default:
		part.Material = Grass
	}
	return part
}

func (p *acre) plant(of []*Mesh, x, y, scale float64, object uint16) {
	p.copyOf(of, x, y, p.height(x, y), scale, object, .82, 1.25)
}

// free reports that nothing grows there: the track, and under the wires.
func (p *acre) free(y float64) bool {
	return p.track(p.j) && math.Abs(y-trackY) < trackHalf+1.5 || p.powered(p.j) && math.Abs(y-lineY) < 12
}

// grow plants woods, hedgerows, single trees and tall grass.
func (p *acre) grow() {
	for range 60 {
		x, y := p.r.Between(0, blockSize), p.r.Between(0, blockSize)
		wooded := Noise(p.seed+9, (p.x0+x)/90, (p.y0+y)/90)
		chance := .02
		if wooded > .25 {
			chance = .85
		}
		if p.free(y) || !p.r.Chance(chance) || p.block.Locals > 70 {
			continue
		}
		kind := p.plants.broad
		if wooded > .25 && p.r.Chance(.5) || p.r.Chance(.1) {
			kind = p.plants.narrow
		}
		p.plant(kind, x, y, p.r.Between(.7, 1.4), p.object())
	}
	if x := p.border(); Hash(p.seed, 'h', uint64(p.i))%2 == 0 { // a hedgerow between two crops
		object := p.object()
		for y := 1.0; y < blockSize; y += 1.7 {
			if !p.free(y) && !p.r.Chance(.12) {
				p.plant(p.plants.bushes, x+p.r.Normal()*.3, y, p.r.Between(1, 1.7), object)
			}
		}
	}
	for range p.r.Pick(9) { // tall grass beside the track
		x, y := p.r.Between(0, blockSize), trackY+trackHalf+p.r.Between(.5, 1.4)
		p.plant(p.plants.tufts, x, y, p.r.Between(.8, 1.6), p.object())
	}
}

// work adds barns and hay bales.
func (p *acre) work() {
	if Hash(p.seed^'b', uint64(p.i), uint64(p.j))%7 == 0 && p.track(p.j) && !p.powered(p.j) {
		x, y := p.r.Between(16, 48), trackY+14
		p.b.frame = at(x, y, p.height(x, y)-.6, p.r.Between(-.2, .2))
		barn(p.b, &p.r, p.object())
	}
	if p.r.Chance(.4) {
		for range 2 + p.r.Pick(5) {
			x, y := p.r.Between(4, 60), p.r.Between(16, 36)
			p.b.frame = at(x, y, p.height(x, y), p.r.Between(0, math.Pi))
			bale(p.b, p.object())
		}
	}
}
