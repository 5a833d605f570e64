// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// construction is a plot where a house is being built, behind a fence: slabs on
// columns under a crane, heaps of earth, stacks, containers, a digger.
func (p *plot) construction(x, wide, turn float64) {
	d := p.half + p.walk
	y := streetY + across(turn)*(d+.25)
	p.b.frame = at(x-wide/2, y, 0, 0)
	fence(p.b, &p.r, p.object(), wide, .2/p.detail,
		func(u float64) float64 { return p.height(x-wide/2+u, y) })
	p.stand(x, d+2.5, turn)
	switch p.r.Pick(3) {
	case 0:
		p.yard(wide)
	default:
		p.skeleton(wide)
	}
	if p.r.Chance(.12) {
		p.stand(x+wide*.3, d+15, turn)
		crane(p.b, p.object(), p.r.Between(22, 32), p.r.Between(0, 2*math.Pi))
	}
}

// skeleton is floors of bare concrete on columns, some on props.
func (p *plot) skeleton(wide float64) {
	b, x, deep := p.b, wide/2-.4, p.r.Between(8, 12)
	high, storeys := p.r.Between(2.8, 3.3), 1+p.r.Pick(4)
	house := Part{Class: Building, Material: Concrete, Object: p.object()}
	b.use(house)
	for s := range storeys + 1 {
		z := float64(s) * high
		b.box(-x, 0, z-.25, x, deep, z)
		if s == storeys && p.r.Chance(.5) { // bars that stick out for the next storey
			house.Material = Metal
			b.use(house)
			for u := -x + .2; u < x; u += 2.4 {
				for k := range 4 {
					b.rod(v(u+.1*float64(k&1), .3+.1*float64(k>>1), z),
						v(u+.1*float64(k&1), .3+.1*float64(k>>1), z+.9), .01, .01, 3)
				}
			}
			break
		}
		if s == storeys {
			break
		}
		for u := -x + .3; u < x; u += 3.6 {
			for w := .3; w < deep; w += 3.6 {
				b.box(u-.15, w-.15, z, u+.15, w+.15, z+high-.25)
			}
		}
		if p.r.Chance(.5) { // a wall that is there already
			b.box(-x, deep-.25, z, x, deep, z+high-.25)
		}
	}
	for s := range storeys {
		if p.r.Chance(.4) {
			b.use(Part{Class: Building, Material: Metal, Object: house.Object})
			for u := -x + 1; u < x; u += 1.4 {
				b.rod(v(u, 1.5, float64(s)*high), v(u, 1.5, float64(s+1)*high-.25), .03, .03, 5)
			}
		}
	}
	if p.r.Chance(.5) {
		p.scaffold(-x, x, -.15, float64(storeys)*high)
	}
}

// scaffold stands before a front, from x0 to x1, that far before y.
func (p *plot) scaffold(x0, x1, y, high float64) {
	b := p.b
	object := p.object()
	metal, wood := Part{Class: OtherItem, Material: Metal, Object: object},
		Part{Class: OtherItem, Material: Wood,
			Object: object}
	for u := x0; u < x1; u += 2.5 {
		end := math.Min(u+2.5, x1)
		b.use(metal)
		for _, w := range []float64{y - .2, y - 1} {
			b.rod(v(u, w, 0), v(u, w, high+1), .025, .025, 5)
		}
		for z := 2.0; z <= high+.1; z += 2 {
			b.use(metal)
			b.rod(v(u, y-1, z+1), v(end, y-1, z+1), .025, .025, 4)
			b.rod(v(u, y-1, z+.5), v(end, y-1, z+.5), .025, .025, 4)
			b.use(wood)
			b.box(u, y-.95, z-.05, end, y-.25, z)
		}
		b.use(metal)
		b.rod(v(u, y-1, 0), v(end, y-1, math.Min(2, high)), .025, .025, 4)
	}
}

// yard is earth in heaps, stacks of boards and pipes, containers and a digger.
func (p *plot) yard(wide float64) {
	b, middle := p.b, p.b.frame
	place := func(u, w, turn float64) {
		b.frame = middle
		b.frame.origin = middle.origin.Add(b.turn(v(u, w, 0)))
		s, c := math.Sincos(turn)
		b.frame.cos, b.frame.sin = middle.cos*c-middle.sin*s, middle.sin*c+middle.cos*s
	}
	half := wide/2 - 2
	for range 1 + p.r.Pick(3) {
		place(p.r.Between(-half, half), p.r.Between(1, 16), 0)
		b.use(Part{Class: OtherItem, Material: Soil, Object: p.object()})
		radius := p.r.Between(1.2, 3)
		b.rod(v(0, 0, -.2), v(0, 0, radius*.4), radius, radius*.45, 14)
		b.rod(v(0, 0, radius*.4), v(0, 0, radius*.55), radius*.45, .05, 14)
	}
	for range p.r.Pick(4) {
		place(p.r.Between(-half, half), p.r.Between(1, 16), p.r.Between(0, math.Pi))
		b.use(Part{Class: OtherItem, Material: Wood, Object: p.object()})
		if p.r.Chance(.5) {
			b.box(-1.5, -.5, .1, 1.5, .5, p.r.Between(.3, 1.1))
			continue
		}
		for k := range 6 { // pipes
			b.rod(v(-2, .3*float64(k%3), .15+.26*float64(k/3)), v(2, .3*float64(k%3), .15+.26*float64(k/3)),
				.15, .15, 10)
		}
	}
	place(p.r.Between(-half, half), p.r.Between(3, 14), p.r.Between(0, math.Pi))
	b.use(Part{Class: OtherItem, Material: RoofSheet, Object: p.object(),
		Color: [3]uint8{clip(p.r.Between(60, 220)), 110, clip(p.r.Between(60, 200))}})
	b.box(-3, -1.2, .1, 3, 1.2, 2.6)
	if p.r.Chance(.6) {
		place(p.r.Between(-half, half), p.r.Between(2, 12), p.r.Between(0, 2*math.Pi))
		digger(b, p.object())
	}
}

// digger stands on tracks with its arm along +x.
func digger(b *builder, object uint16) {
	b.use(Part{Class: Car, Material: Paint, Object: object, Color: [3]uint8{226, 170, 40}})
	for _, y := range []float64{-1.2, .8} {
		b.hull(level(-1.4, y, 1.4, y+.4, 0), level(-1.7, y, 1.7, y+.4, .8))
	}
	b.box(-1.8, -1.1, .9, 1.2, 1.1, 1.8)
	b.box(-.2, .1, 1.8, 1.1, 1.1, 2.8)
	b.rod(v(1, -.3, 1.6), v(3.4, -.3, 3.6), .25, .2, 6)
	b.rod(v(3.4, -.3, 3.6), v(5.2, -.3, 1.2), .2, .15, 6)
	b.box(4.8, -.8, .4, 5.6, .2, 1.3)
}

// crane is a tower crane of lattice whose jib points to an angle.
func crane(b *builder, object uint16, high, jib float64) {
	b.use(Part{Class: Tower, Material: Metal, Object: object, Color: [3]uint8{220, 180, 50}})
	lattice := func(from, to r3.Vector, side r3.Vector) {
		up := to.Sub(from).Cross(side).Normalize().Mul(side.Norm())
		n := int(to.Sub(from).Norm() / 1.8)
		at := func(k, c int) r3.Vector {
			p := from.Add(to.Sub(from).Mul(float64(k) / float64(n)))
			return p.Add(side.Mul(float64(1 - 2*(c&1^c>>1)))).Add(up.Mul(float64(1 - 2*(c>>1))))
		}
		for k := range n {
			for c := range 4 {
				b.rod(at(k, c), at(k+1, c), .06, .06, 4)
				b.rod(at(k, c), at(k+1, (c+1)%4), .035, .035, 3)
			}
		}
	}
	lattice(v(0, 0, 0), v(0, 0, high), v(.7, 0, 0))
	s, c := math.Sincos(jib)
	along := func(m float64) r3.Vector { return v(c*m, s*m, high+.5) }
	lattice(along(-9), along(26), v(-s*.5, c*.5, 0))
	b.box(-1, -1, -.3, 1, 1, .3)
	b.hull([4]r3.Vector{along(-9).Add(v(-s, c, -1.5)), along(-7).Add(v(-s, c, -1.5)),
		along(-7).Add(v(s, -c, -1.5)),
		along(-9).Add(v(s, -c, -1.5))},
		[4]r3.Vector{along(-9).Add(v(-s, c, 0)), along(-7).Add(v(-s, c, 0)), along(-7).Add(v(s, -c, 0)),
			along(-9).Add(v(s, -c, 0))})
}
