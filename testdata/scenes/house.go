// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// house is a dwelling with a gabled or hipped roof. Its frame has x along the
// street, the front at −y, and z = 0 at the lowest ground at its walls.
type house struct {
	wide, deep     float64 // m, outer walls
	eave, ridge    float64 // m above the ground
	overhang       float64
	hip            float64 // m that the ridge is shortened at each end
	wall, roof     Part
	dormers        int
	garage, wing   bool
	panels, porch  bool
	storeys        int
	chimneyAt, jut float64
}

func newHouse(r *Random, object uint16) house {
	walls := [][3]uint8{{226, 216, 196}, {236, 232, 222}, {214, 196, 160}, {196, 204, 206}, {166, 96, 74},
		{178, 120, 92}}
	roofs := [][3]uint8{{168, 82, 56}, {150, 70, 52}, {110, 62, 50}, {88, 90, 96}, {72, 74, 80}}
	storeys := 1 + r.Pick(2)
	h := house{
		wide: r.Between(8.5, 12), deep: r.Between(7.2, 9), eave: .5 + 2.65*float64(storeys) +
			r.Between(-.2, .3),
		overhang: r.Between(.3, .6), storeys: storeys, dormers: r.Pick(3), garage: r.Chance(.45),
		wing:   r.Chance(.35),
		panels: r.Chance(.25), porch: r.Chance(.4), chimneyAt: r.Between(-.3, .3), jut: r.Between(2.2, 3.4),
		wall: Part{Class: Building, Material: Plaster, Object: object, Color: walls[r.Pick(len(walls))]},
		roof: Part{Class: Building, Material: RoofTile, Object: object, Color: roofs[r.Pick(len(roofs))]},
	}
	if h.wall.Color[2] < 100 {
		h.wall.Material = Brick
	}
	h.ridge = h.eave + h.deep/2*math.Tan(r.Between(32, 46)*math.Pi/180)
	if r.Chance(.25) {
		h.hip, h.dormers = r.Between(1.5, h.deep/2), min(1, h.dormers)
	}
	return h
}

func (h house) build(b *builder, r *Random) {
	b.use(h.wall)
	x, y := h.wide/2, h.deep/2
	h.gabled(b, x, y, h.eave, h.ridge, h.hip)
	h.openings(b, r)
	for k := range h.dormers {
		spacing := h.wide / float64(h.dormers+1)
		h.dormer(b, -x+spacing*float64(k+1))
	}
	b.use(Part{Class: Building, Material: Brick, Object: h.wall.Object})
	cx := h.chimneyAt * h.wide
	b.box(cx-.35, .5, h.eave, cx+.35, 1.1, h.ridge+.9)
	if h.wing {
		h.addWing(b, x, y)
	}
	if h.garage {
		b.use(h.wall)
		b.box(x, -y*.4, -1, x+3.2, y*.9, 2.5)
		b.use(Part{Class: Building, Material: RoofSheet, Object: h.wall.Object})
		b.box(x, -y*.4-.2, 2.5, x+3.4, y*.9+.2, 2.68)
	}
	if h.porch {
		b.use(Part{Class: Building, Material: Wood, Object: h.wall.Object})
		b.box(-1.2, -y-1.3, 2.35, 1.2, -y, 2.47)
		b.box(-1.15, -y-1.25, -.5, -1.03, -y-1.13, 2.35)
		b.box(1.03, -y-1.25, -.5, 1.15, -y-1.13, 2.35)
	}
	if h.panels {
		b.use(Part{Class: Building, Material: Glass, Object: h.wall.Object, Color: [3]uint8{30, 36, 62}})
		p := func(x, t float64) r3.Vector { return v(x, y*(1-t), h.eave+(h.ridge-h.eave)*t+.14) }
		b.quad(p(-x*.5, .25), p(x*.5, .25), p(x*.5, .8), p(-x*.5, .8))
	}
}

// gabled adds walls and a roof whose ridge runs along x.
func (h house) gabled(b *builder, x, y, eave, ridge, hip float64) {
	b.use(h.wall)
	for _, side := range []float64{-1, 1} {
		b.quad(v(-x, side*y, -1.5), v(x, side*y, -1.5), v(x, side*y, eave), v(-x, side*y, eave))
		b.quad(v(side*x, -y, -1.5), v(side*x, y, -1.5), v(side*x, y, eave), v(side*x, -y, eave))
		if hip == 0 {
			b.triangle(v(side*x, -y, eave), v(side*x, y, eave), v(side*x, 0, ridge))
		}
	}
	b.use(h.roof)
	o := h.overhang
	drop := eave - o*(ridge-eave)/y // height of the overhanging edge
	end := x + o
	top := end - hip
	for _, side := range []float64{-1, 1} {
		b.quad(v(-end, side*(y+o), drop), v(end, side*(y+o), drop), v(top, 0, ridge), v(-top, 0, ridge))
		b.quad(v(-end, side*(y+o), drop), v(end, side*(y+o), drop), v(end, side*(y+o), drop-.18),
			v(-end, side*(y+o), drop-.18))
		if hip > 0 {
			b.triangle(v(side*end, -y-o, drop), v(side*end, y+o, drop), v(side*top, 0, ridge))
		}
	}
}

// addWing adds a lower gabled part behind the house, its ridge along y.
func (h house) addWing(b *builder, x, y float64) {
	old := b.frame
	middle := b.frame.origin.Add(v(b.frame.cos*-x*.4-b.frame.sin*(y+h.jut/2),
		b.frame.sin*-x*.4+b.frame.cos*(y+h.jut/2),
		0))
	b.frame = frame{middle, -old.sin, old.cos}
	half := x * .42
	low := h.eave * .85
	h.gabled(b, h.jut/2+1.5, half, low, min(low+half*(h.ridge-h.eave)/y, h.ridge-.1), 0)
	b.frame = old
}

// dormer adds a small gabled window house on the front slope at x.
func (h house) dormer(b *builder, x float64) {
	slope := (h.ridge - h.eave) / (h.deep / 2)
	front := -h.deep/2 + .7
	base := h.eave + slope*.7
	top, peak := base+1.3, base+1.9
	if peak > h.ridge-.1 {
		return
	}
	back := func(z float64) float64 { return -h.deep/2 + (z-h.eave)/slope }
	b.use(h.wall)
	b.quad(v(x-.8, front, base), v(x+.8, front, base), v(x+.8, front, top), v(x-.8, front, top))
	b.triangle(v(x-.8, front, top), v(x+.8, front, top), v(x, front, peak))
	for _, s := range []float64{-.8, .8} {
		b.triangle(v(x+s, front, base), v(x+s, front, top), v(x+s, back(top), top))
	}
	b.use(h.roof)
	for _, s := range []float64{-1, 1} {
		b.quad(v(x+s, front-.2, top-.15), v(x, front-.2, peak), v(x, back(peak), peak),
			v(x+s, back(top-.15), top-.15))
	}
	b.use(Part{Class: Building, Material: Glass, Object: h.wall.Object})
	b.quad(v(x-.55, front-.03, base+.2), v(x+.55, front-.03, base+.2), v(x+.55, front-.03, top-.1),
		v(x-.55, front-.03, top-.1))
}

// openings adds a door and windows, a few centimetres before the walls.
func (h house) openings(b *builder, r *Random) {
	x, y := h.wide/2, h.deep/2
	b.use(Part{Class: Building, Material: Wood, Object: h.wall.Object,
		Color: [3]uint8{clip(r.Between(60, 150)), clip(r.Between(40, 90)), clip(r.Between(30, 90))}})
	b.box(-.5, -y-.05, -.5, .5, -y, 2.3)
	b.use(Part{Class: Building, Material: Glass, Object: h.wall.Object})
	pane := func(x0, x1, z0 float64, side float64) {
		yy := side * (y + .04)
		b.quad(v(x0, yy, z0), v(x1, yy, z0), v(x1, yy, z0+1.3), v(x0, yy, z0+1.3))
	}
	for floor := range h.storeys {
		z := 1.4 + 2.65*float64(floor)
		for _, side := range []float64{-1, 1} {
			pane(-x*.75, -x*.75+1.3, z, side)
			pane(x*.75-1.3, x*.75, z, side)
			if floor > 0 {
				pane(-.6, .6, z, side)
			}
		}
		for _, side := range []float64{-1, 1} {
			xx := side * (x + .04)
			b.quad(v(xx, -.6, z), v(xx, .6, z), v(xx, .6, z+1.3), v(xx, -.6, z+1.3))
		}
	}
}

// barn is a long shed under sheet metal.
func barn(b *builder, r *Random, object uint16) {
	h := house{wide: r.Between(16, 24), deep: r.Between(9, 12), eave: r.Between(3.6, 5), overhang: .5,
		wall: Part{Class: Building, Material: Wood, Object: object},
		roof: Part{Class: Building, Material: RoofSheet, Object: object}}
	h.ridge = h.eave + h.deep/2*.45
	h.gabled(b, h.wide/2, h.deep/2, h.eave, h.ridge, 0)
}

// garden fills the plot of that width about x on one side of the street: a
// house, its drive, fences or hedges, trees and bushes. turn is 0 for the side
// beyond the street and π for the near one; the frame of the side has x along
// the street and y away from it, from the sidewalk's edge.
func (p *plot) garden(x, wide, turn float64) {
	side := at(x, streetY, 0, turn)
	world := func(u, w float64) (float64, float64) {
		d := p.half + p.walk + w
		return side.origin.X + side.cos*u - side.sin*d, side.origin.Y + side.sin*u + side.cos*d
	}
	depth := blockSize/2 - p.half - p.walk
	h := newHouse(&p.r, p.object())
	front := p.r.Between(3.5, 6.5)
	u := p.r.Between(-1, .5)
	if h.garage {
		u -= 1.3
	}
	middle := front + h.deep/2
	low := math.Inf(1)
	for _, c := range [][2]float64{{-.5, -.5}, {.5, -.5}, {-.5, .5}, {.5, .5}} {
		low = math.Min(low, p.height(world(u+c[0]*h.wide, middle+c[1]*h.deep)))
	}
	hx, hy := world(u, middle)
	p.b.frame = at(hx, hy, low, turn)
	h.build(p.b, &p.r)

	if p.r.Chance(.6) { // a car on the drive
		cu, cw := u+h.wide/2+1.6, p.r.Between(2.4, 3.2)
		if cu < wide/2-1.2 {
			cx, cy := world(cu, cw)
			p.b.frame = at(cx, cy, p.height(cx, cy), turn+math.Pi/2)
			car(p.b, &p.r, p.object())
		}
	}
	if p.r.Chance(.5) {
		bx, by := world(u-h.wide/2+.6, front-.6)
		p.b.frame = at(bx, by, p.height(bx, by), turn)
		bin(p.b, &p.r, p.object())
	}
	p.border(wide, depth, world, turn)
	for range 1 + p.r.Pick(3) {
		tx, ty := world(p.r.Between(-wide/2+1.5, wide/2-1.5), p.r.Between(front+h.deep+3.5+h.jut, depth-1))
		p.tree(tx, ty, .9)
	}
	if p.r.Chance(.4) {
		tx, ty := world(p.r.Between(-wide/2+1.5, wide/2-1.5), p.r.Between(1.2, 2))
		p.tree(tx, ty, .5)
	}
	for range p.r.Pick(4) {
		bx, by := world(p.r.Between(-wide/2+1, wide/2-1), p.r.Between(.8, front-.8))
		p.plant(p.plants.bushes, bx, by, p.r.Between(.5, 1), p.object())
	}
}

// border closes a plot: a fence at one side and the back, a fence or a hedge
// along the sidewalk that leaves the middle open.
func (p *plot) border(wide, depth float64, world func(u, w float64) (float64, float64), turn float64) {
	run := func(u, w, length, angle float64) {
		x, y := world(u, w)
		p.b.frame = at(x, y, 0, turn+angle)
		c, s := math.Cos(turn+angle), math.Sin(turn+angle)
		gap := .2
		if p.detail < .5 {
			gap = 1.9
		}
		fence(p.b, &p.r, p.object(), length, gap, func(d float64) float64 { return p.height(x+c*d, y+s*d) })
	}
	run(wide/2-.1, 2, depth-2.2, math.Pi/2)
	if p.r.Chance(.6) {
		run(-wide/2, depth-.2, wide, 0)
	}
	switch open := p.r.Between(2.5, 3.5); p.r.Pick(3) {
	case 0:
		run(-wide/2, .3, wide/2-open, 0)
	case 1:
		object := p.object()
		for d := -wide/2 + 1; d < -open; d += 2 {
			x, y := world(d, .6)
			p.plant(p.plants.hedges, x, y, 1, object)
			last := &p.block.Copies[len(p.block.Copies)-1]
			last.Turn = float32(turn)
		}
	}
}
