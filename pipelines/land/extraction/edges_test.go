// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// TestShortWalls: steps and cut corners below a length go, and right angles stay.
func TestShortWalls(t *testing.T) {
	for name, c := range map[string]struct {
		ring  ring
		least float64
		want  ring
	}{
		"none short": {ring{{0, 0}, {9, 0}, {9, 5}, {4, 5}, {4, 8}, {0, 8}}, 2,
			ring{{0, 0}, {9, 0}, {9, 5}, {4, 5}, {4, 8}, {0, 8}}},
		"a step between parallel walls": {ring{{0, 0}, {9, 0}, {9, 5}, {3, 5}, {3, 6}, {0, 6}}, 2,
			ring{{0, 0}, {9, 0}, {9, 5}, {0, 5}}},
		"a corner that is cut off": {ring{{0, 0}, {8, 0}, {9, 1}, {9, 6}, {0, 6}}, 2,
			ring{{0, 0}, {9, 0}, {9, 6}, {0, 6}}},
		"a rectangle is kept": {ring{{0, 0}, {9, 0}, {9, 1}, {0, 1}}, 2,
			ring{{0, 0}, {9, 0}, {9, 1}, {0, 1}}},
	} {
		got := c.ring.withoutShort(c.least, c.ring)
		must.Need(t, len(got) == len(c.want), "%s: %v, want %v", name, got, c.want)
		for _, p := range c.want {
			nearest := math.Inf(1)
			for _, q := range got {
				nearest = min(nearest, distance(p, q))
			}
			must.Hold(t, nearest < 1e-9, "%s: no corner at %v in %v", name, p, got)
		}
	}
}

// TestShortWallsOfBends: along bends, where every wall is short, no corner ends far from the border.
func TestShortWallsOfBends(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for bend := range 200 {
		border := jagged(random, 20+random.IntN(200))
		walls := border.withoutShort(1+4*random.Float64(), border)
		for _, p := range walls {
			must.Need(t, border.far(p) <= reach, "bend %d: the corner at %v is %v cells from the border",
				bend, p, border.far(p))
		}
	}
}

// jagged returns a ring of some corners around the origin.
func jagged(random *rand.Rand, corners int) (made ring) {
	for k := range corners {
		angle := 2 * math.Pi * float64(k) / float64(corners)
		radius := float64(corners)/6 + 2*random.Float64()
		made = append(made, [2]float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	return made
}

// TestSmallHoles: a hole below MinHole is filled, a larger one stays.
func TestSmallHoles(t *testing.T) {
	for least, holes := range map[float64]int{0: 1, 25: 1, 100: 0} {
		f := &field{}
		f.add(0, Ground, -40, -40, 80, level(100))
		f.add(1, Building, -10, -10, 20, level(106))
		f.removeFrom(1, image.Rect(-4, -4, 4, 4))
		s := DefaultSettings()
		s.MinHole = least
		found := f.find(t, s)
		must.Need(t, len(found.Buildings) == 1, "%d buildings, want 1", len(found.Buildings))
		must.Equal(t, len(found.Buildings[0].Outline[0])-1, holes, "holes with MinHole %v", least)
	}
}

// removeFrom takes the points in a rectangle, in metres, out of a superpoint.
func (f *field) removeFrom(owner int32, hole image.Rectangle) {
	for i, at := range f.At {
		if f.Owner[i] == owner && at.Div(per).In(hole) {
			f.Owner[i] = 0
			f.Z[i] = 100
		}
	}
}

// TestStraightBorder: a building that scan lines cut off with notches has a straight edge there, not where
// another tile follows, and none that reaches over the ground beside it.
func TestStraightBorder(t *testing.T) {
	extent := image.Rect(-30*per, 0, 30*per+1, 40*per+1)
	beyond := image.Rect(-30*per, -40*per, 30*per+1, 0)
	for name, c := range map[string]struct {
		tiles    []image.Rectangle
		ground   bool // in the notches
		straight bool
	}{
		"notches at the border": {[]image.Rectangle{extent}, false, true},
		"another tile beyond":   {[]image.Rectangle{extent, beyond}, false, false},
		"ground in the notches": {[]image.Rectangle{extent}, true, false},
		"no known extent":       {nil, false, false},
	} {
		f := &field{}
		f.Tiles = c.tiles
		f.add(0, Ground, -30, 20, 20, level(100))
		f.add(1, Building, -10, 0, 20, level(106))
		var kept field
		kept.Kind = f.Kind
		kept.Tiles = c.tiles
		for i, at := range f.At {
			inNotch := f.Owner[i] == 1 && at.X/per >= -4 && at.X/per < 4 && at.Y/per < 3
			if inNotch && !c.ground {
				continue
			}
			owner, z := f.Owner[i], f.Z[i]
			if inNotch {
				owner, z = 0, 100
			}
			kept.At = append(kept.At, at)
			kept.Z = append(kept.Z, z)
			kept.Owner = append(kept.Owner, owner)
		}
		found := kept.find(t, DefaultSettings())
		must.Need(t, len(found.Buildings) == 1, "%s: %d buildings, want 1", name, len(found.Buildings))
		outline := found.Buildings[0].Outline[0][0]
		must.Equal(t, len(outline) == 4, c.straight, "%s: four corners of %v", name, outline)
	}
}

// TestSparseBuildings: where points are sparse, a building needs as many points as the smallest area has.
func TestSparseBuildings(t *testing.T) {
	p := &Points{}
	s := DefaultSettings()
	for spacing, want := range map[float64]int{0.2: 10, 1: 10, 1.2: 6, 1.9: 4, 5: 4} {
		p.Spacing = spacing
		must.Equal(t, p.fewest(s), want, "points of a building at a spacing of %v m", spacing)
	}
}
