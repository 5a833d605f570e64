// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// workshops are crowded rooms whose walls have openings: benches full of things, racks without backs, thin
// screens, pipes and ducts under the ceiling, ribbed radiators, piles of cartons. What stands there hides
// what is behind, and much of it touches.
func workshops(seed uint64) *interior {
	return &interior{seed: seed, x: 10, y: 9, stations: [2][3]float64{{.3, .32, 1.6}, {.68, .7, 1.35}},
		walk: [2]float64{.24, .23},
		extent: func(r *Random, _ *interior) (w, d, h float64) {
			return r.Between(4, 8), r.Between(3.6, 7), r.Between(2.45, 3.6)
		},
		shell: (*office).openShell,
		furnish: func(o *office) {
			o.underCeiling()
			o.alongWalls()
			o.benches()
			o.onFloor()
		}}
}

// full reports whether a room has about as many objects as a block may have.
func (o *office) full() bool { return o.objects > LocalsPerBlock-18 }

// openShell adds floor, ceiling and walls with openings, some of which lead into a niche.
func (o *office) openShell() {
	w, d, h := o.w, o.d, o.h
	o.as(Floor, []Material{Carpet, Concrete, Wood}[o.r.Pick(3)])
	o.b.quad(v(0, 0, 0), v(w, 0, 0), v(w, d, 0), v(0, d, 0))
	o.as(Ceiling, Plaster, 240, 240, 236)
	o.b.quad(v(0, 0, h), v(w, 0, h), v(w, d, h), v(0, d, h))
	for wall, frame := range o.walls() {
		length := [4]float64{w, d, w, d}[wall]
		o.b.frame = frame
		o.as(Wall, Plaster, clip(o.r.Between(190, 240)), clip(o.r.Between(190, 236)), clip(o.r.Between(180, 228)))
		if !o.r.Chance(.6) {
			o.b.quad(v(0, 0, 0), v(length, 0, 0), v(length, 0, h), v(0, 0, h))
			continue
		}
		wide := o.r.Between(.8, 1.6)
		from := o.r.Between(.4, length-wide-.4)
		low, high := 0., math.Min(o.r.Between(1.98, 2.3), h-.1)
		if o.r.Chance(.4) { // a hatch or a window without a pane
			low = o.r.Between(.8, 1.1)
		}
		o.b.quad(v(0, 0, 0), v(from, 0, 0), v(from, 0, h), v(0, 0, h))
		o.b.quad(v(from+wide, 0, 0), v(length, 0, 0), v(length, 0, h), v(from+wide, 0, h))
		o.b.quad(v(from, 0, high), v(from+wide, 0, high), v(from+wide, 0, h), v(from, 0, h))
		if low > 0 {
			o.b.quad(v(from, 0, 0), v(from+wide, 0, 0), v(from+wide, 0, low), v(from, 0, low))
		}
		if o.r.Chance(.6) {
			o.niche(from, from+wide, low, high, o.r.Between(.15, .7))
		}
	}
	o.b.frame = at(0, 0, 0, 0)
}

// walls returns a frame for each wall: x along it, y into the room.
func (o *office) walls() [4]frame {
	return [4]frame{at(0, 0, 0, 0), at(o.w, 0, 0, math.Pi/2), at(o.w, o.d, 0, math.Pi), at(0, o.d, 0, -math.Pi/2)}
}

// niche adds the recess behind an opening, one object.
func (o *office) niche(x0, x1, z0, z1, deep float64) {
	o.as(Wall, Plaster, 210, 206, 196)
	o.b.quad(v(x0, -deep, z0), v(x1, -deep, z0), v(x1, -deep, z1), v(x0, -deep, z1))
	for _, x := range []float64{x0, x1} {
		o.b.quad(v(x, 0, z0), v(x, -deep, z0), v(x, -deep, z1), v(x, 0, z1))
	}
	for _, z := range []float64{z0, z1} {
		o.b.quad(v(x0, 0, z), v(x1, 0, z), v(x1, -deep, z), v(x0, -deep, z))
	}
}

// underCeiling adds lamps, pipes and a duct.
func (o *office) underCeiling() {
	for k := range 1 + o.r.Pick(3) {
		o.as(LampClass, Enamel)
		x, y, drop := o.w*o.r.Between(.2, .8), o.d*(float64(k)+.6)/3.4, o.r.Between(0, .5)
		o.b.box(x-.6, y-.08, o.h-drop-.07, x+.6, y+.08, o.h-drop)
	}
	if o.r.Chance(.5) {
		o.as(Clutter, Metal)
		y, thick := o.d*o.r.Between(.1, .9), o.r.Between(.15, .3)
		o.b.box(.05, y-thick/2, o.h-thick-.06, o.w-.05, y+thick/2, o.h-.06)
	}
	for range o.r.Pick(4) {
		o.as(Clutter, Metal, 200, 196, 188)
		x, radius := o.w*o.r.Between(.06, .94), o.r.Between(.02, .06)
		o.b.rod(v(x, .03, o.h-.12), v(x, o.d-.03, o.h-.12), radius, radius, 10)
	}
}

// alongWalls puts racks, radiators, boards, trunking and screens on and before the walls.
func (o *office) alongWalls() {
	for wall, frame := range o.walls() {
		length := [4]float64{o.w, o.d, o.w, o.d}[wall]
		for u := o.r.Between(.5, 1); u < length-.9 && !o.full(); u += o.r.Between(.9, 2.2) {
			o.b.frame = frame
			o.b.move(u, 0)
			switch o.r.Pick(6) {
			case 0, 1:
				o.b.move(.45, .22)
				o.rack(o.r.Between(.7, 1.1), o.r.Between(.9, math.Min(2.2, o.h-.2)))
			case 2:
				o.radiator(o.r.Between(.5, 1.2))
			case 3:
				o.as(Board, Paper, clip(o.r.Between(60, 235)), clip(o.r.Between(60, 225)), clip(o.r.Between(50, 215)))
				o.b.box(0, 0, 1.2, o.r.Between(.4, 1.1), .025, o.r.Between(1.6, 2))
			case 4:
				o.as(Clutter, Plastic, 226, 226, 222)
				o.b.box(0, 0, .85, o.r.Between(.8, 1.6), .06, .95)
			default:
				o.b.move(0, .3)
				o.pile()
			}
		}
	}
}

// rack is boards on four posts, without a back, with cartons and tins on them.
func (o *office) rack(wide, high float64) {
	const deep = .4
	x := wide / 2
	o.as(Bookcase, Metal, 150, 156, 160)
	for _, s := range [][2]float64{{-x, -deep / 2}, {x - .03, -deep / 2}, {-x, deep/2 - .03}, {x - .03, deep/2 - .03}} {
		o.b.box(s[0], s[1], 0, s[0]+.03, s[1]+.03, high)
	}
	boards := 2 + int(high/.6)
	gap := (high - .1) / float64(boards-1)
	for k := range boards {
		z := .1 + float64(k)*gap
		o.b.box(-x, -deep/2, z-.02, x, deep/2, z)
	}
	for k := range boards {
		if !o.full() {
			o.row(x-.05, deep/2-.05, .1+float64(k)*gap, gap)
		}
	}
}

// row puts up to three things side by side at a height, none higher than most.
func (o *office) row(half, depth, z, most float64) {
	frame := o.b.frame
	for u := -half + .12; u < half-.1; u += o.r.Between(.24, .5) {
		o.b.frame = frame
		o.b.move(u, o.r.Between(-depth, depth)*.4)
		o.b.frame.origin.Z = z
		if o.r.Chance(.6) {
			tall := math.Min(o.r.Between(.1, .35), most*.85)
			o.as(Clutter, Paper, clip(o.r.Between(120, 200)), clip(o.r.Between(100, 160)), clip(o.r.Between(60, 120)))
			o.b.box(-.11, -depth*.8, 0, .11, depth*.8, tall)
		} else if o.r.Chance(.7) {
			o.thing(1+o.r.Pick(3), 1.2)
		}
		if o.full() {
			break
		}
	}
	o.b.frame = frame
}

// radiator has ribs.
func (o *office) radiator(wide float64) {
	o.as(Clutter, Metal, 232, 232, 228)
	for x := 0.; x < wide; x += .09 {
		o.b.box(x, .05, .12, x+.05, .17, .72)
	}
	o.b.box(0, .09, .14, wide, .13, .18)
	o.b.box(0, .09, .66, wide, .13, .7)
}

// pile is cartons on one another, or a bin.
func (o *office) pile() {
	if o.r.Chance(.3) {
		o.as(Clutter, Plastic, clip(o.r.Between(30, 120)), clip(o.r.Between(30, 120)), clip(o.r.Between(30, 120)))
		o.b.rod(v(0, 0, 0), v(0, 0, .4), .13, .17, 16)
		return
	}
	z := 0.
	for range 1 + o.r.Pick(4) {
		x, y, high := o.r.Between(.12, .28), o.r.Between(.12, .26), o.r.Between(.12, .4)
		o.as(Clutter, Paper, clip(o.r.Between(150, 200)), clip(o.r.Between(110, 160)), clip(o.r.Between(70, 120)))
		o.b.box(-x, -y, z, x, y, z+high)
		z += high
	}
}

// benches are rows of tables with screens between them, chairs before them and things on them.
func (o *office) benches() {
	turned := o.r.Chance(.5)
	length, rows := o.w*o.r.Between(.35, .6), 1+o.r.Pick(2)
	for k := range rows {
		if o.full() {
			return
		}
		x, y, turn := o.w/2, o.d*(float64(k)+.75)/(float64(rows)+.5), o.r.Normal()*.04
		if turned {
			length = o.d * o.r.Between(.35, .55)
			x, y, turn = o.w*(float64(k)+.75)/(float64(rows)+.5), o.d/2, turn+math.Pi/2
		}
		middle := at(x, y, 0, turn)
		half, depth, high := length/2, o.r.Between(.3, .42), o.r.Between(.7, .95)
		o.b.frame = middle
		o.as(Table, Wood, clip(o.r.Between(120, 230)), clip(o.r.Between(110, 220)), clip(o.r.Between(90, 210)))
		o.b.box(-half, -depth, high-.03, half, depth, high)
		o.legs(half, depth, .025, high-.03)
		if o.r.Chance(.6) { // a thin screen along the bench
			o.as(Wall, Fabric, clip(o.r.Between(80, 200)), clip(o.r.Between(90, 200)), clip(o.r.Between(100, 210)))
			o.b.box(-half, depth, .3, half, depth+o.r.Between(.02, .05), o.r.Between(1.15, 1.7))
		}
		o.crowd(middle, half-.12, depth-.08, high)
		for u := -half + .4; u < half-.2 && !o.full(); u += o.r.Between(.7, 1.3) {
			o.b.frame = middle
			o.b.move(u, -depth-o.r.Between(0, .35))
			o.b.frame.cos, o.b.frame.sin = -o.b.frame.cos, -o.b.frame.sin
			o.chair([3]uint8{clip(o.r.Between(40, 200)), clip(o.r.Between(40, 160)), clip(o.r.Between(40, 160))})
		}
	}
}

// crowd puts things on a bench, close to one another.
func (o *office) crowd(middle frame, half, depth, z float64) {
	for u := -half; u < half && !o.full(); u += o.r.Between(.14, .4) {
		o.b.frame = middle
		o.b.move(u, o.r.Between(-depth, depth))
		o.b.frame.origin.Z = z
		if o.r.Chance(.2) { // a screen on its foot
			o.as(Clutter, Plastic, 40, 40, 44)
			o.b.box(-.26, -.02, .1, .26, .02, .42)
			o.b.box(-.12, -.1, 0, .12, .1, .015)
			o.b.box(-.03, -.02, 0, .03, .02, .12)
			continue
		}
		o.thing(o.r.Pick(7), o.r.Between(.9, 1.6))
	}
}

// onFloor puts piles, a plant, a sofa or a leaning ladder where there is room.
func (o *office) onFloor() {
	for range 2 + o.r.Pick(3) {
		if o.full() {
			return
		}
		o.b.frame = at(o.w*o.r.Between(.12, .88), o.d*o.r.Between(.12, .3), 0, o.r.Between(0, 6))
		switch o.r.Pick(5) {
		case 0:
			o.potPlant()
		case 1:
			o.lampStand()
		case 2:
			o.as(Clutter, Wood, 176, 150, 110)
			for _, x := range []float64{-.2, .2} {
				o.b.rod(v(x, .5, 0), v(x, 0, 1.9), .02, .02, 6)
			}
			for z := .25; z < 1.8; z += .28 {
				o.b.rod(v(-.2, .5*(1-z/1.9), z), v(.2, .5*(1-z/1.9), z), .014, .014, 6)
			}
		default:
			o.pile()
		}
	}
}
