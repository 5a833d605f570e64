package patch

import (
	"errors"
	"fmt"
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

// valid fails the test unless polygons are valid and fill the kept triangles:
// rings are simple, turn the right way, share single points at most, holes lie
// in their outer ring, and the areas agree.
func valid(t *testing.T, made *Triangulation, kept []bool, all []Polygon) {
	t.Helper()
	want, got := int64(0), int64(0)
	for i, k := range kept {
		if k {
			want += Cross(made.At[made.Corner[3*i]], made.At[made.Corner[3*i+1]], made.At[made.Corner[3*i+2]])
		}
	}
	var rings []Ring
	for _, p := range all {
		got += p.Area2()
		for k, r := range p {
			rings = append(rings, r)
			if len(r) < 3 || (r.Area2() > 0) != (k == 0) {
				t.Fatalf("ring %d of %v turns the wrong way", k, p)
			}
			if k > 0 && !inside(r, p[0]) {
				t.Fatalf("hole %v is not in %v", r, p[0])
			}
		}
	}
	if got != want {
		t.Fatalf("polygons of twice %d, kept triangles of twice %d", got, want)
	}
	for i, r := range rings {
		simple(t, r)
		for _, s := range rings[:i] {
			for a := range r {
				for b := range s {
					if overlap(r[a], r[(a+1)%len(r)], s[b], s[(b+1)%len(s)]) {
						t.Fatalf("%v crosses %v", r, s)
					}
				}
			}
		}
	}
}

// simple fails the test if a ring meets itself.
func simple(t *testing.T, r Ring) {
	t.Helper()
	n := len(r)
	for i := range n {
		for j := range i {
			if r[i] == r[j] {
				t.Fatalf("%v visits %v twice", r, r[i])
			}
			beside := j == i-1 || i == n-1 && j == 0
			a, b, c, d := r[i], r[(i+1)%n], r[j], r[(j+1)%n]
			if overlap(a, b, c, d) || !beside && (between(a, c, d) || between(b, c, d) || between(c, a, b) || between(d, a, b)) {
				t.Fatalf("%v meets itself at %v–%v and %v–%v", r, a, b, c, d)
			}
		}
	}
}

// overlap reports whether two segments cross, or have more than a point in common.
func overlap(a, b, c, d Point) bool {
	sign := func(v int64) int { return min(1, int(max(v, -1))) }
	ac, ad, ca, cb := sign(Cross(a, b, c)), sign(Cross(a, b, d)), sign(Cross(c, d, a)), sign(Cross(c, d, b))
	if ac == 0 && ad == 0 { // on one line: the inner two of the four ends span what they share
		n := 0
		for _, in := range []bool{strictly(a, c, d), strictly(b, c, d), strictly(c, a, b), strictly(d, a, b)} {
			if in {
				n++
			}
		}
		return n > 0 || a == c && b == d || a == d && b == c
	}
	return ac*ad < 0 && ca*cb < 0
}

// between reports whether p lies on the segment from a to b, ends included.
func between(p, a, b Point) bool {
	return Cross(a, b, p) == 0 && min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y &&
		p.Y <= max(a.Y, b.Y)
}

func strictly(p, a, b Point) bool { return between(p, a, b) && p != a && p != b }

// inside reports whether a ring lies in another, which it may touch in points:
// some corner is strictly inside, or all are on it.
func inside(hole, outer Ring) bool {
	for _, p := range hole {
		odd, on := false, false
		for i := range outer {
			a, b := outer[i], outer[(i+1)%len(outer)]
			on = on || between(p, a, b)
			if (a.Y > p.Y) != (b.Y > p.Y) && (Cross(a, b, p) > 0) == (b.Y > a.Y) {
				odd = !odd
			}
		}
		if !on {
			return odd
		}
	}
	return true
}
