// SPDX-License-Identifier: BSD-3-Clause

package patch

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

func length(a, b Point) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) }

// grid returns the positions of a grid for which has is true.
func grid(columns, rows int32, has func(x, y int32) bool) (all []Point) {
	for y := range rows {
		for x := range columns {
			if has(x, y) {
				all = append(all, Point{10 * x, 10 * y})
			}
		}
	}
	return all
}

// TestWithin has clouds whose triangles with short edges have a known area.
func TestWithin(t *testing.T) {
	everywhere := func(x, y int32) bool { return true }
	for name, c := range map[string]struct {
		points      []Point
		least, most int64 // area
	}{
		"square":      {grid(5, 5, everywhere), 1600, 1600},
		"repeated":    {append(grid(5, 5, everywhere), grid(5, 5, everywhere)...), 1600, 1600},
		"two squares": {grid(7, 3, func(x, y int32) bool { return x != 3 }), 800, 800},
		// the corners of the yard are cut by one triangle each
		"yard": {grid(6, 6, func(x, y int32) bool { return x < 2 || x > 3 || y < 2 || y > 3 }),
			2500 - 900, 2500 - 700},
	} {
		made := must.Get(Triangulate(c.points))(t)
		twice := int64(0)
		for i, kept := range made.Within(length, 15) {
			if kept {
				twice += Cross(made.At[made.Corner[3*i]], made.At[made.Corner[3*i+1]],
					made.At[made.Corner[3*i+2]])
			}
		}
		must.Hold(t, twice >= 2*c.least,
			"%s: area %v, want at least %v", name, float64(twice)/2, c.least)
		must.Hold(t, twice <= 2*c.most, "%s: area %v, want at most %v", name, float64(twice)/2, c.most)
	}
}

func TestFlatAndFaulty(t *testing.T) {
	for _, points := range [][]Point{nil, {{1, 1}}, {{1, 1}, {1, 1}, {2, 2}},
		{{0, 0}, {5, 5}, {9, 9}, {2, 2}}} {
		_, err := Triangulate(points)
		must.Hold(t, errors.Is(err, ErrFlat), "%v: %v", points, err)
	}
	for _, points := range [][]Point{{{0, 0}, {Limit, 0}, {0, 9}}, {{0, 0}, {0, -1}, {5, 9}}} {
		_, err := Triangulate(points)
		must.Hold(t, err != nil, "%v: no error", points)
		must.Hold(t, !errors.Is(err, ErrFlat), "%v: errors.Is(err, ErrFlat) is true", points)
	}
	made := must.Get(Triangulate(grid(3, 3, func(x, y int32) bool { return true })))(t)
	made.Corner[0], made.Corner[1] = made.Corner[1], made.Corner[0]
	must.Hold(t, made.check() != nil, "a triangle that is turned round passes the check")
}

// TestLargeAndThin triangulates clouds that strain rounding: at the limit of
// positions, on lines, on circles, and almost flat.
func TestLargeAndThin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for name, at := range map[string]func(i int) Point{
		"large": func(int) Point { return Point{random.Int32N(Limit), random.Int32N(Limit)} },
		"lines": func(i int) Point { return Point{int32(i%7) * 4_000_000, int32(i) * 10_000} },
		"slope": func(i int) Point { x := random.Int32N(Limit / 2); return Point{x, x + random.Int32N(2)} },
		"circle": func(i int) Point {
			s, c := math.Sincos(float64(i))
			return Point{int32(1e7 * (1 + s)), int32(1e7 * (1 + c))}
		},
		"flat": func(int) Point { return Point{random.Int32N(Limit), random.Int32N(2)} },
	} {
		points := make([]Point, 2000)
		for i := range points {
			points[i] = at(i)
		}
		_, err := Triangulate(points)
		must.Hold(t, err == nil, "%s: %v", name, err)
	}
}
