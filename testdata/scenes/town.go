// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// town is what a village with closed rows of houses adds. If fine is set, each
// window, door, balcony and cornice is an object of its own; else they are
// parts of their house. On a site most houses are still being built.
type town struct{ fine, site bool }

func newTown(o Options, t town) *village {
	plants := newPlants(Hash(o.Seed, 's', 1), o.Detail)
	plants.loosen(Hash(o.Seed, 's', 2), o.Detail)
	return &village{seed: o.Seed, detail: o.Detail, half: 4.6, walk: 2.7, town: &t,
		relief: relief{Hash(o.Seed, 's', 0), 1.5, 260}, plants: plants}
}

// Locals is more than the usual: a façade has many windows.
func (s *village) Locals() int {
	if s.town == nil {
		return LocalsPerBlock
	}
	return 4 * LocalsPerBlock
}

// Drive returns the place of a car s metres along the first street.
func (s *village) Drive(m float64) (x, y, z float64) {
	x, y = 26+m, streetY-s.half*.4
	return x, y, s.relief.at(x, y)
}

// across is the sign of a side's y: turn is 0 for the side beyond the street.
func across(turn float64) float64 { return math.Cos(turn) }

// stand sets the frame to x, d metres from the street's middle on one side, with
// y away from the street and z = 0 on the ground.
func (p *plot) stand(x, d, turn float64) {
	y := streetY + across(turn)*d
	p.b.frame = at(x, y, p.height(x, y), turn)
}

// rows fills both sides of a street with houses that touch, what stands on the
// sidewalks, and the traffic.
func (p *plot) rows() {
	first := 0.0
	if p.crossed(p.i) {
		first = crossX + p.half + p.walk
	}
	for k, turn := range []float64{0, math.Pi} {
		setBack := 0.0
		if style := Hash(p.seed^'f', uint64(p.i), uint64(2*p.j+k)); style%4 == 0 {
			setBack = 2.2 + float64(style>>8%20)/10
		}
		for x := first; x < blockSize-1; {
			wide := p.r.Between(8, 16)
			if left := blockSize - x; left < 25 {
				wide = left
				if left > 16 {
					wide = left / 2
				}
			}
			if p.r.Chance(.1) {
				p.gap(x, math.Min(wide, 7), turn)
				x += math.Min(wide, 7)
				continue
			}
			if p.town.site && p.r.Chance(.7) {
				p.construction(x+wide/2, wide, turn)
			} else {
				p.terrace(x+wide/2, wide, setBack, turn)
			}
			x += wide
		}
		p.kerbside(first, turn)
		p.parked(first, turn)
		for range 2 + p.r.Pick(4) { // yards
			x, d := p.r.Between(first+1, blockSize-1), p.r.Between(25, 31)
			p.tree(x, streetY+across(turn)*d, .8)
		}
	}
	p.overhead()
	p.traffic(first)
}

// gap is an alley between houses, closed by a fence or hedge, with a tree.
func (p *plot) gap(x, wide, turn float64) {
	d := p.half + p.walk + .3
	p.tree(x+wide/2, streetY+across(turn)*(d+p.r.Between(3, 8)), .7)
	if p.r.Chance(.5) {
		p.hedgerow(x, wide, d+.4, turn)
		return
	}
	p.b.frame = at(x, streetY+across(turn)*d, 0, 0)
	y := streetY + across(turn)*d
	fence(p.b, &p.r, p.object(), wide, .2/p.detail, func(u float64) float64 { return p.height(x+u, y) })
}

// hedgerow is a clipped hedge along the street.
func (p *plot) hedgerow(x, wide, d, turn float64) {
	object := p.object()
	for u := 1.0; u < wide; u += 2 {
		p.plant(p.plants.hedges, x+u, streetY+across(turn)*d, 1, object)
		p.block.Copies[len(p.block.Copies)-1].Turn = 0
	}
}

// parked lines up cars at a kerb.
func (p *plot) parked(first, turn float64) {
	for x := first + 4; x < blockSize-3; x += p.r.Between(5.2, 6.4) {
		if p.r.Chance(.3) {
			continue
		}
		d := p.half - 1.05
		p.stand(x, d, turn)
		p.b.frame = at(x, p.b.frame.origin.Y, p.b.frame.origin.Z,
			float64(p.r.Pick(2))*math.Pi+p.r.Normal()*.02)
		car(p.b, &p.r, p.object())
	}
}

// traffic puts cars, lorries and people on the road and the sidewalks.
func (p *plot) traffic(first float64) {
	for range p.r.Pick(3) {
		x := p.r.Between(first+4, blockSize-4)
		p.stand(x, p.half*.36, 0)
		if p.r.Chance(.25) {
			lorry(p.b, &p.r, p.object())
		} else {
			car(p.b, &p.r, p.object())
		}
	}
	for range p.r.Pick(6) {
		p.stand(p.r.Between(first, blockSize), p.half+p.r.Between(1, p.walk-.4), float64(p.r.Pick(2))*math.Pi)
		p.b.frame = at(p.b.frame.origin.X, p.b.frame.origin.Y, p.b.frame.origin.Z, p.r.Between(0, 2*math.Pi))
		person(p.b, &p.r, p.object())
	}
}

// kerbside places lamps, signs, trees and the like along a sidewalk's kerb.
func (p *plot) kerbside(first, turn float64) {
	trees := Hash(p.seed^'k', uint64(p.i), uint64(turn))%2 == 0
	for n, x := 0, first+1.5; x < blockSize-1; n, x = n+1, x+p.r.Between(4, 7) {
		p.stand(x, p.half+.45, turn)
		p.b.frame.cos, p.b.frame.sin = -p.b.frame.cos, -p.b.frame.sin // y points to the street
		switch n % 4 {
		case 0:
			lamp(p.b, p.object())
			continue
		case 2:
			if trees {
				p.tree(x, streetY+across(turn)*(p.half+.6), .55)
				continue
			}
		}
		switch p.r.Pick(8) {
		case 0, 1:
			sign(p.b, &p.r, p.object())
		case 2:
			for range 3 {
				bollard(p.b, p.object())
				p.b.frame.origin.X += 1.3
			}
		case 3:
			bin(p.b, &p.r, p.object())
		case 4:
			bench(p.b, p.object())
		case 5:
			shelter(p.b, p.object())
		case 6:
			signals(p.b, p.object())
		}
	}
}

// overhead hangs wires: along the street from pole to pole in some rows, across
// it from house to house in others.
func (p *plot) overhead() {
	y := streetY + p.half + .9
	if (p.j%2+2)%2 == 0 {
		for _, x := range []float64{16, 48} {
			p.b.frame = at(x, y, p.height(x, y), 0)
			pole(p.b, p.object())
		}
		p.b.frame = at(0, 0, 0, 0)
		for k := range 3 {
			p.b.use(Part{Class: WireClass, Material: Cable, Object: firstWire + uint16((p.j%16+16)%16*8+k)})
			z := func(x float64) float64 {
				span := math.Floor((x - 16) / 32)
				t := (x-16)/32 - span
				foot := func(s float64) float64 { return p.relief.at(p.x0+16+32*s, p.y0+y) }
				return foot(span)*(1-t) + foot(span+1)*t + 7.9 + .25*float64(k) - 4*.5*t*(1-t)
			}
			for x := 0.0; x < blockSize; x += 4 {
				p.b.rod(v(x, y-.3+.3*float64(k), z(x)), v(x+4, y-.3+.3*float64(k), z(x+4)), .012, .012, 3)
			}
		}
		return
	}
	for _, x := range []float64{22, 44} {
		z := p.height(x, streetY) + 8.2
		p.b.frame = at(x, streetY, z, 0)
		p.b.use(Part{Class: WireClass, Material: Cable, Object: p.object()})
		half := p.half + p.walk
		for k := range 6 {
			u, w := float64(k)/3-1, float64(k+1)/3-1
			p.b.rod(v(0, u*half, .6*u*u-.6), v(0, w*half, .6*w*w-.6), .01, .01, 3)
		}
	}
}
