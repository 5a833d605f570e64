package scenes

import "math"

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
	n := int(fieldSize / cell)
	cell = fieldSize / float64(n)
	for k := range n * n {
		x := (float64(k%n) + .5 + p.r.Between(-.38, .38)) * cell
		y := (float64(k/n) + .5 + p.r.Between(-.38, .38)) * cell
		glade := Noise(p.seed+12, (p.x0+x)/35, (p.y0+y)/35) > .35
		if p.free(x, y) || p.r.Chance(.08) || glade && p.r.Chance(.85) {
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
		if x, y := p.r.Between(0, fieldSize), p.r.Between(0, fieldSize); !p.free(x, y) {
			p.plant(p.plants.bushes, x, y, p.r.Between(.5, 1.5), p.object())
		}
	}
	for range p.r.Pick(20) {
		if x, y := p.r.Between(0, fieldSize), p.r.Between(0, fieldSize); !p.free(x, y) {
			p.plant(p.plants.tufts, x, y, p.r.Between(.8, 2), p.object())
		}
	}
	for range p.r.Pick(4) {
		x, y := p.r.Between(5, fieldSize-5), p.r.Between(5, fieldSize-5)
		if p.free(x, y) {
			continue
		}
		p.b.frame = at(x, y, p.height(x, y), p.r.Between(0, math.Pi))
		p.b.use(Part{Class: OtherItem, Material: Bark, Object: p.object()})
		p.b.rod(v(-3, 0, .3), v(3, 0, .35), .25, .15, 8)
	}
}
