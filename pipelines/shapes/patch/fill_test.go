// SPDX-License-Identifier: BSD-3-Clause

package patch

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// square returns the ring of a square, clockwise if its side is negative.
func square(x, y, side int32) Ring {
	if side < 0 {
		return Ring{{x, y}, {x, y - side}, {x - side, y - side}, {x - side, y}}
	}
	return Ring{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}
}

// star returns a ring with random radii around a place, which has many reflex corners.
func star(random *rand.Rand, corners int, low, high float64) (r Ring) {
	for k := range corners {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(corners))
		radius := low + (high-low)*random.Float64()
		r = append(r, Point{int32(radius * c), int32(radius * s)})
	}
	return r
}

// reversed returns a ring in the other direction.
func reversed(r Ring) (made Ring) {
	for i := range r {
		made = append(made, r[len(r)-1-i])
	}
	return made
}

// comb returns a ring with long thin teeth, whose edges no Delaunay triangulation has.
func comb(teeth int32) (r Ring) {
	for k := range teeth {
		r = append(r, Point{30 * k, 0}, Point{30*k + 10, 10_000}, Point{30*k + 20, 0})
	}
	return append(r, Point{30 * teeth, -5}, Point{-5, -5})
}

// TestFill: the triangles of polygons are counter-clockwise, have the edges of the rings once and all others
// in both directions, and the area of the polygon.
func TestFill(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for name, p := range map[string]Polygon{
		"triangle":          {{{0, 0}, {5, 0}, {0, 5}}},
		"negative places":   {square(-100, -70, 30)},
		"court":             {square(0, 0, 100), square(40, 40, -20)},
		"two courts":        {square(0, 0, 100), square(10, 40, -20), square(60, 40, -20)},
		"courts that touch": {square(0, 0, 100), square(20, 20, -20), square(40, 40, -20)},
		"court at a corner": {square(0, 0, 100), {{0, 0}, {20, 40}, {40, 20}}},
		"corner on a wall":  {square(0, 0, 100), {{50, 0}, {40, 20}, {60, 20}}},
		"comb":              {reversed(comb(40))},
		"star":              {star(random, 400, 1000, 100_000)},
		"star with a star court": {star(random, 300, 60_000, 100_000),
			reversed(star(random, 300, 500, 50_000))},
	} {
		must.OK(t, Validate(p))
		made, err := Fill(p)
		must.Need(t, err == nil, "%s: %v", name, err)
		checkFill(t, name, p, made)
	}
}

// checkFill checks the triangles of a polygon.
func checkFill(t *testing.T, name string, p Polygon, made [][3]Point) {
	t.Helper()
	edges := map[[2]Point]int{}
	area := int64(0)
	for _, corners := range made {
		twice := Cross(corners[0], corners[1], corners[2])
		must.Hold(t, twice > 0, "%s: triangle %v is not counter-clockwise", name, corners)
		area += twice
		for k, from := range corners {
			edges[[2]Point{from, corners[(k+1)%3]}]++
		}
	}
	must.Equal(t, area, p.Area2(), "%s: area", name)
	border := 0.0
	for edge, count := range edges {
		must.Equal(t, count, 1, "%s: triangles with the edge %v", name, edge)
		if edges[[2]Point{edge[1], edge[0]}] == 0 {
			border += length(edge[0], edge[1])
		}
	}
	around := 0.0
	for _, ring := range p {
		for k, from := range ring {
			around += length(from, ring[(k+1)%len(ring)])
		}
	}
	must.Hold(t, math.Abs(border-around) < 1e-9*around, "%s: border of %v m, want %v", name, border, around)
}

// TestOverlap: polygons that have walls or corners in common do not overlap.
func TestOverlap(t *testing.T) {
	yard := Polygon{square(0, 0, 100), square(40, 40, -20)}
	for name, c := range map[string]struct {
		other Polygon
		want  bool
	}{
		"far":                {Polygon{square(300, 0, 10)}, false},
		"beside":             {Polygon{square(100, 0, 100)}, false},
		"beside, shifted":    {Polygon{square(100, 30, 100)}, false},
		"at a corner":        {Polygon{square(100, 100, 100)}, false},
		"fills the yard":     {Polygon{square(40, 40, 20)}, false},
		"in the yard":        {Polygon{square(45, 45, 5)}, false},
		"a step into it":     {Polygon{square(99, 0, 100)}, true},
		"a step over a yard": {Polygon{square(39, 40, 20)}, true},
		"inside":             {Polygon{square(10, 10, 5)}, true},
		"around":             {Polygon{square(-10, -10, 200)}, true},
		"equal":              {yard, true},
		"through":            {Polygon{{{-50, 5}, {150, 5}, {150, 6}, {-50, 6}}}, true},
	} {
		one := must.Get(Fill(yard))(t)
		other := must.Get(Fill(c.other))(t)
		must.Equal(t, Overlap(one, other), c.want, "%s", name)
		must.Equal(t, Overlap(other, one), c.want, "%s, the other way", name)
	}
}

// TestFillOfInvalid: rings that cross, or span nothing, are an error.
func TestFillOfInvalid(t *testing.T) {
	for name, c := range map[string]struct {
		polygon Polygon
		err     error
	}{
		"bow tie":       {Polygon{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}}, errUnfilled},
		"court across":  {Polygon{square(0, 0, 100), square(90, 40, -20)}, errUnfilled},
		"court outside": {Polygon{square(0, 0, 100), square(200, 40, -20)}, errUnfilled},
		"clockwise":     {Polygon{square(0, 0, -100)}, errUnfilled},
		"line":          {Polygon{{{0, 0}, {5, 5}, {9, 9}}}, ErrFlat},
		"nothing":       {nil, ErrFlat},
	} {
		_, err := Fill(c.polygon)
		must.Hold(t, errors.Is(err, c.err), "%s: error %v, want %v", name, err, c.err)
	}
}
