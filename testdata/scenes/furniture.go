package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// tableGroup is a table with chairs around it and things on it.
func (o *office) tableGroup(x, y, turn float64) {
	length, depth, high := o.r.Between(1.4, 1.9), o.r.Between(.75, .9), o.r.Between(.71, .76)
	o.b.frame = at(x, y, 0, turn)
	o.as(Table, Wood, clip(o.r.Between(150, 220)), clip(o.r.Between(120, 180)), clip(o.r.Between(80, 130)))
	a, c := length/2, depth/2
	o.b.box(-a, -c, high-.035, a, c, high)
	for _, s := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		lx, ly := s[0]*(a-.05), s[1]*(c-.05)
		o.b.box(lx-.025, ly-.025, 0, lx+.025, ly+.025, high-.035)
	}
	o.onTable(a, c, high)
	cloth := [3]uint8{clip(o.r.Between(40, 160)), clip(o.r.Between(50, 130)), clip(o.r.Between(60, 170))}
	for _, s := range []float64{-1, 1} {
		for _, u := range []float64{-.45, .45} {
			if o.r.Chance(.15) {
				continue
			}
			px, py := u*a*1.1+o.r.Normal()*.05, s*(c+o.r.Between(.12, .4))
			sin, cos := math.Sincos(turn)
			facing := turn + o.r.Normal()*.2
			if s > 0 {
				facing += math.Pi
			}
			o.b.frame = at(x+cos*px-sin*py, y+sin*px+cos*py, 0, facing)
			o.chair(cloth)
		}
	}
}

// onTable puts a screen, a keyboard, books and a cup on a table.
func (o *office) onTable(a, c, z float64) {
	if o.r.Chance(.75) {
		o.as(Clutter, Plastic)
		x := o.r.Between(-.4, .1)
		o.b.box(x, -.03, z+.12, x+.55, 0, z+.46)
		o.b.box(x+.24, -.02, z, x+.31, .02, z+.14)
		o.b.box(x+.15, -.08, z, x+.4, .08, z+.012)
		o.as(Clutter, Plastic, 60, 60, 64)
		o.b.box(x+.04, c-.3, z, x+.48, c-.16, z+.025)
	}
	if o.r.Chance(.7) {
		o.as(Clutter, Paper, clip(o.r.Between(60, 200)), clip(o.r.Between(60, 200)), clip(o.r.Between(60, 200)))
		o.b.box(a-.45, -c+.1, z, a-.2, -c+.28, z+o.r.Between(.02, .12))
	}
	o.as(Clutter, Enamel, 200, 80, 60)
	o.b.drum(v(-a+.25, c-.2, z), v(-a+.25, c-.2, z+.1), .042, 12)
}

// chair faces +y.
func (o *office) chair(cloth [3]uint8) {
	p := o.as(Chair, Fabric, cloth[:]...)
	o.b.box(-.22, -.22, .42, .22, .22, .48)
	o.b.hull([4]r3.Vector{v(-.21, -.2, .5), v(.21, -.2, .5), v(.21, -.23, .5), v(-.21, -.23, .5)},
		[4]r3.Vector{v(-.21, -.28, .92), v(.21, -.28, .92), v(.21, -.31, .92), v(-.21, -.31, .92)})
	p.Material, p.Color = Metal, [3]uint8{}
	o.b.use(p)
	for _, s := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		o.b.rod(v(s[0]*.2, s[1]*.2, 0), v(s[0]*.19, s[1]*.19, .43), .014, .014, 5)
		if s[1] < 0 {
			o.b.rod(v(s[0]*.19, -.21, .43), v(s[0]*.19, -.26, .6), .014, .014, 5)
		}
	}
}

// shelf stands with its back at −y; its books are one object a board.
func (o *office) shelf(wide, high float64) {
	const deep, board = .3, .02
	x := wide / 2
	o.as(Bookcase, Wood, 200, 170, 126)
	o.b.box(-x, -deep/2, 0, -x+board, deep/2, high)
	o.b.box(x-board, -deep/2, 0, x, deep/2, high)
	o.b.quad(v(-x, -deep/2, 0), v(x, -deep/2, 0), v(x, -deep/2, high), v(-x, -deep/2, high))
	n := int(high / .36)
	gap := high / float64(n)
	for k := range n + 1 {
		z := float64(k) * gap
		o.b.box(-x, -deep/2, z-board, x, deep/2, z)
	}
	for k := range n {
		if o.r.Chance(.25) {
			continue
		}
		p := o.as(Clutter, Paper)
		end := -x + wide*o.r.Between(.4, .95)
		for u := -x + .03; u < end; {
			thick, tall := o.r.Between(.02, .05), gap*o.r.Between(.55, .8)
			p.Color = [3]uint8{clip(o.r.Between(40, 210)), clip(o.r.Between(40, 190)), clip(o.r.Between(40, 190))}
			o.b.use(p)
			o.b.box(u, -deep/2+.02, float64(k)*gap, u+thick-.002, deep/2-o.r.Between(.03, .1), float64(k)*gap+tall)
			u += thick
		}
	}
}

// sofa faces +y.
func (o *office) sofa() {
	o.as(Sofa, Fabric, clip(o.r.Between(60, 160)), clip(o.r.Between(50, 110)), clip(o.r.Between(50, 120)))
	o.b.box(-.9, -.4, .12, .9, .4, .42)
	o.b.box(-.9, -.42, .42, .9, -.22, .85)
	o.b.box(-.98, -.42, .1, -.8, .4, .6)
	o.b.box(.8, -.42, .1, .98, .4, .6)
}

// lampStand is a standard lamp with a shade.
func (o *office) lampStand() {
	o.as(LampClass, Metal)
	o.b.drum(v(0, 0, 0), v(0, 0, .03), .15, 16)
	o.b.rod(v(0, 0, 0), v(0, 0, 1.5), .015, .015, 6)
	o.b.use(Part{Class: LampClass, Material: Fabric, Object: FirstLocal + o.objects - 1, Color: [3]uint8{236, 220, 180}})
	o.b.rod(v(0, 0, 1.4), v(0, 0, 1.72), .24, .15, 16)
}

// potPlant is leaves in a pot.
func (o *office) potPlant() {
	p := o.as(Clutter, Concrete, 150, 90, 66)
	o.b.rod(v(0, 0, 0), v(0, 0, .35), .14, .2, 12)
	p.Material, p.Color = Leaf, [3]uint8{}
	o.b.use(p)
	for range 110 {
		d := v(o.r.Normal(), o.r.Normal(), o.r.Normal()).Mul(.16)
		o.b.spray(d.Add(v(0, 0, .75)), v(o.r.Normal(), o.r.Normal(), o.r.Normal()+.6), o.r.Between(.04, .09))
	}
}
