// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// Estate is single houses with roofs of known form, one in each block, turned any way, among trees.
type Estate struct {
	open
	seed   uint64
	relief relief
	plants *plants
}

// NewEstate returns an estate.
func NewEstate(seed uint64) *Estate {
	return &Estate{seed: seed, relief: relief{Hash(seed, 'e', 0), 3, 210}, plants: newPlants(seed, .3)}
}

// estateBlock is the side of a block of an estate, in metres.
const estateBlock = 36.0

// Size returns the side of a block.
func (e *Estate) Size() (dx, dy float64) { return estateBlock, estateBlock }

// Station stands beside the first houses.
func (e *Estate) Station(n int) (x, y, z float64) {
	x = estateBlock * float64(n)
	return x, 1, e.relief.at(x, 1) + 1.7
}

// Roof is the truth of the roof of a house.
type Roof struct {
	Form        string  // flat, gabled, hipped, L-shaped (gabled) or lean-to (one slope)
	X, Y        float64 // middle of the house, in coordinates of the scene
	Eave, Ridge float64 // Z of the edges of the main roof, the lower one where it overhangs the walls
	Area        float64 // within the outer walls of the main part, square metres
}

// RoofForms are the forms of an estate.
func RoofForms() []string { return []string{"flat", "gabled", "hipped", "L-shaped", "lean-to"} }

// Roof returns the roof of the house in a block.
func (e *Estate) Roof(i, j int) Roof {
	made, _ := e.house(i, j)
	return made
}

// Block has a house on rolling ground.
func (e *Estate) Block(i, j int) *Block {
	_, block := e.house(i, j)
	return block
}

func (e *Estate) house(i, j int) (Roof, *Block) {
	l := newLot(e.seed, i, j)
	l.x0, l.y0 = float64(i)*estateBlock, float64(j)*estateBlock
	height := func(x, y float64) float64 { return e.relief.at(l.x0+x, l.y0+y) }
	terrain{x0: l.x0, y0: l.y0, xs: lines(estateBlock, 4), ys: lines(estateBlock, 4), height: height,
		surface: func(float64, float64) Part { return Part{Class: Ground, Material: Grass, Object: 1} },
	}.build(l.b)
	x := estateBlock/2 + l.r.Between(-3, 3)
	y := estateBlock/2 + l.r.Between(-3, 3)
	turn := l.r.Between(0, 2*math.Pi)
	z := height(x, y) - .3
	l.b.frame = at(x, y, z, turn)
	form := RoofForms()[l.r.Pick(len(RoofForms()))]
	made := roofed(form, l.b, &l.r, l.object())
	made.Eave += z
	made.Ridge += z
	made.X = l.x0 + x
	made.Y = l.y0 + y
	for range 3 {
		angle := l.r.Between(0, 2*math.Pi)
		far := l.r.Between(12, 16)
		u, w := x+far*math.Cos(angle), y+far*math.Sin(angle)
		l.copyOf(e.plants.broad, u, w, height(u, w), l.r.Between(.4, .9), l.object(), .85, 1.2)
	}
	return made, l.block
}

// roofed adds a house with a roof of a form at the frame of the builder, and returns its truth above the
// frame.
func roofed(form string, b *builder, r *Random, object uint16) Roof {
	h := newHouse(r, object)
	h.hip = 0
	made := Roof{Form: form, Area: h.wide * h.deep}
	y := h.deep / 2
	switch form {
	case "flat":
		made.Eave, made.Ridge = h.eave, h.eave
		h.flat(b, r)
		return made
	case "lean-to":
		h.leanTo(b, r, &made)
		return made
	case "hipped":
		h.hip = r.Between(1.5, y)
		h.dormers = min(1, h.dormers)
		h.build(b, r)
	case "L-shaped":
		h.wide = r.Between(12, 15)
		h.gabled(b, h.wide/2, y, h.eave, h.ridge, 0)
		old := b.frame
		long := r.Between(10, 13)
		side := h.wide/2 - y // of the wing's ridge, so that it ends with the house
		middle := long/2 - y
		b.frame = frame{old.origin.Add(v(old.cos*side-old.sin*middle, old.sin*side+old.cos*middle, 0)),
			-old.sin, old.cos}
		h.gabled(b, long/2, y, h.eave, h.ridge, 0)
		b.frame = old
		made.Area = h.wide*h.deep + h.deep*(long-h.deep)
	default:
		h.build(b, r)
	}
	made.Eave = h.eave - h.overhang*(h.ridge-h.eave)/y
	made.Ridge = h.ridge
	return made
}

// flat adds a house with a level roof, some with a parapet or a hut for the lift.
func (h house) flat(b *builder, r *Random) {
	x, y := h.wide/2, h.deep/2
	b.use(h.wall)
	b.box(-x, -y, -1.5, x, y, h.eave-.2)
	b.use(Part{Class: Building, Material: RoofSheet, Object: h.wall.Object})
	b.box(-x, -y, h.eave-.2, x, y, h.eave)
	b.use(h.wall)
	if r.Chance(.4) {
		const high, thick = .5, .25
		b.box(-x, -y, h.eave, x, -y+thick, h.eave+high)
		b.box(-x, y-thick, h.eave, x, y, h.eave+high)
		b.box(-x, -y, h.eave, -x+thick, y, h.eave+high)
		b.box(x-thick, -y, h.eave, x, y, h.eave+high)
	}
	if r.Chance(.4) {
		b.box(-1, -1, h.eave, 1.2, 1, h.eave+2.2)
	}
}

// leanTo adds a house whose roof is a single slope along y.
func (h house) leanTo(b *builder, r *Random, made *Roof) {
	x, y := h.wide/2, h.deep/2
	rise := h.deep * math.Tan(r.Between(8, 25)*math.Pi/180)
	high := h.eave + rise
	b.use(h.wall)
	b.quad(v(-x, -y, -1.5), v(x, -y, -1.5), v(x, -y, h.eave), v(-x, -y, h.eave))
	b.quad(v(-x, y, -1.5), v(x, y, -1.5), v(x, y, high), v(-x, y, high))
	for _, side := range []float64{-x, x} {
		b.quad(v(side, -y, -1.5), v(side, y, -1.5), v(side, y, high), v(side, -y, h.eave))
	}
	o := h.overhang
	drop := o * rise / h.deep
	made.Eave = h.eave - drop
	made.Ridge = high + drop
	b.use(h.roof)
	x += o
	y += o
	b.quad(v(-x, -y, made.Eave), v(x, -y, made.Eave), v(x, y, made.Ridge), v(-x, y, made.Ridge))
}
