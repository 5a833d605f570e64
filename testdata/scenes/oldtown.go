// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"math"
	"slices"
)

// oldtown is a town that nobody planned: quarters of irregular form, narrow lanes between them, houses of all
// heights that touch, with terraces, courts and parapets, churches, and squares with rows of trees.
type oldtown struct {
	open
	seed   uint64
	detail float64
	relief relief
	plants *plants

	quarters cells   // bounded by lanes
	houses   cells   // of a quarter
	lane     float64 // m, half of its width
	storeys  float64 // mean number of a house
	courts   float64 // chance that a house is a court
	squares  float64 // chance that a quarter is a square
	churches float64 // chance that it is a church
	flat     float64 // chance that a roof is flat
	pitch    float64 // steepness of the others
	rows     float64 // m between the trees of a square
	shade    float64 // chance of each
	round    float64 // size of a crown
}

func newOldtown(o Options) *oldtown {
	r := Random(Hash(o.Seed, 'a', 0))
	s := &oldtown{
		seed:     o.Seed,
		detail:   o.Detail,
		relief:   relief{Hash(o.Seed, 'a', 1), r.Between(.5, 15), r.Between(120, 300)},
		plants:   newPlants(Hash(o.Seed, 'a', 2), o.Detail),
		quarters: cells{Hash(o.Seed, 'a', 3), r.Between(35, 75)},
		houses:   cells{Hash(o.Seed, 'a', 4), r.Between(8, 17)},
		lane:     r.Between(1.5, 4.5),
		storeys:  r.Between(1.5, 4.5),
		courts:   r.Between(.05, .3),
		squares:  r.Between(.08, .3),
		churches: r.Between(.03, .12),
		flat:     r.Float(),
		pitch:    r.Between(.25, 1),
		rows:     r.Between(5, 9),
		shade:    r.Between(.5, 1),
		round:    r.Between(.5, 1.1),
	}
	if r.Chance(.6) {
		s.plants.loosen(Hash(o.Seed, 'a', 5), o.Detail)
	}
	return s
}

// Station stands on the first free ground north of its place, 40 m apart.
func (s *oldtown) Station(n int) (x, y, z float64) {
	x = 20 + 40*float64(n)
	y = 20
	for step := range 40 {
		if s.surface(x, y+float64(step)).Class == Ground {
			y += float64(step)
			break
		}
	}
	return x, y, s.height(x, y) + 1.7
}

// cells divides the plane into the cells of points that are irregular: one in each square of a grid (a
// Voronoi diagram, Okabe et al. 2000, doi:10.1002/9780470317013).
type cells struct {
	seed uint64
	side float64 // m, of a square
}

// cell is the one that a place lies in.
type cell struct {
	key    uint64
	x, y   float64 // of its point
	border float64 // m from the place to the nearest side of the cell
}

// seeds are the points of the squares around one: no other is the nearest of a place in it.
type seeds [25]cell

// near returns the points of the squares around a place.
func (c cells) near(x, y float64) (all seeds) {
	column := math.Floor(x/c.side) - 2
	row := math.Floor(y/c.side) - 2
	for k := range all {
		i := column + float64(k%5)
		j := row + float64(k/5)
		key := Hash(c.seed, uint64(int64(i)), uint64(int64(j)))
		r := Random(key)
		all[k] = cell{key: key, x: (i + r.Between(.1, .9)) * c.side, y: (j + r.Between(.1, .9)) * c.side}
	}
	return all
}

// at returns the cell of a place.
func (c cells) at(x, y float64) cell {
	all := c.near(x, y)
	found := all[0]
	least := math.Inf(1)
	for _, p := range all {
		if d := math.Hypot(x-p.x, y-p.y); d < least {
			found, least = p, d
		}
	}
	found.border = math.Inf(1)
	for _, p := range all {
		if p.key == found.key {
			continue
		}
		d := math.Hypot(x-p.x, y-p.y)
		apart := math.Hypot(p.x-found.x, p.y-found.y)
		// the distance from the line half-way between the two points
		found.border = min(found.border, (d*d-least*least)/(2*apart))
	}
	return found
}

// kind is what a quarter is.
type kind uint8

const (
	dwellings kind = iota
	square
	church
)

func (s *oldtown) kind(quarter uint64) kind {
	r := Random(Hash(quarter, 'q', 0))
	t := r.Float()
	switch {
	case t < s.squares:
		return square
	case t < s.squares+s.churches:
		return church
	}
	return dwellings
}

// place is what is at a place: its height over the ground, 0 for the ground, and a number for what it
// belongs to.
type place struct {
	over     float64
	key      uint64
	material Material
}

// place returns what is at world coordinates.
func (s *oldtown) place(x, y float64) place {
	wind := s.lane * Noise(s.seed+1, x/25, y/25)
	quarter := s.quarters.at(x+wind, y-wind)
	free := place{material: Paving}
	kind := s.kind(quarter.key)
	switch {
	case kind == square || quarter.border < s.lane:
		return free
	case kind == church:
		return s.church(quarter, x+wind, y-wind)
	}
	house := s.houses.at(x, y)
	inner := min(house.border, quarter.border-s.lane)
	if s.isCourt(house.key) {
		return free
	}
	return s.house(house.key, inner)
}

// isCourt reports whether a house of a quarter is none but a court.
func (s *oldtown) isCourt(key uint64) bool {
	r := Random(Hash(key, 'c', 0))
	return r.Chance(s.courts)
}

// house returns what is at a place of a house: inner metres from its walls.
func (s *oldtown) house(key uint64, inner float64) place {
	r := Random(Hash(key, 'h', 0))
	storeys := max(1, math.Round(s.storeys+1.2*r.Normal()))
	eave := 3.2*storeys + r.Between(0, 1)
	if r.Chance(s.flat) {
		parapet := r.Between(.4, 1.2)
		room := r.Between(2, 5) // m from the walls, of a room on the terrace
		over := eave
		switch {
		case inner < .3:
			over += parapet
		case inner > room && r.Chance(.4):
			over += 2.6
		}
		return place{over, key, Concrete}
	}
	pitch := s.pitch * r.Between(.7, 1.3)
	return place{eave + pitch*min(inner, 6), key, RoofTile}
}

// church returns what is at a place of a quarter with a church: nave, aisles, tower and dome along an axis,
// and free space around them.
func (s *oldtown) church(quarter cell, x, y float64) place {
	r := Random(Hash(quarter.key, 'k', 0))
	long := s.quarters.side * r.Between(.25, .45)
	wide := long * r.Between(.25, .5)
	high := r.Between(8, 20)
	tower := high * r.Between(1.3, 2.5)
	sin, cos := math.Sincos(r.Between(0, 2*math.Pi))
	u := cos*(x-quarter.x) + sin*(y-quarter.y)
	v := cos*(y-quarter.y) - sin*(x-quarter.x)
	across := math.Abs(v)
	inside := place{0, Hash(quarter.key, 'k', 1), RoofTile}
	dome := wide * .5
	switch {
	case math.Abs(u+long) < 3.5 && across < 3.5:
		inside.over = tower
	case math.Hypot(u-long*.4, v) < dome:
		d := math.Hypot(u-long*.4, v) / dome
		inside.over = high + 2 + dome*math.Sqrt(1-d*d)
	case math.Abs(u) < long && across < wide*.5:
		inside.over = high + .6*(wide*.5-across)
	case math.Abs(u) < long && across < wide:
		inside.over = high*.6 + .3*(wide-across)
	default:
		return place{material: Paving}
	}
	return inside
}

// height returns the height of what is at world coordinates.
func (s *oldtown) height(x, y float64) float64 { return s.relief.at(x, y) + s.place(x, y).over }

// surface returns the surface at world coordinates.
func (s *oldtown) surface(x, y float64) Part {
	at := s.place(x, y)
	if at.over == 0 {
		return Part{Class: Ground, Material: at.material, Object: 1}
	}
	r := Random(Hash(at.key, 'f', 0))
	light := uint8(120 + r.Pick(80))
	return Part{Class: Building, Material: at.material, Object: 2 + uint16(at.key%(FirstLocal-2)),
		Color: [3]uint8{light, light - 20, light - 40}}
}

// Block makes ground and houses, and the trees of squares and courts.
func (s *oldtown) Block(i, j int) *Block {
	l := newLot(s.seed, i, j)
	step := .5
	if s.detail < .5 {
		step = 4
	}
	l.cover(step, s.height, s.surface)
	n := int(blockSize / s.rows)
	for k := range n * n {
		x := (float64(k%n)+.5)*s.rows + l.r.Between(-.4, .4)
		y := (float64(k/n)+.5)*s.rows + l.r.Between(-.4, .4)
		if !s.shaded(l.x0+x, l.y0+y, &l.r) {
			continue
		}
		kind := s.plants.broad
		if l.r.Chance(.15) {
			kind = slices.Concat(s.plants.narrow, s.plants.bushes)
		}
		size := s.round * l.r.Between(.7, 1.1)
		l.copyOf(kind, x, y, s.relief.at(l.x0+x, l.y0+y), size, l.object(), .82, 1.25)
	}
	return l.block
}

// shaded reports whether a tree stands at a place: in squares, around churches, and in some courts.
func (s *oldtown) shaded(x, y float64, r *Random) bool {
	if s.place(x, y).over > 0 {
		return false
	}
	wind := s.lane * Noise(s.seed+1, x/25, y/25)
	quarter := s.quarters.at(x+wind, y-wind)
	switch {
	case quarter.border < s.lane+2: // of a lane
		return false
	case s.kind(quarter.key) == dwellings:
		return r.Chance(s.shade * .4)
	}
	return r.Chance(s.shade)
}
