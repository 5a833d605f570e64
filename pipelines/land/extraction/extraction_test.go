// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
	"superpoint/testdata/must"
)

// field is a cloud with one point in each cell of 1 m, built superpoint by superpoint.
type field struct{ Points }

// add adds a square of points of height z(x, y).
func (f *field) add(owner int32, kind Kind, x0, y0, n int, z func(x, y float64) float64) {
	for int(owner) >= len(f.Kind) {
		f.Kind = append(f.Kind, Other)
	}
	f.Kind[owner] = kind
	for x := x0; x < x0+n; x++ {
		for y := y0; y < y0+n; y++ {
			f.At = append(f.At, image.Pt(per*x, per*y))
			f.Z = append(f.Z, z(float64(x), float64(y)))
			f.Owner = append(f.Owner, owner)
		}
	}
}

const per = 64 // lattice steps in a metre

// unit makes the lattice, and cells of a metre.
func (f *field) unit() {
	f.Step, f.Cell, f.Spacing = [2]float64{1. / per, 1. / per}, image.Pt(per, per), 1
}

func level(z float64) func(x, y float64) float64 { return func(_, _ float64) float64 { return z } }

// cone is a crown of a top's height at a place.
func cone(x0, y0, top float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return top - math.Hypot(x-x0, y-y0) }
}

func (f *field) find(t *testing.T, s Settings) *Found {
	t.Helper()
	f.unit()
	return must.Get(Find(parallel.Run{}, &f.Points, s))(t)
}

// TestBuildingsByHand has three roofs with common corners, a separate one, a shed that is
// too small and a terrace that is too low.
func TestBuildingsByHand(t *testing.T) {
	f := &field{}
	f.add(0, Ground, -50, -50, 100, level(100))
	f.add(1, Building, -20, -20, 8, level(106))
	f.add(2, Building, -12, -12, 8, level(108))
	f.add(3, Building, 10, 10, 6, level(104))
	f.add(4, Building, 30, 30, 2, level(104))
	f.add(5, Building, 30, -30, 8, level(101))
	f.add(6, Building, -28, -12, 8, level(107)) // has a common corner with the first, too
	found := f.find(t, DefaultSettings())
	must.Need(t, len(found.Buildings) == 2, "buildings: got %v, want 2", len(found.Buildings))
	must.Need(t, len(found.Trees) == 0, "trees: got %v, want 0", len(found.Trees))
	a, b := found.Buildings[0], found.Buildings[1]
	must.Equal(t, a.Superpoints, 3, "superpoints")
	must.Equal(t, len(a.Points), 192, "points")
	must.Equal(t, a.Height, 8, "a.Height")
	must.Equal(t, a.Ground, 100, "a.Ground")
	must.Hold(t, math.Abs(a.Area-192) <= 13, "m²: got %v, want 192 within 13", a.Area)
	must.Equal(t, b.Superpoints, 1, "superpoints")
	must.Equal(t, b.Height, 4, "height")
	must.Hold(t, math.Abs(b.Area-36) <= 2, "m²: got %v, want 36 within 2", b.Area)
	must.Equal(t, len(b.Outline), 1, "len(b.Outline)")
	got := fmt.Sprint(b.Outline[0])
	must.Equal(t, got, "[[{4288 4288} {4672 4288} {4672 4672} {4288 4672}]]", "corners of the outline")
	must.Equal(t, found.Origin.X, -57*per, "found.Origin.X")
	s := DefaultSettings()
	s.MinArea, s.MinHeight, s.MinPoints = 1, 0.5, 1
	for least, want := range map[int]int{1: 4, 4: 4, 5: 3} { // the smallest has four points
		s.MinPoints = least
		must.Equal(t, len(f.find(t, s).Buildings), want, "buildings of at least %d points", least)
	}
}

func TestFillWithMean(t *testing.T) {
	cells := must.Get(planar.AllOf(image.Rect(0, 0, 2, 2)).Blocks(0))(t)
	got := must.Get(fill([]float64{3, 0, 5, 0}, []int64{1, 0, 9, 0}, cells))(t)
	must.Equal(t, got, []float64{3, 4, 5, 4}, "filled in")
}

// TestTreesByHand has two adjacent crowns that share a superpoint, and a crown with two tops near each other.
func TestTreesByHand(t *testing.T) {
	f := &field{}
	f.add(0, Ground, -40, -40, 80, level(10))
	two := func(x, y float64) float64 { return max(cone(-16, 0, 22)(x, y), cone(-4, 0, 21)(x, y)) }
	f.add(1, Vegetation, -22, -6, 12, two) // the first crown, and a little of the second
	f.add(2, Vegetation, -10, -6, 12, two)
	f.add(3, Vegetation, 10, 10, 10, func(x, y float64) float64 {
		return max(cone(14, 15, 20)(x, y), cone(16, 15, 20)(x, y))
	})
	f.add(4, Vegetation, 30, -30, 6, level(11)) // too low
	found := f.find(t, DefaultSettings())
	must.Need(t, len(found.Trees) == 3, "trees: got %v, want 3", len(found.Trees))
	must.Need(t, len(found.Buildings) == 0, "buildings: got %v, want 0", len(found.Buildings))
	for k, want := range []struct{ points, height, column float64 }{{144, 12, -16}, {144, 11, -4},
		{100, 10, 14}} {
		o := found.Trees[k]
		must.Need(t, float64(len(o.Points)) == want.points,
			"tree %d: points: got %v, want %v", k, float64(len(o.Points)), want.points)
		must.Hold(t, math.Abs(o.Height-want.height) <= 1e-9,
			"tree %d: height: got %v, want %v within 1e-9", k, o.Height, want.height)
		must.Equal(t, float64(f.At[o.Top].X), per*want.column, "tree %d: f.At[o.Top].X", k)
		must.Equal(t, o.Superpoints, 1, "tree %d: o.Superpoints", k)
		must.Equal(t, o.Area, want.points, "tree %d: m²", k)
	}
	for i, o := range f.Owner {
		if o == 2 {
			f.Owner[i] = 1 // one superpoint over both crowns is divided
		}
	}
	must.Equal(t, len(f.find(t, DefaultSettings()).Trees), 3, "trees of one superpoint over two crowns")
	s := DefaultSettings()
	s.MinCrown = 12 // crowns of 144 m² are 13.5 m wide, one of 100 m² 11.3 m
	must.Equal(t, len(f.find(t, s).Trees), 2, "trees of at least 12 m")
	one := undivided([]map[int32]int{{1: 6, 2: 4}, {1: 59, 2: 41}, {-1: 9, 2: 1}})
	must.Hold(t, slices.Equal(one, []int32{1, -1, -1}), "superpoints belong to the crowns %v", one)
}

// TestSmoothCanopy: an empty cell is filled from five neighbours, and the kernel is (1 2 1)ᵀ(1 2 1).
func TestSmoothCanopy(t *testing.T) {
	c := &canopy{grid: grid{View: new(planar.View)}}
	must.OK(t, c.Grow(planar.AllOf(image.Rect(0, 0, 5, 5))))
	around := c.around(12)
	for n := range 9 {
		c.height = make([]float64, 25)
		for _, k := range around[:n] {
			c.height[k] = 8
		}
		c.smooth()
		must.Hold(t, (c.height[12] > 0) == (n >= 5), "%d neighbours: %v m", n, c.height[12])
	}
	c.height = make([]float64, 25)
	c.height[12], c.height[13], c.height[6] = 8, 4, 4
	c.smooth()
	must.Hold(t, math.Abs(c.height[12]-(4*8+2*4+4)/7.) <= 1e-12, "%v m", c.height[12])
}

// TestNoTreeOnARoof has trees above and beside roofs: no point of a tree is in a footprint, and what a crown
// has beside the roof remains.
func TestNoTreeOnARoof(t *testing.T) {
	random, over, beside := rand.New(rand.NewPCG(5, 1)), 0, 0
	for range 20 {
		f := &field{}
		f.add(0, Ground, -40, -40, 80, level(10))
		for k := range int32(4) {
			x, y, n := int(k%2)*40-30, int(k/2)*40-30, 6+random.IntN(10)
			f.add(1+2*k, Building, x, y, n, level(16))
			cx, cy := x+random.IntN(n+8)-4, y+random.IntN(n+8)-4
			f.add(2+2*k, Vegetation, cx-4, cy-4, 9, cone(float64(cx), float64(cy), 24))
		}
		found := f.find(t, DefaultSettings())
		for _, tree := range found.Trees {
			beside++
			for _, i := range tree.Points {
				must.Need(t, !winds(found.Buildings, f.At[i].Sub(found.Origin)),
					"point %v of a tree is in a footprint", f.At[i])
			}
		}
		roofs := newFootprints(&f.Points, found.Origin, found.Buildings)
		for i, at := range f.At {
			if beside := at.Add(image.Pt(7, 11)); roofs.inside(beside) != winds(found.Buildings,
				beside.Sub(found.Origin)) {
				t.Fatalf("%v is in a footprint: %v", beside, roofs.inside(beside))
			}
			if f.of(i) == Vegetation && winds(found.Buildings, at.Sub(found.Origin)) {
				over++
			}
		}
	}
	must.Hold(t, over >= 500, "points above roofs: got %v, want at least 500", over)
	must.Hold(t, beside >= 60, "trees: got %v, want at least 60", beside)
}

// winds reports whether an outline turns around a position; on a wall it may be either.
func winds(all []Object, at image.Point) bool {
	for k := range all {
		for _, polygon := range all[k].Outline {
			sum := 0.0
			for i, a := range polygon[0] {
				b := polygon[0][(i+1)%len(polygon[0])]
				ax, ay := float64(a.X)-float64(at.X), float64(a.Y)-float64(at.Y)
				bx, by := float64(b.X)-float64(at.X), float64(b.Y)-float64(at.Y)
				if ax*by == ay*bx {
					return false
				}
				sum += math.Atan2(ax*by-ay*bx, ax*bx+ay*by)
			}
			if math.Abs(sum) > math.Pi {
				return true
			}
		}
	}
	return false
}

// TestGround fills holes in a slope, and takes the lowest points if no point is ground.
func TestGround(t *testing.T) {
	f := &field{}
	f.unit()
	f.add(0, Ground, 0, 0, 40, func(x, _ float64) float64 { return x / 10 })
	for i := range f.At {
		if c := f.At[i]; c.In(image.Rect(10*per, 10*per, 20*per, 20*per)) {
			f.Owner[i] = -1
		}
	}
	g, err := f.ground()
	must.OK(t, err)
	for _, at := range []image.Point{{5 * per, 5 * per}, {15 * per, 15 * per}, {39 * per, 39 * per}} {
		z := g.at(at)
		must.Hold(t, math.Abs(z-float64(at.X)/per/10) <= 0.8, "the ground at %v is %v", at, z)
	}
	f.Kind[0] = Vegetation
	g, err = f.ground()
	must.OK(t, err)
	must.Hold(t, g.at(image.Pt(39*per, per)) <= 3.3,
		"g.at(image.Pt(39*per, per)) is %v, want at most 3.3", g.at(image.Pt(39*per, per)))
}

// TestOutline generalises the cells of a rotated house to four straight walls of its size, and tests which
// edges cross.
func TestOutline(t *testing.T) {
	s, c := math.Sincos(0.3)
	for _, slant := range []float64{0, 0.1} { // of the walls at its ends, which are aligned
		f := &field{}
		f.Kind = []Kind{Ground, Building}
		for x := -30; x < 30; x++ {
			for y := -30; y < 30; y++ {
				u, v := float64(x)*c+float64(y)*s, float64(y)*c-float64(x)*s
				owner, z := int32(0), 0.0
				if math.Abs(u-slant*v) < 12 && math.Abs(v) < 7 {
					owner, z = 1, 6
				}
				f.At, f.Z, f.Owner = append(f.At, image.Pt(per*x, per*y)), append(f.Z, z),
					append(f.Owner, owner)
			}
		}
		found := f.find(t, DefaultSettings())
		must.Need(t, len(found.Buildings) == 1, "buildings: got %v, want 1", len(found.Buildings))
		must.Need(t, len(found.Buildings[0].Outline) == 1,
			"len(found.Buildings[0].Outline) is %v, want 1", len(found.Buildings[0].Outline))
		corners := found.Buildings[0].Outline[0][0]
		a := found.Buildings[0].Area
		must.Equal(t, len(corners), 4, "corners")
		must.Hold(t, math.Abs(a-24*14) <= 12, "m²: got %v, want %v within 12", a, 24*14)
		for i := range corners {
			a, b, d := corners[i], corners[(i+1)%4], corners[(i+2)%4]
			angle := math.Atan2(float64(patch.Cross(a, b, d)),
				float64((b.X-a.X)*(d.X-b.X)+(b.Y-a.Y)*(d.Y-b.Y)))
			must.Hold(t, math.Abs(angle-math.Pi/2) <= 0.02, "slant %v: corner %d turns by %v",
				slant, i, angle)
		}
	}
	turned := (ring{{0, 0}, {20 * c, 20 * s}, {20*c - 9*s, 20*s + 9*c}, {-9 * s, 9 * c}}).direction()
	must.Hold(t, math.Abs(turned-0.3) <= 1e-9, "a rectangle turned by 0.3 has the direction %v", turned)
	square := patch.Ring{{}, {X: 4}, {X: 4, Y: 4}, {Y: 4}}
	for name, of := range map[string][]patch.Polygon{"a bow": {{{{}, {X: 4, Y: 4}, {X: 4}, {Y: 4}}}},
		"a spike":          {{{{}, {X: 4}, {X: 2}, {X: 2, Y: 4}}}},
		"a hole outside":   {{square, {{X: 9}, {X: 9, Y: 9}, {X: 18}}}},
		"rings that cross": {{square}, {{{X: 2, Y: 2}, {X: 6, Y: 2}, {X: 6, Y: 3}}}},
		"a clockwise ring": {{{{Y: 4}, {X: 4, Y: 4}, {X: 4}, {}}}}} {
		must.Hold(t, patch.Validate(of...) != nil, "%s is valid", name)
	}
	must.Hold(t, patch.Validate(patch.Polygon{square},
		patch.Polygon{{{X: 4, Y: 4}, {X: 6, Y: 4}, {X: 6, Y: 6}}}) == nil,
		"squares that touch in a corner are not valid")
}

// TestOutlinesOfBlots generalises random shapes, with holes, islands and parts that share corners: no walls
// cross, every ring keeps its orientation, holes are inside their rings, and walls are near the border of the
// cells.
func TestOutlinesOfBlots(t *testing.T) {
	t.Parallel()
	corners, rings := 0, 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 3))
		f := &field{Points: Points{Kind: []Kind{Building}}}
		f.unit()
		taken := map[image.Point]bool{}
		for range 30 {
			x, y, w, h := random.IntN(30), random.IntN(30), 1+random.IntN(9), 1+random.IntN(9)
			empty := random.IntN(4) == 0
			for u := x; u < x+w; u++ {
				for v := y; v < y+h; v++ {
					taken[image.Pt(u, v)] = !empty
				}
			}
		}
		v := &planar.View{}
		must.OK(t, v.Grow(planar.AllOf(image.Rect(0, 0, 41, 41))))
		for at, is := range taken {
			if is {
				v.Add(at, 1, 1)
			}
		}
		regions := must.Get(planar.Partition(parallel.Run{}, v, 1, 0, false))(t)
		made := generalize(regions[0], image.Pt(20, 30), detail{})
		for _, p := range made {
			area := float64(patch.Polygon{p[0]}.Area2()) / 2 / (20 * 30)
			if len(made) > 1 {
				must.Hold(t, area >= 0.8*minPart,
					"a part of cells: got %v, want at least %v", area, 0.8*minPart)
			}
			for _, r := range p {
				rings, corners = rings+1, corners+len(r)
			}
			must.Hold(t, !touch(p), "seed %d: two rings touch", seed)
		}
		must.OK(t, patch.Validate(made...))
	}
	must.Hold(t, corners <= 8*rings, "%d corners of %d rings: walls stay as cells have them", corners, rings)
}

// TestOrderOfPoints finds the same objects, with the same numbers, if the order of the points changes.
func TestOrderOfPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	f := &field{}
	f.add(0, Ground, -40, -40, 80, func(x, y float64) float64 { return 0.3*x + 0.1*y })
	f.add(1, Vegetation, -22, -6, 24, func(x, y float64) float64 {
		return math.Round(max(cone(-16, 0, 22)(x, y), cone(-4, 0, 22)(x, y), cone(-10, 12, 21)(x, y)))
	})
	f.add(2, Building, 10, 10, 7, level(20))
	f.add(3, Building, 20, -10, 9, level(20))
	want := f.summary(t)
	for range 5 {
		random.Shuffle(len(f.At), func(i, j int) {
			f.At[i], f.At[j] = f.At[j], f.At[i]
			f.Z[i], f.Z[j] = f.Z[j], f.Z[i]
			f.Owner[i], f.Owner[j] = f.Owner[j], f.Owner[i]
		})
		got := f.summary(t)
		must.Need(t, got == want, "in another order:\n%s\nwant\n%s", got, want)
	}
	f.Cell = image.Pt(3*per, 3*per)
	wide := must.Get(Find(parallel.Run{}, &f.Points, DefaultSettings()))(t)
	n := len(f.find(t, DefaultSettings()).Trees)
	must.Hold(t, n >= 3, "trees: got %v, want at least 3", n)
	must.Equal(t, n, len(wide.Trees), "trees")
}

func (f *field) summary(t *testing.T) (text string) {
	found := f.find(t, DefaultSettings())
	for _, o := range append(found.Buildings, found.Trees...) {
		text += fmt.Sprintln(len(o.Points), o.Superpoints, o.Ground, o.Height, f.At[o.Top], o.Area, o.Outline)
	}
	return text
}

// TestMergeOfCrowns: two tops in a row of cells of 1 m are of one tree if they are nearer than the crown
// radius of the lower one, 1.708 m at 10 m of height and 5.312 m at 30 m, or if the saddle is less than a
// tenth below it.
func TestMergeOfCrowns(t *testing.T) {
	for _, c := range []struct {
		height, saddle float64
		distance       int32
		merged         bool
	}{{10, 0, 1, true}, {10, 0, 2, false}, {30, 0, 5, true}, {30, 0, 6, false}, {30, 27.1, 9, true},
		{30, 26.9, 9, false}} {
		view := must.Get(planar.NewView(planar.AllOf(image.Rect(0, 0, 20, 2)), 0))(t)
		canopy := &canopy{grid: grid{View: view}, side: 1, height: make([]float64, 40)}
		canopy.height[3], canopy.height[3+c.distance] = 31, c.height
		tops := arrays.NewForest(40)
		canopy.merge(tops, 3+c.distance, 3, c.saddle)
		must.Equal(t, tops.Root(uint32(3+c.distance)) == 3, c.merged, "%+v: merged", c)
	}
	r := crownRadius(20)
	must.Hold(t, math.Abs(r-3.059515) <= 1e-9, "radius %v m at 20 m", r)
}

// TestGroundOfNone: without points of the ground it is the lowest point of 16 m, in any order of the points.
func TestGroundOfNone(t *testing.T) {
	for _, z := range [][]float64{{5, 2, 9}, {2, 9, 5}, {9, 5, 2}} {
		p := &Points{At: []image.Point{{0, 0}, {100, 100}, {200, 0}}, Z: z, Owner: []int32{0, 0, 0},
			Kind: []Kind{Vegetation},
			Step: [2]float64{0.01, 0.01}}
		ground := must.Get(p.ground())(t)
		must.Equal(t, ground.at(image.Pt(200, 0)), 2, "ground of heights %v", z)
	}
}

// TestTopOfEqualHeights: of points of equal height the top is the southernmost, of these the westernmost, in
// any order of the points.
func TestTopOfEqualHeights(t *testing.T) {
	at := []image.Point{{5, 9}, {9, 2}, {3, 2}, {1, 5}, {3, 1}, {8, 8}}
	z := []float64{7, 7, 7, 7, 6.9, 2}
	const top = 2
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f := &field{Points{Kind: []Kind{Building}, Owner: make([]int32, len(at))}}
		for _, k := range r.Perm(len(at)) {
			f.At, f.Z = append(f.At, at[k].Mul(per)), append(f.Z, z[k])
		}
		f.unit()
		o := &Object{Points: arrays.Indices[uint32](len(at))}
		f.measure(o, must.Get(f.ground())(t))
		must.Equal(t, f.At[o.Top], at[top].Mul(per), "place of the top")
		must.Equal(t, o.Peak, o.Top, "peak")
	}
	q := &Points{At: at, Z: z}
	for i := range at {
		for j := range at {
			if i != j {
				must.Hold(t, q.before(uint32(i), uint32(j)) != q.before(uint32(j), uint32(i)),
					"points %d and %d are in no order", i, j)
			}
		}
	}
}

// TestCornersWithoutPoints has trees and a house on a cross of land, in a raster of several blocks. What is
// found there does not depend on whether there is ground in the four corners.
func TestCornersWithoutPoints(t *testing.T) {
	const all = 1<<4 - 1
	want := crossOfLand(all).summary(t)
	must.Hold(t, strings.Count(want, "\n") >= 5, "objects with ground in all corners: %s", want)
	for corners := range all {
		t.Run(fmt.Sprintf("corners %04b", corners), func(t *testing.T) {
			must.Equal(t, crossOfLand(corners).summary(t), want, "buildings and trees")
		})
	}
}

// crossOfLand is a cross with arms of 200 m, a tree at each of their ends and a house in the middle, and a
// square of ground in those corners whose bit is set.
func crossOfLand(corners int) *field {
	const far, arm = 200, 20
	f := &field{}
	for n, place := range []image.Point{{-far, 0}, {far, 0}, {0, -far}, {0, far}} {
		f.add(0, Ground, place.X-arm, place.Y-arm, 2*arm, level(100))
		crown := cone(float64(place.X), float64(place.Y), 112)
		f.add(int32(2+n), Vegetation, place.X-5, place.Y-5, 11, crown)
	}
	f.add(1, Building, -5, -5, 10, level(106))
	for n, place := range []image.Point{{-far, -far}, {far, -far}, {-far, far}, {far, far}} {
		if corners>>n&1 == 1 {
			f.add(0, Ground, place.X-arm, place.Y-arm, 2*arm, level(100))
		}
	}
	return f
}

// TestScatteredLand has trees and houses on squares of land at random places: what is found there does not
// depend on whether the land between them is level ground or has no points.
func TestScatteredLand(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			places := scattered(rand.New(rand.NewPCG(seed, 3)))
			f := &field{}
			for n, place := range places {
				f.addSquareOfLand(int32(1+n), place)
			}
			apart := f.summary(t)
			must.Equal(t, strings.Count(apart, "\n"), len(places), "objects:\n%s", apart)
			for x := -landReach; x < landReach; x++ {
				for y := -landReach; y < landReach; y++ {
					if !slices.Contains(places, image.Pt(x, y)) {
						f.add(0, Ground, x*landSide, y*landSide, landSide, level(100))
					}
				}
			}
			must.Equal(t, f.summary(t), apart, "with ground between the squares")
		})
	}
}

// Metres of a side of a square of land, and squares from the middle to the border of all land.
const landSide, landReach = 24, 16

// scattered returns 14 different places, four of them in the middles of the borders, so that the rectangle of
// all land is always the same.
func scattered(random *rand.Rand) []image.Point {
	places := []image.Point{{-landReach, 0}, {landReach - 1, 0}, {0, -landReach}, {0, landReach - 1}}
	for len(places) < 14 {
		place := image.Pt(random.IntN(2*landReach)-landReach, random.IntN(2*landReach)-landReach)
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// addSquareOfLand adds a square of ground with a tree in its middle, or a house if the superpoint is even.
func (f *field) addSquareOfLand(owner int32, place image.Point) {
	f.add(0, Ground, place.X*landSide, place.Y*landSide, landSide, level(100))
	middle := place.Mul(landSide).Add(image.Pt(landSide/2, landSide/2))
	if owner%2 == 0 {
		f.add(owner, Building, middle.X-4, middle.Y-4, 8, level(106))
		return
	}
	crown := cone(float64(middle.X), float64(middle.Y), 111)
	f.add(owner, Vegetation, middle.X-4, middle.Y-4, 9, crown)
}
