// SPDX-License-Identifier: BSD-3-Clause

package patch

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
	shapes "superpoint/testdata/polygons"
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

func polygons(t *testing.T, points []Point, most float64) []Polygon {
	t.Helper()
	made := must.Get(Triangulate(points))(t)
	kept := made.Within(length, most)
	all := made.Polygons(kept)
	valid(t, made, kept, all)
	return all
}

func TestShapesByHand(t *testing.T) {
	everywhere := func(x, y int32) bool { return true }
	for name, c := range map[string]struct {
		points []Point
		most   float64
		want   string
		area   float64
	}{
		"square": {grid(5, 5, everywhere), 15, "[[[{0 0} {40 0} {40 40} {0 40}]]]", 1600},
		"repeated": {append(grid(5, 5, everywhere), grid(5, 5, everywhere)...), 15, "[[[{0 0} {40 0} {40 40} {0 40}]]]",
			1600},
		"two squares": {grid(7, 3, func(x, y int32) bool { return x != 3 }), 15,
			"[[[{0 0} {20 0} {20 20} {0 20}]] [[{40 0} {60 0} {60 20} {40 20}]]]", 800},
		"yard": {grid(6, 6, func(x, y int32) bool { return x < 2 || x > 3 || y < 2 || y > 3 }), 15,
			"[[[{0 0} {50 0} {50 50} {0 50}] [{10 10} {10 40} {40 40} {40 10}]]]", 2500 - 900},
	} {
		all := polygons(t, c.points, c.most)
		sum := int64(0)
		for _, p := range all {
			sum += p.Area2()
		}
		if name == "yard" { // the corners of the yard are cut by one triangle each
			if len(all) != 1 || len(all[0]) != 2 || float64(sum)/2 < c.area || float64(sum)/2 > c.area+200 {
				t.Errorf("%s: %v", name, all)
			}
			continue
		}
		if got := fmt.Sprint(all); got != c.want || float64(sum)/2 != c.area {
			t.Errorf("%s: %s with area %v, want %s with area %v", name, got, float64(sum)/2, c.want, c.area)
		}
	}
}

// TestPartsThatTouch has two squares of one triangle pair each that share a
// corner: two polygons, not one with a ring that meets itself.
func TestPartsThatTouch(t *testing.T) {
	made := must.Get(Triangulate(grid(3, 3, func(x, y int32) bool { return true })))(t)
	within := func(lo, hi float64) []bool {
		kept := make([]bool, len(made.Corner)/3)
		for i := range kept {
			x := float64(made.At[made.Corner[3*i]].X+made.At[made.Corner[3*i+1]].X+made.At[made.Corner[3*i+2]].X) / 3
			y := float64(made.At[made.Corner[3*i]].Y+made.At[made.Corner[3*i+1]].Y+made.At[made.Corner[3*i+2]].Y) / 3
			kept[i] = (x < 10) == (y < 10) && x > lo && x < hi
		}
		return kept
	}
	kept := within(0, 20)
	all := made.Polygons(kept)
	valid(t, made, kept, all)
	if len(all) != 2 || all[0].Area2() != 200 || all[1].Area2() != 200 {
		t.Errorf("%v", all)
	}
}

func TestFlatAndFaulty(t *testing.T) {
	for _, points := range [][]Point{nil, {{1, 1}}, {{1, 1}, {1, 1}, {2, 2}}, {{0, 0}, {5, 5}, {9, 9}, {2, 2}}} {
		if _, err := Triangulate(points); !errors.Is(err, ErrFlat) {
			t.Errorf("%v: %v", points, err)
		}
	}
	for _, points := range [][]Point{{{0, 0}, {Limit, 0}, {0, 9}}, {{0, 0}, {0, -1}, {5, 9}}} {
		if _, err := Triangulate(points); err == nil || errors.Is(err, ErrFlat) {
			t.Errorf("%v: %v", points, err)
		}
	}
	made := must.Get(Triangulate(grid(3, 3, func(x, y int32) bool { return true })))(t)
	made.Corner[0], made.Corner[1] = made.Corner[1], made.Corner[0]
	if made.check() == nil {
		t.Error("a triangle that is turned round passes the check")
	}
}

// TestAnyTrianglesGiveValidPolygons keeps triangles at random, which makes
// every kind of contact.
func TestAnyTrianglesGiveValidPolygons(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var points []Point
		side := int32(3 + random.IntN(6))
		if random.IntN(2) == 0 {
			points = grid(side, side, func(x, y int32) bool { return true })
		} else {
			for range side * side {
				points = append(points, Point{random.Int32N(60), random.Int32N(60)})
			}
		}
		made := must.Get(Triangulate(points))(t)
		kept := make([]bool, len(made.Corner)/3)
		share := random.Float64()
		for i := range kept {
			kept[i] = random.Float64() < share
		}
		valid(t, made, kept, made.Polygons(kept))
	}
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
		if _, err := Triangulate(points); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkTriangulate(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 8))
	points := make([]Point, 100_000)
	for i := range points {
		points[i] = Point{random.Int32N(100_000), random.Int32N(100_000)}
	}
	for b.Loop() {
		t := must.Get(Triangulate(points))(b)
		t.Polygons(t.Within(length, 1000))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/point")
}

// valid fails the test unless polygons are valid and have the area of the kept triangles.
func valid(t *testing.T, made *Triangulation, kept []bool, all []Polygon) {
	t.Helper()
	shapes.Valid(t, all)
	want, got := int64(0), int64(0)
	for i, k := range kept {
		if k {
			want += Cross(made.At[made.Corner[3*i]], made.At[made.Corner[3*i+1]], made.At[made.Corner[3*i+2]])
		}
	}
	for _, p := range all {
		got += p.Area2()
	}
	if got != want {
		t.Fatalf("polygons of twice %d, kept triangles of twice %d", got, want)
	}
}
