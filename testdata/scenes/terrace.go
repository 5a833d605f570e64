// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// terrace is a house in a closed row. Its frame has x along the street, the
// front at y = 0 with y into the house, and z = 0 at the sidewalk.
type terrace struct {
	*plot
	wall, roof     Part
	wide, deep     float64
	ground, storey float64 // m, heights of the ground floor and the others
	storeys, bays  int
	open, high     float64 // m, width and height of windows
	reveal         float64 // m, from the wall to the panes
	shop, balcony  bool
	cornice, frame float64 // m that they stand out; 0 for none
	pilaster       float64 // m likewise, of pilasters between the bays
	shutters       bool
}

// terrace builds a house wide metres about x, back from the sidewalk's edge.
func (p *plot) terrace(x, wide, setBack, turn float64) {
	walls := [][3]uint8{{226, 216, 196}, {236, 232, 222}, {214, 190, 150}, {190, 198, 200}, {166, 96, 74},
		{206, 160, 130}, {178, 172, 160}}
	roofs := [][3]uint8{{168, 82, 56}, {130, 66, 50}, {88, 90, 96}, {72, 74, 80}}
	object := p.object()
	t := &terrace{plot: p, wide: wide, deep: p.r.Between(9, 12.5),
		wall:   Part{Class: Building, Material: Plaster, Object: object, Color: walls[p.r.Pick(len(walls))]},
		roof:   Part{Class: Building, Material: RoofTile, Object: object, Color: roofs[p.r.Pick(len(roofs))]},
		ground: p.r.Between(3, 4.2), storey: p.r.Between(2.7, 3.4), storeys: 2 + p.r.Pick(4),
		open: p.r.Between(.9, 1.5), high: p.r.Between(1.3, 2), reveal: p.r.Between(.08, .32),
		shop: p.r.Chance(.35), balcony: p.r.Chance(.4), shutters: p.r.Chance(.2)}
	if p.r.Chance(.3) {
		t.wall.Material = Brick
	}
	if p.r.Chance(.6) {
		t.cornice = p.r.Between(.08, .28)
	}
	if p.r.Chance(.4) {
		t.frame = p.r.Between(.03, .09)
	}
	if p.r.Chance(.25) {
		t.pilaster = p.r.Between(.06, .2)
	}
	if p.town.fine {
		t.roof.Object = p.object()
	}
	if setBack > 0 {
		t.shop, t.storeys = false, min(3, t.storeys)
		p.hedgerow(x-wide/2, wide*.35, p.half+p.walk+.5, turn)
		p.plant(p.plants.bushes, x+wide*.3, streetY+across(turn)*(p.half+p.walk+1.2),
			p.r.Between(.5, .9), p.object())
	}
	t.bays = max(2, int(wide/(t.open+p.r.Between(1, 1.8))))
	p.stand(x, p.half+p.walk+setBack, turn)
	t.build()
}

// piece begins a part of the house: an object of its own in a fine scene.
func (t *terrace) piece(class uint8, m Material, color [3]uint8) Part {
	q := Part{Class: Building, Material: m, Object: t.wall.Object, Color: color}
	if t.town.fine {
		q.Class, q.Object = class, t.object()
	}
	t.b.use(q)
	return q
}

func (t *terrace) build() {
	b, x := t.b, t.wide/2
	bay := t.wide / float64(t.bays)
	door := t.r.Pick(t.bays)
	z := 0.0
	for s := range t.storeys {
		high := t.storey
		if s == 0 {
			high = t.ground
		}
		for k := range t.bays {
			x0 := -x + bay*float64(k)
			mid := x0 + bay/2
			o := opening{x0: mid - t.open/2, x1: mid + t.open/2, z0: z + .9,
				z1: math.Min(z+.9+t.high, z+high-.3)}
			switch {
			case s == 0 && k == door:
				o = opening{mid - .55, mid + .55, z + .02, z + 2.3}
				t.bayWall(o, x0, x0+bay, z, high)
				t.door(o)
				continue
			case s == 0 && t.shop:
				o = opening{x0 + .15, x0 + bay - .15, z + .4, z + high - .6}
			case s > 0 && t.balcony && k%2 == 0:
				o.z0 = z + .05
				t.addBalcony(mid, z)
			}
			t.bayWall(o, x0, x0+bay, z, high)
			t.window(o, s)
		}
		z += high
		if s < t.storeys-1 { // a floor, seen through the panes
			b.use(t.wall)
			b.quad(v(-x, .3, z), v(x, .3, z), v(x, t.deep, z), v(-x, t.deep, z))
		}
		if t.cornice > 0 && (s == 0 || s == t.storeys-1) {
			t.piece(OtherItem, Plaster, t.wall.Color)
			b.box(-x, -t.cornice, z-.25, x, 0, z)
			b.box(-x, -t.cornice*.6, z-.37, x, 0, z-.25)
		}
	}
	b.use(t.wall)
	b.quad(v(-x, 0, -1), v(x, 0, -1), v(x, 0, 0), v(-x, 0, 0))
	b.quad(v(-x, t.deep, -1.5), v(x, t.deep, -1.5), v(x, t.deep, z), v(-x, t.deep, z))
	for _, s := range []float64{-x, x} {
		b.quad(v(s, 0, -1.5), v(s, t.deep, -1.5), v(s, t.deep, z), v(s, 0, z))
	}
	t.pilasters(z, bay)
	t.top(z)
	if back := z * t.r.Between(.4, .9); t.r.Chance(.35) { // a wing into the yard
		b.use(t.wall)
		b.box(-x, t.deep, -1.5, -x+t.wide*t.r.Between(.3, .5), t.deep+t.r.Between(3, 8), back)
	}
	if t.r.Chance(.06) {
		t.scaffold(-x, x, 0, z)
	}
	if t.r.Chance(.6) { // a downpipe
		t.piece(Pole, Metal, [3]uint8{})
		b.rod(v(x-.12, -.09, .1), v(x-.12, -.09, z-.4), .05, .05, 6)
	}
	if t.r.Chance(.3) { // a sign above the ground floor
		t.piece(OtherItem, Plastic, [3]uint8{clip(t.r.Between(60, 220)), clip(t.r.Between(60, 200)),
			clip(t.r.Between(60, 220))})
		b.box(-x*.6, -.14, t.ground-.55, x*.4, -.01, t.ground-.1)
	}
}

// pilasters stand between the bays, on a plinth.
func (t *terrace) pilasters(high, bay float64) {
	if t.pilaster == 0 {
		return
	}
	x, half := t.wide/2, math.Min(.22, (bay-t.open)/2-.1)
	for k := range t.bays + 1 {
		u := -x + bay*float64(k)
		if half < .06 || k == 0 || k == t.bays {
			continue
		}
		t.piece(OtherItem, Plaster, t.wall.Color)
		t.b.box(u-half*1.3, -t.pilaster*1.3, 0, u+half*1.3, 0, .6)
		t.b.box(u-half, -t.pilaster, .6, u+half, 0, high-.5)
		t.b.box(u-half*1.3, -t.pilaster*1.3, high-.5, u+half*1.3, 0, high-.37)
	}
}

// opening is a hole in the front, along x and z.
type opening struct{ x0, x1, z0, z1 float64 }

// bayWall is the wall around an opening.
func (t *terrace) bayWall(o opening, x0, x1, z, high float64) {
	b := t.b
	b.use(t.wall)
	b.quad(v(x0, 0, z), v(o.x0, 0, z), v(o.x0, 0, z+high), v(x0, 0, z+high))
	b.quad(v(o.x1, 0, z), v(x1, 0, z), v(x1, 0, z+high), v(o.x1, 0, z+high))
	b.quad(v(o.x0, 0, z), v(o.x1, 0, z), v(o.x1, 0, o.z0), v(o.x0, 0, o.z0))
	b.quad(v(o.x0, 0, o.z1), v(o.x1, 0, o.z1), v(o.x1, 0, z+high), v(o.x0, 0, z+high))
}

// recess is the sides of an opening, to a depth.
func (t *terrace) recess(o opening, depth float64) {
	b := t.b
	for _, x := range []float64{o.x0, o.x1} {
		b.quad(v(x, 0, o.z0), v(x, depth, o.z0), v(x, depth, o.z1), v(x, 0, o.z1))
	}
	for _, z := range []float64{o.z0, o.z1} {
		b.quad(v(o.x0, 0, z), v(o.x1, 0, z), v(o.x1, depth, z), v(o.x0, depth, z))
	}
}

// window fills an opening: reveals, frame, panes, and often a curtain or a blind.
func (t *terrace) window(o opening, storey int) {
	b, d := t.b, t.reveal
	frame := t.piece(Window, Wood, [3]uint8{232, 232, 226})
	t.recess(o, d)
	bar := .07
	for _, x := range []float64{o.x0, (o.x0+o.x1)/2 - bar/2, o.x1 - bar} {
		b.box(x, d, o.z0, x+bar, d+.05, o.z1)
	}
	b.box(o.x0, d, o.z0, o.x1, d+.05, o.z0+bar)
	b.box(o.x0, d, o.z1-bar, o.x1, d+.05, o.z1)
	if t.frame > 0 { // mouldings around it
		for _, x := range []float64{o.x0 - .14, o.x1} {
			b.box(x, -t.frame, o.z0-.1, x+.14, 0, o.z1+.14)
		}
		b.box(o.x0-.2, -t.frame*1.6, o.z0-.14, o.x1+.2, 0, o.z0)
		b.box(o.x0-.14, -t.frame, o.z1, o.x1+.14, 0, o.z1+.16)
	}
	if t.shutters && storey > 0 {
		for _, x := range []float64{o.x0 - .52, o.x1 + .02} {
			b.box(x, -.06, o.z0, x+.5, -.01, o.z1)
		}
	}
	pane := frame
	pane.Material, pane.Color = Glass, [3]uint8{70, 84, 100}
	b.use(pane)
	b.quad(v(o.x0, d+.025, o.z0), v(o.x1, d+.025, o.z0), v(o.x1, d+.025, o.z1), v(o.x0, d+.025, o.z1))
	if z := o.z1 - (o.z1-o.z0)*t.r.Between(.2, 1.3); t.r.Chance(.7) { // down to z
		pane.Material, pane.Color = Fabric, [3]uint8{208, 204, 196}
		b.use(pane)
		b.quad(v(o.x0, d+.12, math.Max(z, o.z0)), v(o.x1, d+.12, math.Max(z, o.z0)), v(o.x1, d+.12, o.z1),
			v(o.x0, d+.12, o.z1))
	}
}

func (t *terrace) door(o opening) {
	b, d := t.b, t.reveal+.05
	t.piece(Door, Wood, [3]uint8{clip(t.r.Between(50, 150)), clip(t.r.Between(40, 100)),
		clip(t.r.Between(30, 100))})
	t.recess(o, d)
	b.quad(v(o.x0, d, o.z0), v(o.x1, d, o.z0), v(o.x1, d, o.z1), v(o.x0, d, o.z1))
	for _, z := range []float64{.3, 1.3} { // panels
		b.box(o.x0+.2, d-.03, o.z0+z, o.x1-.2, d, o.z0+z+.75)
	}
	b.box(o.x0-.15, -.32, -.1, o.x1+.15, 0, .16) // a step
}

// addBalcony is a slab with a railing of bars, or a boarded one.
func (t *terrace) addBalcony(x, z float64) {
	b, out, half := t.b, .95, t.open/2+.35
	t.piece(OtherItem, Concrete, t.wall.Color)
	b.box(x-half, -out, z-.16, x+half, 0, z)
	rail := t.piecePart(Metal)
	b.use(rail)
	b.box(x-half, -out, z+.98, x+half, -out+.05, z+1.03)
	for _, s := range []float64{x - half, x + half - .04} {
		b.box(s, -out, z+.98, s+.04, 0, z+1.03)
	}
	step := .13 / math.Max(.1, t.detail)
	for u := -half; u <= half; u += step {
		b.rod(v(x+u, -out+.02, z), v(x+u, -out+.02, z+1), .012, .012, 4)
	}
	for w := 0.0; w < out; w += step {
		b.rod(v(x-half+.02, -w, z), v(x-half+.02, -w, z+1), .012, .012, 4)
		b.rod(v(x+half-.02, -w, z), v(x+half-.02, -w, z+1), .012, .012, 4)
	}
}

// piecePart is the part in use in another material.
func (t *terrace) piecePart(m Material) Part {
	q := t.b.mesh.Parts[t.b.part]
	q.Material, q.Color = m, [3]uint8{}
	return q
}

// top is a pitched roof with dormers and a chimney, or a flat one.
func (t *terrace) top(eave float64) {
	b, x := t.b, t.wide/2
	if t.r.Chance(.3) {
		b.use(Part{Class: Building, Material: RoofSheet, Object: t.roof.Object})
		b.quad(v(-x, 0, eave), v(x, 0, eave), v(x, t.deep, eave), v(-x, t.deep, eave))
		b.use(t.wall)
		for _, y := range []float64{0, t.deep - .25} { // a parapet
			b.box(-x, y, eave, x, y+.25, eave+.7)
		}
		return
	}
	ridge := eave + t.deep/2*math.Tan(t.r.Between(28, 48)*math.Pi/180)
	h := house{wide: t.wide, deep: t.deep, eave: eave, ridge: ridge, wall: t.wall, roof: t.roof}
	h.wall.Object = t.roof.Object
	old := b.frame
	b.frame.origin = b.frame.origin.Add(v(-b.frame.sin*t.deep/2, b.frame.cos*t.deep/2, 0))
	b.use(t.wall)
	for _, s := range []float64{-x, x} {
		b.triangle(v(s, -t.deep/2, eave), v(s, t.deep/2, eave), v(s, 0, ridge))
	}
	b.use(t.roof)
	drop := .35 * (ridge - eave) / (t.deep / 2)
	for _, side := range []float64{-1, 1} {
		b.quad(v(-x, side*(t.deep/2+.35), eave-drop), v(x, side*(t.deep/2+.35), eave-drop), v(x, 0, ridge),
			v(-x, 0, ridge))
	}
	for k := range t.r.Pick(4) {
		h.dormer(b, -x+t.wide*(float64(k)+1)/4)
	}
	b.use(Part{Class: Building, Material: Brick, Object: t.roof.Object})
	b.box(x-.7, .4, eave, x-.05, 1.5, ridge+1)
	b.use(Part{Class: Building, Material: Metal, Object: t.roof.Object})
	b.rod(v(-x, -t.deep/2-.42, eave-drop), v(x, -t.deep/2-.42, eave-drop), .07, .07, 6) // gutter
	b.frame = old
}
