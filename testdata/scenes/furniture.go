// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// tableGroup is a table with chairs around it and things on it.
func (o *office) tableGroup(x, y, turn float64) {
	length, depth, high := o.r.Between(1.4, 1.9), o.r.Between(.75, .9), o.r.Between(.71, .76)
	o.b.frame = at(x, y, 0, turn)
	o.as(Table, Wood, clip(o.r.Between(150, 220)), clip(o.r.Between(120, 180)), clip(o.r.Between(80, 130)))
	a, c := length/2, depth/2
	o.b.box(-a, -c, high-.035, a, c, high)
	o.legs(a, c, .025, high-.035)
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

// legs adds the legs of a table of half axes a and c, each half a thickness to all sides.
func (o *office) legs(a, c, half, high float64) {
	for _, s := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		x, y := s[0]*(a-.05), s[1]*(c-.05)
		o.b.box(x-half, y-half, 0, x+half, y+half, high)
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
		o.as(Clutter, Paper, clip(o.r.Between(60, 200)), clip(o.r.Between(60, 200)),
			clip(o.r.Between(60, 200)))
		o.b.box(a-.45, -c+.1, z, a-.2, -c+.28, z+o.r.Between(.02, .12))
	}
	o.as(Clutter, Enamel, 200, 80, 60)
	o.b.drum(v(-a+.25, c-.2, z), v(-a+.25, c-.2, z+.1), .042, 12)
}

// chair faces +y.
func (o *office) chair(cloth [3]uint8) {
	p := o.as(Chair, Fabric, cloth[:]...)
	o.b.box(-.22, -.22, .42, .22, .22, .48)
	o.b.hull(level(-.21, -.2, .21, -.23, .5), level(-.21, -.28, .21, -.31, .92))
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
			p.Color = [3]uint8{clip(o.r.Between(40, 210)), clip(o.r.Between(40, 190)),
				clip(o.r.Between(40, 190))}
			o.b.use(p)
			o.b.box(u, -deep/2+.02, float64(k)*gap, u+thick-.002, deep/2-o.r.Between(.03, .1),
				float64(k)*gap+tall)
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
	o.b.use(Part{Class: LampClass, Material: Fabric, Object: FirstLocal + o.objects - 1,
		Color: [3]uint8{236, 220, 180}})
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

// tables are tables with small things on them, one a block, each seen by a
// camera from 0.7 to 1.5 m away.
type tables struct{ seed uint64 }

const tableSize = 6.0 // m, of a block

func (s *tables) Size() (dx, dy float64) { return tableSize, tableSize }
func (s *tables) Indoor() bool           { return true }

// Station stands beside the table of block n.
func (s *tables) Station(n int) (x, y, z float64) {
	return tableSize*float64(n) + tableSize/2, tableSize/2 - 1.1, 1.5
}

// View is where camera n is and the place it looks at: block n's table.
func (s *tables) View(n int) (eye, target [3]float64) {
	r := Random(Hash(s.seed, 'v', uint64(n)))
	away, turn, rise := r.Between(.75, 1.4), r.Between(-.4, .4), r.Between(.35, .95)
	middle := [3]float64{tableSize*float64(n) + tableSize/2 + r.Between(-.06, .06), tableSize/2 +
		r.Between(-.06, .06),
		tableHigh + .05}
	return [3]float64{middle[0] + away*math.Sin(turn)*math.Cos(rise),
		middle[1] - away*math.Cos(turn)*math.Cos(rise),
		middle[2] + away*math.Sin(rise)}, middle
}

const tableHigh = .74 // m

func (s *tables) Block(i, j int) *Block {
	o := &office{b: build(), r: Random(Hash(s.seed, uint64(i), uint64(j))), w: tableSize - .2,
		d: tableSize - .2, h: 2.7}
	o.shell()
	half, depth := o.r.Between(.6, 1.3), o.r.Between(.4, .9)
	o.b.frame = at(tableSize/2, tableSize/2, 0, o.r.Normal()*.1)
	o.as(Table, Wood, clip(o.r.Between(90, 230)), clip(o.r.Between(80, 220)), clip(o.r.Between(70, 210)))
	o.b.box(-half, -depth, tableHigh-.03, half, depth, tableHigh)
	o.legs(half, depth, .03, tableHigh-.03)
	o.things(math.Min(half, .42), math.Min(depth, .36))
	return &Block{Mesh: o.b.mesh, Locals: int(o.objects)}
}

// things puts up to sixteen objects on the table: some touch, some are stacked.
func (o *office) things(half, depth float64) {
	middle := at(tableSize/2, tableSize/2, tableHigh, 0)
	type spot struct{ x, y, radius float64 }
	var taken []spot
	crowd := o.r.Between(.55, 1.05) // below 1 they touch or lean into each other
	for range 3 + o.r.Pick(14) {
		p := spot{o.r.Between(-half, half), o.r.Between(-depth, depth), 0}
		kind, size := o.r.Pick(7), o.r.Between(.7, 1.4)
		p.radius = size * []float64{.1, .045, .04, .05, .12, .05, .075}[kind]
		free := true
		for _, t := range taken {
			free = free && math.Hypot(t.x-p.x, t.y-p.y) > (t.radius+p.radius)*math.Max(.85, crowd)
		}
		if !free {
			continue
		}
		taken = append(taken, p)
		o.b.frame = at(middle.origin.X+p.x, middle.origin.Y+p.y, tableHigh, o.r.Between(0, 2*math.Pi))
		top := o.thing(kind, size)
		if (kind == 0 || kind == 4) && o.r.Chance(.35) { // one more on top
			o.b.frame.origin = o.b.frame.origin.Add(v(0, 0, top))
			o.thing(1+o.r.Pick(5), size*.6)
		}
	}
}

// thing adds one object of about that size (1 is usual) and returns its height.
func (o *office) thing(kind int, size float64) float64 {
	b := o.b
	o.as(Clutter, []Material{Paper, Enamel, Plastic, Fabric}[o.r.Pick(4)],
		clip(o.r.Between(30, 235)), clip(o.r.Between(30, 235)), clip(o.r.Between(30, 235)))
	switch kind {
	case 0: // a carton
		x, y, z := size*o.r.Between(.04, .1), size*o.r.Between(.03, .08), size*o.r.Between(.05, .22)
		b.box(-x, -y, 0, x, y, z)
		return z
	case 1: // a tin
		z := size * o.r.Between(.07, .14)
		b.drum(v(0, 0, 0), v(0, 0, z), .038*size, 24)
		return z
	case 2: // a bottle
		z, r := size*o.r.Between(.16, .24), .036*size
		b.drum(v(0, 0, 0), v(0, 0, z*.6), r, 24)
		b.rod(v(0, 0, z*.6), v(0, 0, z*.8), r, r*.35, 24)
		b.drum(v(0, 0, z*.8), v(0, 0, z), r*.38, 16)
		return z
	case 3: // a ball
		r := size * o.r.Between(.03, .06)
		b.ball(v(0, 0, r), r, 24)
		return 2 * r
	case 4: // a book
		z := size * o.r.Between(.015, .05)
		b.box(-.11*size, -.08*size, 0, .11*size, .08*size, z)
		return z
	case 5: // a mug with its handle
		r, z := .042*size, .095*size
		b.rod(v(0, 0, 0), v(0, 0, z), r, r*1.05, 24)
		b.rod(v(0, 0, .002), v(0, 0, .003), 0, r, 24)
		b.box(r*.95, -.006, z*.2, r*1.6, .006, z*.35)
		b.box(r*1.5, -.006, z*.2, r*1.75, .006, z*.8)
		b.box(r*.95, -.006, z*.7, r*1.6, .006, z*.82)
		return z
	}
	low, r := .03*size, .075*size // a bowl
	b.rod(v(0, 0, 0), v(0, 0, low), r*.5, r*.8, 24)
	b.rod(v(0, 0, low), v(0, 0, 2*low), r*.8, r, 24)
	b.box(-r*.4, -r*.4, .003, r*.4, r*.4, .006)
	return 2 * low
}
