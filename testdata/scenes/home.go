// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// homes are rooms of many sizes, from a closet to a hall with columns, with
// furniture along all walls: beds, wardrobes, kitchens, desks, sofas, shelves.
func homes(seed uint64) *interior {
	return &interior{seed: seed, x: 13, y: 10, stations: [2][3]float64{{.28, .28, 1.5},
		{.28 + .46, .28 + .46, 1.5}},
		walk: [2]float64{.23, .22},
		extent: func(r *Random, s *interior) (w, d, h float64) {
			w, d, h = r.Between(3, 7), r.Between(2.8, 6), r.Between(2.35, 3.1)
			if r.Chance(.25) {
				w, d, h = r.Between(7, s.x-.4), r.Between(5, s.y-.4), r.Between(2.8, 4.5)
			}
			return w, d, h
		},
		furnish: func(o *office) {
			o.ceiling()
			length := [4]float64{o.w, o.d, o.w, o.d}
			for wall := range 4 {
				u := o.r.Between(.65, .9) // the corner may belong to the wall before
				for u < length[wall]-.5 && o.objects < 80 {
					u += o.against(wall, u, length[wall]-.7-u) + o.r.Between(.03, .5)
				}
			}
			o.middle()
		}}
}

// ceiling adds beams, lamps and, in a hall, columns.
func (o *office) ceiling() {
	if o.r.Chance(.25) {
		for y := o.r.Between(.5, 1); y < o.d-.3; y += o.r.Between(.9, 1.4) {
			o.as(Ceiling, Wood, 120, 84, 56)
			o.b.box(0, y, o.h-.2, o.w, y+.15, o.h)
		}
	}
	x, y := o.w*o.r.Between(.4, .6), o.d*o.r.Between(.4, .6)
	if o.r.Chance(.6) {
		o.as(LampClass, Fabric, 236, 226, 200)
		o.b.rod(v(x, y, o.h), v(x, y, o.h-.35), .012, .012, 5)
		o.b.rod(v(x, y, o.h-.35), v(x, y, o.h-.6), .06, o.r.Between(.15, .3), 16)
	}
	if o.w > 8 {
		for _, t := range []float64{.33, .67} {
			o.as(Wall, Concrete)
			if o.r.Chance(.5) {
				o.b.rod(v(o.w*t, o.d*.5, 0), v(o.w*t, o.d*.5, o.h), .2, .2, 20)
			} else {
				o.b.box(o.w*t-.18, o.d*.5-.18, 0, o.w*t+.18, o.d*.5+.18, o.h)
			}
		}
	}
}

// against puts a piece of furniture that is at most room metres long against a
// wall, from u on, and returns the length of wall that it takes: little if it was
// too long, so that another one is tried. Its frame has x along the wall and y into
// the room.
func (o *office) against(wall int, u, room float64) float64 {
	lengths := [...][2]float64{{.8, 2}, {.9, 1.8}, {1.4, 3}, {1.1, 1.8}, {2, 2}, {.7, 1.3},
		{1, 1.8}, {.55, .55},
		{.4, 1.1}, {.95, .95}, {.5, 1.4}} // m, least and most
	a, b, c := clip(o.r.Between(60, 235)), clip(o.r.Between(60, 225)), clip(o.r.Between(50, 215))
	kind := o.r.Pick(len(lengths))
	long := lengths[kind][0]
	if most := lengths[kind][1]; most > long {
		long = o.r.Between(long, most)
	}
	if long > room {
		return .15
	}
	m := u + long/2
	o.b.frame = [4]frame{at(m, 0, 0, 0), at(o.w, m, 0, math.Pi/2), at(o.w-m, o.d, 0, math.Pi),
		at(0, o.d-m, 0, -math.Pi/2)}[wall]
	switch kind {
	case 0: // wardrobe, doors with gaps and handles
		o.as(Bookcase, Wood, a, b, c)
		x, high := long/2, math.Min(o.r.Between(1.8, 2.3), o.h-.1)
		o.b.box(-x, 0, .06, x, .56, high)
		for k := range int(long/.5) + 1 {
			if e := -x + .5*float64(k); e+.46 < x {
				o.b.box(e+.005, .56, .08, math.Min(e+.495, x), .58, high-.02)
				o.b.box(e+.42, .58, .95, e+.44, .61, 1.15)
			}
		}
	case 1:
		o.bed(long)
	case 2: // kitchen
		o.kitchen(long)
	case 3: // desk
		o.as(Table, Wood, a, b, c)
		x, deep := long/2, o.r.Between(.6, .8)
		o.b.box(-x, .03, .71, x, deep, .74)
		for _, s := range []float64{-x, x - .04} {
			o.b.box(s, .05, 0, s+.04, deep-.05, .71)
		}
		o.b.move(0, deep/2)
		o.onTable(x, deep/2, .74)
		o.b.move(0, deep/2+.25)
		o.b.frame.cos, o.b.frame.sin = -o.b.frame.cos, -o.b.frame.sin
		o.chair([3]uint8{a, b, c})
	case 4:
		o.b.move(0, .45)
		o.sofa()
	case 5:
		if o.objects < 70 {
			o.b.move(0, .17)
			o.shelf(long, math.Min(o.r.Between(1.2, 2.1), o.h-.2))
		}
	case 6: // low board with a screen
		o.as(Bookcase, Wood, a, b, c)
		o.b.box(-long/2, 0, .08, long/2, .42, .5)
		o.as(Clutter, Plastic)
		o.b.box(-.5, .16, .58, .5, .2, 1.15)
		o.b.box(-.15, .1, .5, .15, .28, .58)
	case 7: // things that stand about
		o.b.move(0, .3)
		switch o.r.Pick(3) {
		case 0:
			o.potPlant()
		case 1:
			o.lampStand()
		default: // cartons, stacked
			z := 0.
			for range 1 + o.r.Pick(3) {
				p, q, high := o.r.Between(.13, .25), o.r.Between(.13, .25), o.r.Between(.15, .4)
				o.as(Clutter, Paper, 176, 140, 96)
				o.b.box(-p, -q, z, p, q, z+high)
				z += high
			}
		}
	case 8: // pictures
		o.as(Board, Paper, a, b, c)
		z := o.r.Between(1.2, 1.6)
		o.b.box(-long/2, 0, z, long/2, .03, z+o.r.Between(.3, .8))
	case 9: // a door, shut or ajar
		o.as(Door, Wood, a, b, c)
		for _, x := range []float64{-.5, .45} {
			o.b.box(x, 0, 0, x+.05, .05, 2.1)
		}
		o.b.box(-.5, 0, 2.05, .5, .05, 2.1)
		s, e := math.Sincos(o.r.Between(0, 1.2) * float64(o.r.Pick(2)))
		o.b.quad(v(-.45, .03, 0), v(-.45+.9*e, .03+.9*s, 0), v(-.45+.9*e, .03+.9*s, 2.05), v(-.45, .03, 2.05))
	default: // a curtain in folds
		o.as(Window, Fabric, a, b, c)
		for x := -long / 2; x < long/2; x += .04 {
			y := func(x float64) float64 { return .1 + .04*math.Sin(x*40) }
			o.b.quad(v(x, y(x), .05), v(x+.04, y(x+.04), .05), v(x+.04, y(x+.04), o.h-.15),
				v(x, y(x), o.h-.15))
		}
	}
	return long
}

// turn is a vector of the frame in the block's directions.
func (b *builder) turn(p r3.Vector) r3.Vector {
	f := &b.frame
	return v(f.cos*p.X-f.sin*p.Y, f.sin*p.X+f.cos*p.Y, p.Z)
}

// move shifts the frame along its own x and y.
func (b *builder) move(x, y float64) { b.frame.origin = b.frame.origin.Add(b.turn(v(x, y, 0))) }

// bed is one object: frame, mattress, blanket, pillows.
func (o *office) bed(wide float64) {
	x := wide / 2
	p := o.as(Sofa, Wood, 150, 110, 76)
	o.b.box(-x, 0, .1, x, 2.05, .32)
	o.b.box(-x, 0, .1, x, .05, o.r.Between(.6, 1.1))
	p.Material, p.Color = Fabric, [3]uint8{clip(o.r.Between(90, 240)), clip(o.r.Between(90, 240)),
		clip(o.r.Between(90, 240))}
	o.b.use(p)
	o.b.box(-x+.03, .06, .32, x-.03, 2.02, .5)
	o.b.hull(level(-x, .7, x, 2.04, .5),
		[4]r3.Vector{v(-x+.08, .75, .6), v(x-.08, .75, .6), v(x-.1, 2, .57), v(-x+.1, 2, .57)})
	for u := -x + .1; u+.5 < x; u += .7 {
		o.b.hull(level(u, .1, u+.6, .5, .5),
			[4]r3.Vector{v(u+.1, .2, .63), v(u+.5, .2, .63), v(u+.5, .4, .6), v(u+.1, .4, .6)})
	}
}

// kitchen is a worktop, cupboards on the wall, a fridge.
func (o *office) kitchen(long float64) {
	x := long / 2
	a, b, c := clip(o.r.Between(120, 245)), clip(o.r.Between(120, 240)), clip(o.r.Between(110, 235))
	o.as(Table, Wood, a, b, c)
	o.b.box(-x, 0, .1, x-.65, .58, .87)
	o.b.box(-x, 0, .87, x-.65, .62, .91)
	o.as(Bookcase, Wood, a, b, c)
	o.b.box(-x, 0, 1.4, x-.65, .34, math.Min(2.1, o.h-.1))
	o.as(Clutter, Enamel)
	o.b.box(x-.62, 0, .03, x-.02, .6, o.r.Between(1.2, 2))
	for u := -x + .2; u < x-.9; u += o.r.Between(.25, .7) { // pots and tins
		o.as(Clutter, Metal, clip(o.r.Between(60, 230)), clip(o.r.Between(60, 230)),
			clip(o.r.Between(60, 230)))
		y := o.r.Between(.15, .45)
		o.b.drum(v(u, y, .91), v(u, y, .91+o.r.Between(.08, .28)), o.r.Between(.04, .1), 14)
	}
}

// middle puts a table with chairs, a round table or nothing into the room.
func (o *office) middle() {
	if o.w < 3.6 || o.d < 3.2 || o.objects > 80 {
		return
	}
	for k := range max(1, int(o.w/4)) {
		x, y := o.w*(float64(k)+.5)/float64(max(1, int(o.w/4))), o.d*o.r.Between(.42, .58)
		if o.objects > 78 || o.w > 8 && math.Abs(math.Mod(x/o.w, .34)) > .3 { // a column
			continue
		}
		switch o.r.Pick(5) / 2 {
		case 0:
			o.tableGroup(x, y, o.r.Between(0, math.Pi))
		case 1:
			o.b.frame = at(x, y, 0, 0)
			o.as(Table, Wood, clip(o.r.Between(90, 220)), clip(o.r.Between(80, 190)),
				clip(o.r.Between(60, 150)))
			radius, high := o.r.Between(.35, .65), o.r.Between(.42, .75)
			o.b.drum(v(0, 0, high-.03), v(0, 0, high), radius, 28)
			o.b.rod(v(0, 0, .03), v(0, 0, high-.03), .05, .04, 10)
			o.b.drum(v(0, 0, 0), v(0, 0, .03), radius*.6, 16)
			for t := o.r.Between(0, 2); t < 6; t += o.r.Between(1.2, 2.2) {
				s, c := math.Sincos(t)
				o.b.frame = at(x+c*(radius+.3), y+s*(radius+.3), 0, t+math.Pi/2)
				o.chair([3]uint8{clip(o.r.Between(40, 200)), clip(o.r.Between(40, 160)),
					clip(o.r.Between(40, 160))})
			}
		}
	}
}
