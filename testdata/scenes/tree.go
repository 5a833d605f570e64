// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"

	"github.com/golang/geo/r3"
)

// plants holds the solids that a scene's vegetation is copied from.
type plants struct {
	broad, narrow, bushes, hedges, tufts []*Mesh
}

func newPlants(seed uint64, detail float64) *plants {
	p := &plants{}
	for k := range uint64(6) {
		r := Random(Hash(seed, 'b', k))
		p.broad = append(p.broad, broadleaf(&r, detail, 1))
		if k < 3 {
			r = Random(Hash(seed, 'n', k))
			p.narrow = append(p.narrow, conifer(&r, detail))
			r = Random(Hash(seed, 'u', k))
			p.bushes = append(p.bushes, bush(&r, detail))
			r = Random(Hash(seed, 'h', k))
			p.hedges = append(p.hedges, hedge(&r, detail))
			r = Random(Hash(seed, 't', k))
			p.tufts = append(p.tufts, tuft(&r, detail))
		}
	}
	return p
}

// loosen replaces the broadleaves by fuller ones, whose clumps flow together.
func (p *plants) loosen(seed uint64, detail float64) {
	for k := range p.broad {
		r := Random(Hash(seed, 'l', uint64(k)))
		p.broad[k] = broadleaf(&r, detail, r.Between(1.2, 2.2))
	}
}

// tone is a leaf colour near the colour of the material.
func tone(r *Random, m Material) [3]uint8 {
	c := m.Of().Color
	warm, light := r.Between(-.12, .18), r.Between(.88, 1.15)
	return [3]uint8{clip(float64(c[0]) * light * (1 + warm)), clip(float64(c[1]) * light),
		clip(float64(c[2]) * light * (1 - warm))}
}

func clip(v float64) uint8 { return uint8(max(1, min(255, v))) }

// broadleaf grows a tree about 9 m high: a trunk that forks four times, with a
// clump of leaf sprays, loose times as wide as usual, at every twig.
func broadleaf(r *Random, detail, loose float64) *Mesh {
	b := build()
	g := &growth{b: b, r: r, detail: detail, loose: loose,
		wood:   Part{Class: Tree, Material: Bark},
		leaf:   Part{Class: Tree, Material: Leaf, Color: tone(r, Leaf)},
		spread: r.Between(.55, .9), lift: r.Between(.05, .3)}
	trunk := r.Between(1.7, 2.8)
	top := v(r.Between(-.2, .2), r.Between(-.2, .2), trunk)
	b.use(g.wood)
	b.rod(v(0, 0, -.6), top, .24, .17, 7)
	limbs := 4 + r.Pick(3)
	length := r.Between(2, 2.6)
	for k := range limbs {
		turn := 2 * math.Pi * (float64(k) + r.Between(-.3, .3)) / float64(limbs)
		steep := r.Between(.5, 1.1)
		g.branch(top, v(math.Cos(turn), math.Sin(turn), steep*1.3).Normalize(),
			length*r.Between(.8, 1.15), .12, 0)
	}
	g.branch(top, v(r.Between(-.2, .2), r.Between(-.2, .2), 1).Normalize(), length*1.15, .14, 0)
	return b.mesh
}

type growth struct {
	b            *builder
	r            *Random
	detail       float64
	wood, leaf   Part
	spread, lift float64
	loose        float64 // factor on the size of clumps
}

// branch adds a branch of that order and what grows on it.
func (g *growth) branch(from, along r3.Vector, length, radius float64, order int) {
	to := from.Add(along.Mul(length))
	if order < 1 || g.detail > .5 {
		g.b.use(g.wood)
		g.b.rod(from, to, radius, radius*.65, max(3, 5-order))
	}
	if order == 3 {
		g.clump(to, .62, int(13*g.detail+.999))
		return
	}
	if order == 2 {
		g.clump(from.Add(along.Mul(length*.6)), .5, int(6*g.detail+.5))
	}
	for range 2 + g.r.Pick(2) {
		next := along.Add(v(g.r.Normal(), g.r.Normal(), g.r.Normal()*.7+g.lift).Mul(g.spread)).Normalize()
		g.branch(to, next, length*g.r.Between(.55, .75), radius*.6, order+1)
	}
}

// clump adds n leaf sprays about a point.
func (g *growth) clump(middle r3.Vector, radius float64, n int) {
	g.b.use(g.leaf)
	size := .15 / math.Sqrt(max(.15, g.detail))
	for range n {
		offset := v(g.r.Normal(), g.r.Normal(), g.r.Normal()*.7).Mul(radius * .55 * g.loose)
		g.b.spray(middle.Add(offset), v(g.r.Normal(), g.r.Normal(), g.r.Normal()+.8),
			size*g.r.Between(.7, 1.3))
	}
}

// spray adds a flat lozenge across a normal.
func (b *builder) spray(p, normal r3.Vector, size float64) {
	side := normal.Ortho().Mul(size)
	other := normal.Normalize().Cross(side)
	b.quad(p.Add(side), p.Add(other), p.Sub(side), p.Sub(other))
}

// conifer grows a spruce about 13 m high: whorls of drooping branches.
func conifer(r *Random, detail float64) *Mesh {
	b := build()
	height := r.Between(11, 15)
	wood, needle := Part{Class: Tree, Material: Bark}, Part{Class: Tree, Material: Needle,
		Color: tone(r, Needle)}
	b.use(wood)
	b.rod(v(0, 0, -.6), v(0, 0, height), .22, .03, 6)
	b.use(needle)
	reach := r.Between(2.2, 3.1)
	step := .42 / math.Max(.2, detail)
	for z := height * .1; z < height; z += step * r.Between(.8, 1.2) {
		t := z / height
		long := reach*math.Pow(1-t, .8) + .12
		arms := max(3, int(math.Round((5+5*(1-t))*math.Max(.5, detail))))
		first := r.Between(0, 2*math.Pi)
		for k := range arms {
			s, c := math.Sincos(first + 2*math.Pi*float64(k)/float64(arms))
			l := long * r.Between(.75, 1.1)
			for d := .25; d < l; d += .38 / math.Max(.25, detail) {
				wide := (.1 + .28*(1-d/(l+.2))) / math.Sqrt(math.Max(.3, detail))
				p := v(c*d, s*d, z-.28*d+.05*d*d*.3)
				b.spray(p.Add(v(r.Normal(), r.Normal(), r.Normal()).Mul(.06)),
					v(c*.3+r.Normal()*.3, s*.3+r.Normal()*.3, 1), wide)
			}
		}
	}
	return b.mesh
}

// bush is a dome of leaf sprays about 1.3 m high.
func bush(r *Random, detail float64) *Mesh {
	b := build()
	b.use(Part{Class: Bush, Material: Leaf, Color: tone(r, Leaf)})
	for range int(260*detail) + 10 {
		d := v(r.Normal(), r.Normal(), math.Abs(r.Normal())*.9).Normalize().Mul(
			.75 * math.Cbrt(r.Between(.35, 1)))
		d.Z = d.Z*1.5 + .12
		b.spray(d, d.Add(v(r.Normal(), r.Normal(), r.Normal()).Mul(.4)),
			r.Between(.07, .13)/math.Sqrt(max(.2, detail)))
	}
	return b.mesh
}

// hedge is a clipped piece 2 m long, 0.7 m deep and 1.3 m high, about its
// middle, along x.
func hedge(r *Random, detail float64) *Mesh {
	b := build()
	b.use(Part{Class: Bush, Material: Leaf, Color: tone(r, Leaf)})
	for range int(420*detail) + 14 {
		p := v(r.Between(-1.05, 1.05), r.Between(-.35, .35), r.Between(-.1, 1.3))
		if r.Chance(.75) { // leaves crowd at the surface
			if r.Chance(.4) {
				p.Z = 1.3 - math.Abs(r.Normal())*.06
			} else {
				p.Y = math.Copysign(.35-math.Abs(r.Normal())*.05, p.Y)
			}
		}
		b.spray(p, v(r.Normal(), r.Normal()+p.Y*3, r.Normal()+p.Z),
			r.Between(.08, .13)/math.Sqrt(max(.2, detail)))
	}
	return b.mesh
}

// tuft is a patch of tall grass about 0.4 m high.
func tuft(r *Random, detail float64) *Mesh {
	b := build()
	b.use(Part{Class: LowPlant, Material: Crop, Color: tone(r, Crop)})
	for range int(70*detail) + 4 {
		p := v(r.Normal()*.4, r.Normal()*.4, r.Between(.05, .4))
		b.spray(p, v(r.Normal(), r.Normal(), r.Normal()*.3), r.Between(.05, .11)/math.Sqrt(max(.2, detail)))
	}
	return b.mesh
}

// newForest is a field that is wooded all over: crowns that touch, young trees
// and bushes below them, glades, fallen trunks. Every tree is an object.
func newForest(o Options) *field {
	s := newField(o)
	s.relief = relief{Hash(o.Seed, 'w', 0), 7, 300}
	s.plants = newPlants(Hash(o.Seed, 'w', 1), o.Detail)
	s.plants.loosen(Hash(o.Seed, 'w', 6), o.Detail)
	for k := range uint64(4) {
		r := Random(Hash(o.Seed, 'w', 2+k))
		s.tall = append(s.tall, tallTree(&r, o.Detail))
	}
	s.wooded = true
	return s
}

// Locals is more than the usual: a wood has many trees.
func (s *field) Locals() int {
	if s.wooded {
		return 2 * LocalsPerBlock
	}
	return LocalsPerBlock
}

// Drive returns a place on the track of the first row.
func (s *field) Drive(m float64) (x, y, z float64) {
	x, y = 20+m, trackY
	return x, y, s.relief.at(x, y)
}

// tallTree is one about 15 m high with a narrow crown on a long trunk,
// as they grow in a wood.
func tallTree(r *Random, detail float64) *Mesh {
	b := build()
	g := &growth{b: b, r: r, detail: detail, loose: r.Between(1.6, 2.4),
		wood:   Part{Class: Tree, Material: Bark},
		leaf:   Part{Class: Tree, Material: Leaf, Color: tone(r, Leaf)},
		spread: r.Between(.4, .65), lift: r.Between(.3, .6)}
	high := r.Between(9, 12)
	lean := v(r.Between(-.04, .04), r.Between(-.04, .04), 1)
	b.use(g.wood)
	b.rod(v(0, 0, -.6), lean.Mul(high), .2, .08, 7)
	for z := high * r.Between(.25, .5); z < high; z += r.Between(.7, 1.2) {
		turn, rise := r.Between(0, 2*math.Pi), r.Between(.3, 1)
		g.branch(lean.Mul(z), v(math.Cos(turn), math.Sin(turn), rise).Normalize(), r.Between(1, 1.7), .07, 1)
	}
	g.branch(lean.Mul(high), v(0, 0, 1), 1.5, .08, 0)
	return b.mesh
}

// wood plants a block: a tree in nearly every cell of a grid whose size changes
// from place to place, and what grows between and below.
func (p *acre) wood() {
	cell := 4.5 + 3.5*(.5+.5*Noise(p.seed+11, float64(p.i)/2.5, float64(p.j)/2.5))
	n := int(blockSize / cell)
	cell = blockSize / float64(n)
	for k := range n * n {
		x := (float64(k%n) + .5 + p.r.Between(-.38, .38)) * cell
		y := (float64(k/n) + .5 + p.r.Between(-.38, .38)) * cell
		glade := Noise(p.seed+12, (p.x0+x)/35, (p.y0+y)/35) > .35
		if p.free(y) || p.r.Chance(.08) || glade && p.r.Chance(.85) {
			continue
		}
		kind, size := p.tall, p.r.Between(.6, 1.2)
		switch stand := Noise(p.seed+13, (p.x0+x)/60, (p.y0+y)/60) + .35*p.r.Normal(); {
		case stand > .3:
			kind, size = p.plants.narrow, p.r.Between(.5, 1.3)
		case stand < -.25 || glade:
			kind, size = p.plants.broad, p.r.Between(.6, 1.3)*math.Sqrt(cell/6)
		}
		if p.r.Chance(.12) {
			size *= .5
		}
		p.plant(kind, x, y, size, p.object())
	}
	for range 10 + p.r.Pick(20) {
		if x, y := p.r.Between(0, blockSize), p.r.Between(0, blockSize); !p.free(y) {
			p.plant(p.plants.bushes, x, y, p.r.Between(.5, 1.5), p.object())
		}
	}
	for range p.r.Pick(20) {
		if x, y := p.r.Between(0, blockSize), p.r.Between(0, blockSize); !p.free(y) {
			p.plant(p.plants.tufts, x, y, p.r.Between(.8, 2), p.object())
		}
	}
	for range p.r.Pick(4) {
		x, y := p.r.Between(5, blockSize-5), p.r.Between(5, blockSize-5)
		if p.free(y) {
			continue
		}
		p.b.frame = at(x, y, p.height(x, y), p.r.Between(0, math.Pi))
		p.b.use(Part{Class: OtherItem, Material: Bark, Object: p.object()})
		p.b.rod(v(-3, 0, .3), v(3, 0, .35), .25, .15, 8)
	}
}
