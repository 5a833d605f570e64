package patch

import "testing"

// valid fails the test unless polygons are valid and fill the kept triangles:
// rings are simple, turn the right way, share single points at most, holes lie
// in their outer ring, and the areas agree.
func valid(t *testing.T, made *Triangulation, kept []bool, all []Polygon) {
	t.Helper()
	want, got := int64(0), int64(0)
	for i, k := range kept {
		if k {
			want += cross(made.At[made.Corner[3*i]], made.At[made.Corner[3*i+1]], made.At[made.Corner[3*i+2]])
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

// overlap tells whether two segments cross, or have more than a point in common.
func overlap(a, b, c, d Point) bool {
	sign := func(v int64) int { return min(1, int(max(v, -1))) }
	ac, ad, ca, cb := sign(cross(a, b, c)), sign(cross(a, b, d)), sign(cross(c, d, a)), sign(cross(c, d, b))
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

// between tells whether p lies on the segment from a to b, ends included.
func between(p, a, b Point) bool {
	return cross(a, b, p) == 0 && min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y &&
		p.Y <= max(a.Y, b.Y)
}

func strictly(p, a, b Point) bool { return between(p, a, b) && p != a && p != b }

// inside tells whether a ring lies in another, which it may touch in points:
// some corner is strictly inside, or all are on it.
func inside(hole, outer Ring) bool {
	for _, p := range hole {
		odd, on := false, false
		for i := range outer {
			a, b := outer[i], outer[(i+1)%len(outer)]
			on = on || between(p, a, b)
			if (a.Y > p.Y) != (b.Y > p.Y) && (cross(a, b, p) > 0) == (b.Y > a.Y) {
				odd = !odd
			}
		}
		if !on {
			return odd
		}
	}
	return true
}
