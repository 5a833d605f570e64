package scenes

import "math"

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
	depth := villageSize/2 - p.half - p.walk
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
