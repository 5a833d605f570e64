// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// interior is a floor of closed furnished rooms, each one block.
type interior struct {
	seed uint64
	x, y float64 // m, from room to room
	// shares of a room's width and depth, and the height in m
	stations [2][3]float64
	// half axes of the way round a room, shares of width and depth
	walk    [2]float64
	extent  func(r *Random, s *interior) (w, d, h float64) // inner width, depth and height of a room
	shell   func(o *office)                                // nil: walls with a window in one of them
	furnish func(o *office)
}

func (s *interior) Size() (dx, dy float64) { return s.x, s.y }
func (s *interior) Indoor() bool           { return true }

// Station n stands in room n/2 of a row of rooms, near one of two corners.
func (s *interior) Station(n int) (x, y, z float64) {
	w, d, _ := s.room(n/2, 0)
	at := s.stations[n%2]
	return float64(n/2)*s.x + w*at[0], d * at[1], at[2]
}

// Walk goes round the middle of a room in 8 m, then on to the next.
func (s *interior) Walk(m float64) (x, y, z float64) {
	n := int(m / 8)
	w, d, _ := s.room(n, 0)
	sin, cos := math.Sincos(2 * math.Pi * (m/8 - float64(n)))
	return float64(n)*s.x + w*(.5+s.walk[0]*cos), d * (.5 + s.walk[1]*sin), 1.6 + .08*math.Sin(9*m)
}

func (s *interior) room(i, j int) (w, d, h float64) {
	r := Random(Hash(s.seed, uint64(i), uint64(j)) ^ 'e')
	return s.extent(&r, s)
}

func (s *interior) Block(i, j int) *Block {
	w, d, h := s.room(i, j)
	o := &office{b: build(), r: Random(Hash(s.seed, uint64(i), uint64(j))), w: w, d: d, h: h}
	if s.shell != nil {
		s.shell(o)
	} else {
		o.shell()
	}
	s.furnish(o)
	return &Block{Mesh: o.b.mesh, Locals: int(o.objects)}
}

// rooms are offices.
func rooms(seed uint64) *interior {
	return &interior{seed: seed, x: 8, y: 7, stations: [2][3]float64{{.3, .36, 1.55}, {.72, .66, 1.4}},
		walk: [2]float64{.27, .25},
		extent: func(r *Random, s *interior) (w, d, h float64) {
			return r.Between(5.4, s.x-.4), r.Between(4.8, s.y-.4), r.Between(2.6, 3)
		},
		furnish: func(o *office) {
			o.onWalls()
			o.furnish()
		}}
}

// office is one room being made; its inner corner is the block's.
type office struct {
	b       *builder
	r       Random
	w, d, h float64
	objects uint16
}

// as starts a new object.
func (o *office) as(class uint8, m Material, color ...uint8) Part {
	o.objects++
	p := Part{Class: class, Material: m, Object: FirstLocal + o.objects - 1}
	if len(color) == 3 {
		p.Color = [3]uint8(color)
	}
	o.b.use(p)
	return p
}

// shell adds floor, ceiling and walls; the wall at y = d has the window's hole.
func (o *office) shell() {
	w, d, h := o.w, o.d, o.h
	o.as(Floor, Carpet)
	o.b.quad(v(0, 0, 0), v(w, 0, 0), v(w, d, 0), v(0, d, 0))
	o.as(Ceiling, Plaster, 240, 240, 236)
	o.b.quad(v(0, 0, h), v(w, 0, h), v(w, d, h), v(0, d, h))
	tint := [3]uint8{clip(o.r.Between(205, 240)), clip(o.r.Between(205, 236)), clip(o.r.Between(190, 228))}
	o.as(Wall, Plaster, tint[:]...)
	o.b.quad(v(0, 0, 0), v(w, 0, 0), v(w, 0, h), v(0, 0, h))
	o.as(Wall, Plaster, tint[:]...)
	o.b.quad(v(0, 0, 0), v(0, d, 0), v(0, d, h), v(0, 0, h))
	o.as(Wall, Plaster, tint[:]...)
	o.b.quad(v(w, 0, 0), v(w, d, 0), v(w, d, h), v(w, 0, h))
	o.as(Wall, Plaster, tint[:]...)
	x0, x1, z0, z1 := w*.3, w*.75, .9, h-.4
	o.b.quad(v(0, d, 0), v(w, d, 0), v(w, d, z0), v(0, d, z0))
	o.b.quad(v(0, d, z1), v(w, d, z1), v(w, d, h), v(0, d, h))
	o.b.quad(v(0, d, z0), v(x0, d, z0), v(x0, d, z1), v(0, d, z1))
	o.b.quad(v(x1, d, z0), v(w, d, z0), v(w, d, z1), v(x1, d, z1))
	o.window(x0, x1, z0, z1)
}

func (o *office) window(x0, x1, z0, z1 float64) {
	d := o.d
	frame := o.as(Window, Wood, 236, 236, 232)
	o.b.quad(v(x0, d, z0), v(x1, d, z0), v(x1, d+.2, z0), v(x0, d+.2, z0))
	o.b.quad(v(x0, d, z1), v(x1, d, z1), v(x1, d+.2, z1), v(x0, d+.2, z1))
	for _, x := range []float64{x0, x1} {
		o.b.quad(v(x, d, z0), v(x, d+.2, z0), v(x, d+.2, z1), v(x, d, z1))
	}
	for _, x := range []float64{x0, (x0+x1)/2 - .05, x1 - .1} {
		o.b.box(x, d+.12, z0, x+.1, d+.18, z1)
	}
	o.b.box(x0, d+.12, z0, x1, d+.18, z0+.08)
	o.b.box(x0, d+.12, z1-.08, x1, d+.18, z1)
	frame.Material, frame.Color = Glass, [3]uint8{170, 196, 214}
	o.b.use(frame)
	o.b.quad(v(x0, d+.15, z0), v(x1, d+.15, z0), v(x1, d+.15, z1), v(x0, d+.15, z1))
}

// onWalls adds the door, the whiteboard, a radiator and ceiling lights.
func (o *office) onWalls() {
	x := o.w * o.r.Between(.1, .25)
	door := o.as(Door, Wood, 150, 96, 58)
	o.b.box(x, 0, 0, x+.95, .05, 2.08)
	door.Material, door.Color = Metal, [3]uint8{}
	o.b.use(door)
	o.b.box(x+.82, .05, 1.02, x+.9, .11, 1.06)
	y := o.d * o.r.Between(.2, .35)
	o.as(Board, Enamel)
	o.b.box(0, y, .95, .025, y+o.r.Between(1.8, 2.4), 2.15)
	if o.r.Chance(.7) {
		o.as(Clutter, Metal, 228, 228, 224)
		o.b.box(o.w*.35, o.d-.14, .15, o.w*.65, o.d-.04, .75)
	}
	for _, t := range []float64{.3, .7} {
		o.as(LampClass, Enamel)
		o.b.box(o.w*t-.6, o.d*.5-.15, o.h-.06, o.w*t+.6, o.d*.5+.15, o.h)
	}
}

// furnish places tables with chairs in the middle, shelves and a sofa or desk
// along the walls.
func (o *office) furnish() {
	groups := 1 + o.r.Pick(2)
	for k := range groups {
		x := o.w * (float64(k) + .55) / (float64(groups) + .1)
		o.tableGroup(x, o.d*o.r.Between(.48, .56), o.r.Normal()*.06)
	}
	y := .8
	for range 1 + o.r.Pick(2) { // shelves along the wall at x = w
		wide := o.r.Between(.8, 1.2)
		o.b.frame = at(o.w-.18, y+wide/2, 0, math.Pi/2)
		o.shelf(wide, o.r.Between(1.4, 2.1))
		y += wide + .08
	}
	o.b.frame = at(.5, o.d-.75, 0, 0)
	if o.r.Chance(.5) {
		o.lampStand()
	} else {
		o.potPlant()
	}
	if o.r.Chance(.5) && o.w > 6.2 {
		o.b.frame = at(o.w*.62, .5, 0, 0)
		o.sofa()
	}
}
