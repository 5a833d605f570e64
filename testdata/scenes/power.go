// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// A power line runs along x; a tower stands in every second block.
const (
	towerEvery = 2
	towerX     = 32.0 // m, in its block
	towerHigh  = 30.0
	wireSag    = 4.5
	firstWire  = 600 // object of the first wire of row 0
)

// arms are the places of a tower's wires: m from the axis, m above the ground.
// The last two carry the earth wires.
func arms() [8][2]float64 {
	return [8][2]float64{{-4.5, 17.2}, {4.5, 17.2}, {-6, 21.2}, {6, 21.2}, {-4.2, 25.2}, {4.2, 25.2},
		{-1.5, 29.6},
		{1.5, 29.6}}
}

// power adds the tower that stands in the block and the wires that cross it.
func (s *field) power(p *acre) {
	p.b.frame = at(0, 0, 0, 0)
	if (p.i%towerEvery+towerEvery)%towerEvery == 0 {
		p.b.frame = at(towerX, lineY, p.height(towerX, lineY), 0)
		tower(p.b, p.object())
	}
	p.b.frame = at(0, 0, 0, 0)
	const pitch = towerEvery * blockSize
	foot := func(span float64) float64 { return s.relief.at(span*pitch+towerX, p.y0+lineY) }
	for k, arm := range arms() {
		object := firstWire + uint16((p.j%16+16)%16*8+k)
		p.b.use(Part{Class: WireClass, Material: Cable, Object: object})
		hang := func(x float64) r3.Vector {
			along := (p.x0 + x - towerX) / pitch
			span := math.Floor(along)
			t := along - span
			z := foot(span)*(1-t) + foot(span+1)*t + arm[1] - 4*wireSag*t*(1-t)
			return v(x, lineY+arm[0], z)
		}
		const pieces = 10
		for n := range pieces {
			x0, x1 := blockSize*float64(n)/pieces, blockSize*float64(n+1)/pieces
			if n == pieces/2 { // a piece ends at the tower
				p.b.rod(hang(x0), hang(towerX), .06, .06, 3)
				x0 = towerX
			}
			p.b.rod(hang(x0), hang(x1), .06, .06, 3)
		}
	}
}

// tower is a lattice tower whose cross-arms point along y.
func tower(b *builder, object uint16) {
	b.use(Part{Class: Tower, Material: Metal, Object: object})
	half := func(z float64) float64 { return .45 + 2.3*math.Pow(1-z/towerHigh, 1.3) }
	corner := func(z float64, k int) r3.Vector {
		h := half(math.Max(z, 0))
		return v(h*float64(1-2*(k&1^k>>1)), h*float64(1-2*(k>>1)), z)
	}
	const levels = 9
	for n := range levels {
		z0, z1 := towerHigh*float64(n)/levels, towerHigh*float64(n+1)/levels
		if n == 0 {
			z0 = -.5
		}
		for k := range 4 {
			next := (k + 1) % 4
			b.rod(corner(z0, k), corner(z1, k), .11, .1, 4)
			b.rod(corner(z0, k), corner(z1, next), .06, .06, 3)
			b.rod(corner(z0, next), corner(z1, k), .06, .06, 3)
			b.rod(corner(z1, k), corner(z1, next), .06, .06, 3)
		}
	}
	for _, arm := range arms() {
		y, z := arm[0], arm[1]
		tip := v(0, y, z+.6)
		b.rod(v(0, 0, z+1.6), tip, .07, .05, 3)
		for _, x := range []float64{-1, 1} {
			b.rod(v(x*half(z), math.Copysign(half(z), y), z+.4), tip, .07, .05, 3)
		}
		b.rod(tip, v(0, y, z), .08, .08, 5) // insulator
	}
}
