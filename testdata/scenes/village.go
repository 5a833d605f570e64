// SPDX-License-Identifier: BSD-3-Clause

package scenes

import "math"

// village is rows of plots along streets that run with x, crossed by streets
// that run with y every few blocks; some rows are parkland.
type village struct {
	open
	seed   uint64
	detail float64
	relief relief
	plants *plants
	half   float64 // m, from a street's middle to its kerbs
	walk   float64 // m, width of a sidewalk
	town   *town   // of a scene of closed rows of houses, else nil
}

const (
	streetY = 32.0 // m, middle of a row's street
	kerb    = 0.12
	crossX  = 8.0 // m, middle of a crossing street
)

func newVillage(o Options) *village {
	return &village{seed: o.Seed, detail: o.Detail, half: 3, walk: 1.8,
		relief: relief{Hash(o.Seed, 'r', 0), 4, 210}, plants: newPlants(o.Seed, o.Detail)}
}

// Station stands on the sidewalks of the first street, 40 m apart.
func (s *village) Station(n int) (x, y, z float64) {
	x, y = 26+40*float64(n), streetY+s.half+.9
	if n%2 == 1 {
		y = streetY - s.half - .9
	}
	return x, y, s.relief.at(x, y) + kerb + 1.7
}

// crossed reports that a street along y runs through blocks of column i.
func (s *village) crossed(i int) bool { return (i%3+3)%3 == 0 }

// park reports that row j has no street and no houses.
func (s *village) park(j int) bool {
	return s.town == nil && j != 0 && j != 1 && Hash(s.seed, 'p', uint64(j))%4 == 0
}

// lot is one block being made.
type lot struct {
	b      *builder
	r      Random
	i, j   int
	x0, y0 float64 // world coordinates of the corner
	block  *Block
}

func newLot(seed uint64, i, j int) lot {
	b := build()
	return lot{b: b, r: Random(Hash(seed, uint64(i), uint64(j))), i: i, j: j, x0: float64(i) * blockSize,
		y0: float64(j) * blockSize, block: &Block{Mesh: b.mesh}}
}

// cover builds the surface of the block in cells at most step wide, from heights and parts at world
// coordinates.
func (l *lot) cover(step float64, height func(x, y float64) float64, surface func(x, y float64) Part) {
	terrain{
		x0:      l.x0,
		y0:      l.y0,
		xs:      lines(blockSize, step),
		ys:      lines(blockSize, step),
		height:  func(x, y float64) float64 { return height(l.x0+x, l.y0+y) },
		surface: func(x, y float64) Part { return surface(l.x0+x, l.y0+y) },
	}.build(l.b)
}

// object returns the number of a new object of the block.
func (l *lot) object() uint16 {
	l.block.Locals++
	return uint16(FirstLocal + l.block.Locals - 1)
}

// copyOf places a copy of one of the solids, of a brightness from dark and a red tint up to warm.
func (l *lot) copyOf(of []*Mesh, x, y, z, scale float64, object uint16, dark, warm float64) {
	light := float32(l.r.Between(dark, 1.15))
	l.block.Copies = append(l.block.Copies, Copy{Mesh: of[l.r.Pick(len(of))], X: float32(x), Y: float32(y),
		Z: float32(z), Scale: float32(scale), Turn: float32(l.r.Between(0, 2*math.Pi)), Object: object,
		Tint: [3]float32{light * float32(l.r.Between(.9, warm)), light,
			light * float32(l.r.Between(.85, 1.1))}})
}

// plot is one block of a village.
type plot struct {
	*village
	lot
}

func (s *village) Block(i, j int) *Block {
	p := &plot{s, newLot(s.seed, i, j)}
	p.ground()
	switch {
	case s.park(j):
		p.parkland()
	case s.town != nil:
		p.rows()
	default:
		p.street()
	}
	return p.block
}

func (p *plot) height(x, y float64) float64 {
	z := p.relief.at(p.x0+x, p.y0+y)
	if !p.onRoad(x, y) {
		z += kerb
	}
	return z
}

func (p *plot) onRoad(x, y float64) bool {
	along := !p.park(p.j) && math.Abs(y-streetY) <= p.half
	return along || p.crossed(p.i) && math.Abs(x-crossX) <= p.half
}

func (p *plot) ground() {
	step := 2.0
	if p.detail < .5 {
		step = 8
	}
	const face = .015 // m, depth of a kerb's face
	var across, along []float64
	edges := func(middle float64) []float64 {
		out := p.half + p.walk
		return []float64{middle - out, middle - p.half - face, middle - p.half, middle + p.half, middle +
			p.half + face,
			middle + out}
	}
	if !p.park(p.j) {
		along = edges(streetY)
	}
	if p.crossed(p.i) {
		across = edges(crossX)
	}
	terrain{x0: p.x0, y0: p.y0, xs: lines(blockSize, step, across...), ys: lines(blockSize, step, along...),
		height: p.height, surface: p.surface}.build(p.b)
}

// surface names the ground: one object is the roads, one each strip of sidewalk
// and of gardens in a row.
func (p *plot) surface(x, y float64) Part {
	band := func(k int) uint16 { return uint16(10 + ((p.j%64+64)%64)*8 + k) }
	part := Part{Class: Ground, Material: Grass}
	side := 0
	if y > streetY {
		side = 1
	}
	part.Object = band(side)
	walk := func(d float64) bool { return math.Abs(d) < p.half+p.walk }
	switch {
	case p.onRoad(x, y):
		part.Material, part.Object = Asphalt, 1
	case !p.park(p.j) && walk(y-streetY):
		part.Material, part.Object = Paving, band(2+side)
	case p.crossed(p.i) && walk(x-crossX):
		part.Material, part.Object = Paving, band(4)
		if x > crossX {
			part.Object = band(5)
		}
	}
	return part
}

// street fills both sides of a street row with plots.
func (p *plot) street() {
	first, n := 0.0, 3
	if p.crossed(p.i) {
		first, n = crossX+p.half+p.walk+.3, 2
	}
	wide := (blockSize - first) / float64(n)
	for k := range n {
		x := first + wide*(float64(k)+.5)
		p.garden(x, wide, 0)
		p.garden(x, wide, math.Pi)
	}
	for _, x := range []float64{20, 50} {
		p.b.frame = at(x, streetY-p.half-.5, p.height(x, streetY-p.half-.5), 0)
		lamp(p.b, p.object())
	}
	for k := range p.r.Pick(4) {
		side := float64(2*p.r.Pick(2) - 1)
		x := 18 + 11*float64(k) + p.r.Between(-2, 2)
		y := streetY + side*(p.half-1.05)
		p.b.frame = at(x, y, p.height(x, y), float64(p.r.Pick(2))*math.Pi+p.r.Normal()*.02)
		car(p.b, &p.r, p.object())
	}
	if p.r.Chance(.5) { // street trees
		for x := 16.0; x < blockSize; x += 14 {
			p.tree(x+p.r.Between(-1, 1), streetY+p.half+p.walk+.5, .75)
		}
	}
}

func (p *plot) plant(of []*Mesh, x, y, scale float64, object uint16) {
	p.copyOf(of, x, y, p.height(x, y), scale, object, .85, 1.2)
}

func (p *plot) tree(x, y, scale float64) {
	kind := p.plants.broad
	if p.r.Chance(.25) {
		kind = p.plants.narrow
	}
	p.plant(kind, x, y, scale*p.r.Between(.65, 1.15), p.object())
}

func (p *plot) parkland() {
	for range 5 + p.r.Pick(7) {
		x, y := p.r.Between(2, blockSize-2), p.r.Between(2, blockSize-2)
		if p.clear(x, y, 1) {
			p.tree(x, y, 1.15)
		}
	}
	for range p.r.Pick(6) {
		x, y := p.r.Between(1, blockSize-1), p.r.Between(1, blockSize-1)
		if p.clear(x, y, 1) {
			p.plant(p.plants.bushes, x, y, p.r.Between(.6, 1.4), p.object())
		}
	}
}

// clear reports that no street is within margin of a place.
func (p *plot) clear(x, y, margin float64) bool {
	far := p.half + p.walk + margin
	return !(p.crossed(p.i) && math.Abs(x-crossX) < far) && (p.park(p.j) || math.Abs(y-streetY) > far)
}
