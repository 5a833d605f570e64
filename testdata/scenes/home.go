package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// homes are rooms of many sizes, from a closet to a hall with columns, with
// furniture along all walls: beds, wardrobes, kitchens, desks, sofas, shelves.
type homes struct{ seed uint64 }

const homeX, homeY = 13.0, 10.0 // m, from room to room

func (s *homes) Size() (dx, dy float64) { return homeX, homeY }
func (s *homes) Indoor() bool           { return true }

// Station n stands in room n/2 of a row of rooms, near one of two corners.
func (s *homes) Station(n int) (x, y, z float64) {
	w, d, _ := s.extent(n/2, 0)
	t := .28 + .46*float64(n%2)
	return float64(n/2)*homeX + w*t, d * t, 1.5
}

// Walk goes round the middle of a room in 8 m, then on to the next.
func (s *homes) Walk(m float64) (x, y, z float64) {
	n := int(m / 8)
	w, d, _ := s.extent(n, 0)
	sin, cos := math.Sincos(2 * math.Pi * (m/8 - float64(n)))
	return float64(n)*homeX + w*(.5+.23*cos), d * (.5 + .22*sin), 1.6 + .08*math.Sin(9*m)
}

func (s *homes) extent(i, j int) (w, d, h float64) {
	r := Random(Hash(s.seed, uint64(i), uint64(j)) ^ 'e')
	w, d, h = r.Between(3, 7), r.Between(2.8, 6), r.Between(2.35, 3.1)
	if r.Chance(.25) {
		w, d, h = r.Between(7, homeX-.4), r.Between(5, homeY-.4), r.Between(2.8, 4.5)
	}
	return w, d, h
}

func (s *homes) Block(i, j int) *Block {
	w, d, h := s.extent(i, j)
	o := &office{b: build(), r: Random(Hash(s.seed, uint64(i), uint64(j))), w: w, d: d, h: h}
	o.shell()
	o.ceiling()
	length := [4]float64{w, d, w, d}
	for wall := range 4 {
		u := o.r.Between(.65, .9) // the corner may belong to the wall before
		for u < length[wall]-.5 && o.objects < 80 {
			long := o.against(wall, u, length[wall]-.7-u)
			u += long + o.r.Between(.03, .5)
		}
	}
	o.middle()
	o.b.frame = at(0, 0, 0, 0)
	return &Block{Mesh: o.b.mesh, Locals: int(o.objects)}
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
// wall, from u on, and returns its length. Its frame has x along the wall and y
// into the room.
func (o *office) against(wall int, u, room float64) float64 {
	at := func(long float64) {
		m := u + long/2
		o.b.frame = [4]frame{at(m, 0, 0, 0), at(o.w, m, 0, math.Pi/2), at(o.w-m, o.d, 0, math.Pi),
			at(0, o.d-m, 0, -math.Pi/2)}[wall]
	}
	hue := func() (a, b, c uint8) {
		return clip(o.r.Between(60, 235)), clip(o.r.Between(60, 225)), clip(o.r.Between(50, 215))
	}
	a, b, c := hue()
	long := 0.
	put := func(length float64) bool {
		long = length
		at(long)
		return long <= room
	}
	switch o.r.Pick(11) {
	case 0: // wardrobe, doors with gaps and handles
		if put(o.r.Between(.8, 2)) {
			o.as(Bookcase, Wood, a, b, c)
			x, high := long/2, math.Min(o.r.Between(1.8, 2.3), o.h-.1)
			o.b.box(-x, 0, .06, x, .56, high)
			for k := range int(long/.5) + 1 {
				if e := -x + .5*float64(k); e+.46 < x {
					o.b.box(e+.005, .56, .08, math.Min(e+.495, x), .58, high-.02)
					o.b.box(e+.42, .58, .95, e+.44, .61, 1.15)
				}
			}
		}
	case 1:
		if put(o.r.Between(.9, 1.8)) {
			o.bed(long)
		}
	case 2: // kitchen
		if put(o.r.Between(1.4, 3)) {
			o.kitchen(long)
		}
	case 3:
		if put(o.r.Between(1.1, 1.8)) { // desk
			o.as(Table, Wood, a, b, c)
			x, deep := long/2, o.r.Between(.6, .8)
			o.b.box(-x, .03, .71, x, deep, .74)
			for _, s := range []float64{-x, x - .04} {
				o.b.box(s, .05, 0, s+.04, deep-.05, .71)
			}
			o.b.frame.origin = o.b.frame.origin.Add(o.b.turn(v(0, deep/2, 0)))
			o.onTable(x, deep/2, .74)
			o.b.frame.origin = o.b.frame.origin.Add(o.b.turn(v(0, deep/2+.25, 0)))
			o.b.frame.cos, o.b.frame.sin = -o.b.frame.cos, -o.b.frame.sin
			o.chair([3]uint8{a, b, c})
		}
	case 4:
		if put(2) {
			o.b.frame.origin = o.b.frame.origin.Add(o.b.turn(v(0, .45, 0)))
			o.sofa()
		}
	case 5:
		if put(o.r.Between(.7, 1.3)) && o.objects < 70 {
			o.b.frame.origin = o.b.frame.origin.Add(o.b.turn(v(0, .17, 0)))
			o.shelf(long, math.Min(o.r.Between(1.2, 2.1), o.h-.2))
		}
	case 6: // low board with a screen
		if put(o.r.Between(1, 1.8)) {
			o.as(Bookcase, Wood, a, b, c)
			o.b.box(-long/2, 0, .08, long/2, .42, .5)
			o.as(Clutter, Plastic)
			o.b.box(-.5, .16, .58, .5, .2, 1.15)
			o.b.box(-.15, .1, .5, .15, .28, .58)
		}
	case 7: // things that stand about
		if put(.55) {
			o.b.frame.origin = o.b.frame.origin.Add(o.b.turn(v(0, .3, 0)))
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
		}
	case 8: // pictures
		if put(o.r.Between(.4, 1.1)) {
			o.as(Board, Paper, a, b, c)
			z := o.r.Between(1.2, 1.6)
			o.b.box(-long/2, 0, z, long/2, .03, z+o.r.Between(.3, .8))
		}
	case 9: // a door, shut or ajar
		if put(.95) {
			o.as(Door, Wood, a, b, c)
			for _, x := range []float64{-.5, .45} {
				o.b.box(x, 0, 0, x+.05, .05, 2.1)
			}
			o.b.box(-.5, 0, 2.05, .5, .05, 2.1)
			s, e := math.Sincos(o.r.Between(0, 1.2) * float64(o.r.Pick(2)))
			o.b.quad(v(-.45, .03, 0), v(-.45+.9*e, .03+.9*s, 0), v(-.45+.9*e, .03+.9*s, 2.05), v(-.45, .03, 2.05))
		}
	default: // a curtain in folds
		if put(o.r.Between(.5, 1.4)) {
			o.as(Window, Fabric, a, b, c)
			for x := -long / 2; x < long/2; x += .04 {
				y := func(x float64) float64 { return .1 + .04*math.Sin(x*40) }
				o.b.quad(v(x, y(x), .05), v(x+.04, y(x+.04), .05), v(x+.04, y(x+.04), o.h-.15), v(x, y(x), o.h-.15))
			}
		}
	}
	return fill(long, room)
}

// fill is the length of wall that a piece takes: little if it was too long.
func fill(long, room float64) float64 {
	if long > room { // try another
		return .15
	}
	return math.Max(.15, long)
}

// turn is a vector of the frame in the block's directions.
func (b *builder) turn(p r3.Vector) r3.Vector {
	f := &b.frame
	return v(f.cos*p.X-f.sin*p.Y, f.sin*p.X+f.cos*p.Y, p.Z)
}

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
		o.as(Clutter, Metal, clip(o.r.Between(60, 230)), clip(o.r.Between(60, 230)), clip(o.r.Between(60, 230)))
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
			o.as(Table, Wood, clip(o.r.Between(90, 220)), clip(o.r.Between(80, 190)), clip(o.r.Between(60, 150)))
			radius, high := o.r.Between(.35, .65), o.r.Between(.42, .75)
			o.b.drum(v(0, 0, high-.03), v(0, 0, high), radius, 28)
			o.b.rod(v(0, 0, .03), v(0, 0, high-.03), .05, .04, 10)
			o.b.drum(v(0, 0, 0), v(0, 0, .03), radius*.6, 16)
			for t := o.r.Between(0, 2); t < 6; t += o.r.Between(1.2, 2.2) {
				s, c := math.Sincos(t)
				o.b.frame = at(x+c*(radius+.3), y+s*(radius+.3), 0, t+math.Pi/2)
				o.chair([3]uint8{clip(o.r.Between(40, 200)), clip(o.r.Between(40, 160)), clip(o.r.Between(40, 160))})
			}
		}
	}
}
