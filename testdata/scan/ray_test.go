// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"context"
	"math"
	"testing"

	"superpoint/testdata/scenes"
)

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// TestTraceAgainstEveryTriangle compares the hierarchy with a loop over all triangles.
func TestTraceAgainstEveryTriangle(t *testing.T) {
	r := scenes.Random(1)
	point := func(size float64) [3]float32 {
		return [3]float32{float32(r.Normal() * size), float32(r.Normal() * size), float32(r.Normal() * size)}
	}
	for _, n := range []int{1, 2, 5, 300} {
		m := &scenes.Mesh{Parts: []scenes.Part{{}}}
		for range n {
			a := point(3)
			b, c := point(1), point(1)
			m.Triangles = append(m.Triangles, [3][3]float32{a, add(a, b), add(a, c)})
			m.Of = append(m.Of, 0)
		}
		if n == 5 { // all at one position
			for i := range m.Triangles {
				m.Triangles[i] = m.Triangles[0]
			}
		}
		s := newSolid(m)
		hits := 0
		for range 500 {
			ray := newRay(point(8), sub([3]float32{}, point(1)), 0)
			want := hit{t: 100, item: -1}
			for k := range s.triangles {
				if d, ok := s.triangles[k].crossed(&ray, want.t); ok {
					want = hit{d, 7, int32(k)}
				}
			}
			got := hit{t: 100, item: -1}
			s.trace(&ray, 7, &got)
			if got.t != want.t || got.item != want.item {
				t.Fatalf("%d triangles: hit %+v, want %+v", n, got, want)
			}
			if got.item >= 0 {
				hits++
			}
		}
		if n == 300 && hits < 20 {
			t.Errorf("only %d of 500 rays hit 300 triangles", hits)
		}
	}
}

// TestParallelogram compares two triangles with the primitive that replaces them.
func TestParallelogram(t *testing.T) {
	m := &scenes.Mesh{Parts: []scenes.Part{{}}, Of: []uint16{0, 0}}
	m.Triangles = pair(corner(0, 0, 0), corner(2, 0, 0), corner(3, 1, 1), corner(1, 1, 1))
	one := newSolid(m)
	m.Of[1], m.Parts = 1, append(m.Parts, scenes.Part{})
	two := newSolid(m)
	if len(one.triangles) != 1 || len(two.triangles) != 2 {
		t.Fatalf("%d and %d primitives, want 1 and 2", len(one.triangles), len(two.triangles))
	}
	for x := -.53; x < 3.5; x += .1 {
		for y := -.51; y < 1.5; y += .1 {
			ray := newRay([3]float32{float32(x), float32(y), 5}, [3]float32{0, 0, -1}, 0)
			a, b := hit{t: 10, item: -1}, hit{t: 10, item: -1}
			one.trace(&ray, 0, &a)
			two.trace(&ray, 0, &b)
			if a.item != b.item || math.Abs(float64(a.t-b.t)) > 1e-5 {
				t.Fatalf("ray at (%.2f, %.2f): %+v and %+v", x, y, a, b)
			}
		}
	}
}

// TestCopyIsTracedInPlace: a ray hits a turned, scaled and shifted copy of a triangle.
func TestCopyIsTracedInPlace(t *testing.T) {
	m := &scenes.Mesh{Parts: []scenes.Part{{}}, Of: []uint16{0},
		Triangles: [][3][3]float32{{{1, -1, 0}, {1, 1, 0}, {1, 0, 2}}}}
	b := &block{newSolid(&scenes.Mesh{}),
		&scenes.Block{Copies: []scenes.Copy{{Mesh: m, X: 10, Y: 20, Z: 30, Scale: 2, Turn: math.Pi / 2,
			Tint: [3]float32{1, 1, 1}}}}}
	w := newWorld(plane{}, Options{Mode: Aerial})
	s := &site{}
	s.place(w, b, place{}, 100, 0)
	s.nodes, s.order = grow([]box{s.items[0].container}, 1)
	// the triangle x = 1 becomes y = 22 about x = 110, from height 30 to 34
	ray := newRay([3]float32{110, 0, 31}, [3]float32{0, 1, 0}, 0)
	if h := s.trace(&ray, 1000); h.item != 0 || math.Abs(float64(h.t)-22) > 1e-4 {
		t.Errorf("hit %+v, want item 0 at 22", h)
	}
	ray = newRay([3]float32{110, 0, 34.1}, [3]float32{0, 1, 0}, 0)
	if h := s.trace(&ray, 1000); h.item >= 0 {
		t.Errorf("hit %+v above the triangle", h)
	}
}
