// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/testdata/must"
)

func scene(t testing.TB, name string, seed uint64) Scene {
	t.Helper()
	return must.Get(New(name, Options{Seed: seed, Detail: .05}))(t)
}

func TestBlocksDependOnSeedAndPosition(t *testing.T) {
	for _, name := range Names() {
		a, b := scene(t, name, 1), scene(t, name, 1)
		if !reflect.DeepEqual(a.Block(3, -2).Mesh, b.Block(3, -2).Mesh) {
			t.Errorf("%s: a block differs when it is computed again", name)
		}
		if reflect.DeepEqual(a.Block(3, -2).Mesh, a.Block(4, -2).Mesh) ||
			reflect.DeepEqual(a.Block(3, -2).Mesh, scene(t, name, 2).Block(3, -2).Mesh) {
			t.Errorf("%s: another block or seed has the same mesh", name)
		}
	}
}

// edge returns the corners of the ground at which a coordinate has a value, with that
// coordinate set to 0.
func edge(b *Block, axis int, value float64) [][3]float32 {
	var list [][3]float32
	for i, tr := range b.Mesh.Triangles {
		if b.Mesh.Parts[b.Mesh.Of[i]].Class != Ground {
			continue
		}
		for _, p := range tr {
			if p[axis] == float32(value) {
				p[axis] = 0
				list = append(list, p)
			}
		}
	}
	slices.SortFunc(list, func(a, b [3]float32) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

func TestGroundMeetsWithoutSeams(t *testing.T) {
	for _, name := range []string{"village", "field", "street", "forest", "dry"} {
		s := scene(t, name, 5)
		dx, dy := s.Size()
		for i := -2; i < 2; i++ {
			for j := -2; j < 2; j++ {
				here := s.Block(i, j)
				for axis, other := range []*Block{s.Block(i+1, j), s.Block(i, j+1)} {
					a, b := edge(here, axis, [2]float64{dx, dy}[axis]), edge(other, axis, 0)
					if len(a) < 3 || len(a) != len(b) {
						t.Fatalf("%s block %d,%d axis %d: %d corners meet %d", name, i, j, axis, len(a), len(b))
					}
					for k := range a {
						if d := math.Abs(float64(a[k][2] - b[k][2])); d > 1e-3 || math.Abs(float64(a[k][1-axis]-b[k][1-axis])) > 1e-4 {
							t.Fatalf("%s block %d,%d axis %d: corner %v meets %v", name, i, j, axis, a[k], b[k])
						}
					}
				}
			}
		}
	}
}

func TestObjectsOfBlocks(t *testing.T) {
	for _, name := range Names() {
		s := scene(t, name, 3)
		classes := map[uint8]int{}
		for k := range 40 {
			b := s.Block(k%8-4, k/8-2)
			if b.Locals > Locals(s) {
				t.Errorf("%s: block %d has %d objects, at most %d are allowed", name, k, b.Locals, Locals(s))
			}
			classOf := map[uint16]uint8{}
			note := func(object uint16, class uint8) {
				classes[class]++
				if old, ok := classOf[object]; ok && old != class {
					t.Errorf("%s: object %d is of class %d and %d", name, object, old, class)
				}
				classOf[object] = class
				if object == 0 || int(object) >= FirstLocal+b.Locals {
					t.Errorf("%s: object %d of a block with %d", name, object, b.Locals)
				}
			}
			for _, p := range b.Mesh.Parts {
				note(p.Object, p.Class)
			}
			for _, c := range b.Copies {
				note(c.Object, c.Mesh.Parts[0].Class)
			}
			for _, tr := range b.Mesh.Triangles {
				for _, p := range tr {
					for _, v := range p {
						if math.IsNaN(float64(v)) || math.Abs(float64(v)) > 200 {
							t.Fatalf("%s: corner %v", name, p)
						}
					}
				}
			}
		}
		want := map[string][]uint8{
			"village":      {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem},
			"field":        {Ground, LowPlant, Bush, Tree, Building, WireClass, Tower, OtherItem},
			"street":       {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem, WireClass},
			"facade":       {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem, WireClass, Window, Door},
			"forest":       {Ground, LowPlant, Bush, Tree, OtherItem},
			"construction": {Ground, Tree, Building, Car, Fence, Pole, OtherItem, Tower},
			"dry":          {Ground},
			"home":         {Ceiling, Floor, Wall, Window, Door, Table, Chair, Sofa, Bookcase, Board, Clutter, LampClass},
			"table":        {Floor, Wall, Table, Clutter},
			"room":         {Ceiling, Floor, Wall, Window, Door, Table, Chair, Bookcase, Board, Clutter, LampClass},
		}[name]
		for _, c := range want {
			if classes[c] == 0 {
				t.Errorf("%s: nothing of class %d in 40 blocks", name, c)
			}
		}
	}
}

func TestWiresAreConnectedAcrossBlocks(t *testing.T) {
	s := scene(t, "field", 1).(*field)
	ends := func(b *Block, object uint16, x float32) (z []float32) {
		for i, tr := range b.Mesh.Triangles {
			if b.Mesh.Parts[b.Mesh.Of[i]].Object != object {
				continue
			}
			for _, p := range tr {
				if math.Abs(float64(p[0]-x)) < .1 {
					z = append(z, p[2])
				}
			}
		}
		return z
	}
	for i := range 3 {
		a, b := ends(s.Block(i, 0), firstWire, fieldSize), ends(s.Block(i+1, 0), firstWire, 0)
		if len(a) == 0 || len(b) == 0 || math.Abs(float64(slices.Max(a)-slices.Max(b))) > .02 {
			t.Errorf("wire at the end of block %d: heights %v and %v", i, a, b)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, o := range map[string]Options{"castle": {}, "field": {Detail: 2}} {
		if _, err := New(name, o); err == nil {
			t.Errorf("scene %q with %+v was accepted", name, o)
		}
	}
}

func TestRandomNumbers(t *testing.T) {
	r := Random(1)
	var sum, square, within float64
	const n = 100_000
	for range n {
		v := r.Normal()
		sum, square = sum+v, square+v*v
		if math.Abs(v) < 1 {
			within++
		}
	}
	if math.Abs(sum/n) > .01 || math.Abs(square/n-1) > .02 || math.Abs(within/n-.683) > .02 {
		t.Errorf("mean %.3f, variance %.3f, share within 1 %.3f", sum/n, square/n, within/n)
	}
	for range 1000 {
		x, y := r.Between(-50, 50), r.Between(-50, 50)
		if v, w := Noise(7, x, y), Noise(7, x+1e-4, y); math.Abs(v) > 1 || math.Abs(v-w) > 1e-3 {
			t.Fatalf("noise %g and %g at a distance of 0.0001", v, w)
		}
	}
}

// TestObjectsAreConnected: the triangles of every object of a block are one connected component
// if those whose boxes are within 16 cm of each other are connected. Plants, whose leaves do
// not touch, are left out.
func TestObjectsAreConnected(t *testing.T) {
	for _, name := range Names() {
		s := scene(t, name, 4)
		for k := range 12 {
			b := s.Block(k%4, k/4-1)
			of := map[uint16][]extent{}
			class := map[uint16]uint8{}
			for i, tr := range b.Mesh.Triangles {
				p := b.Mesh.Parts[b.Mesh.Of[i]]
				if p.Object >= FirstLocal && p.Class != Tree && p.Class != Bush && p.Class != LowPlant && p.Material != Leaf {
					of[p.Object] = append(of[p.Object], around(tr, .08))
					class[p.Object] = p.Class
				}
			}
			for object, boxes := range of {
				if n := pieces(boxes); n != 1 {
					t.Errorf("%s, block %d: object %d of class %d has %d connected components", name, k, object, class[object], n)
				}
			}
		}
	}
}

type extent struct{ low, high [3]float32 }

// around returns the box of a triangle with a margin.
func around(tr [3][3]float32, margin float32) extent {
	e := extent{tr[0], tr[0]}
	for _, p := range tr {
		for a := range 3 {
			e.low[a], e.high[a] = min(e.low[a], p[a]), max(e.high[a], p[a])
		}
	}
	for a := range 3 {
		e.low[a] -= margin
		e.high[a] += margin
	}
	return e
}

// pieces returns the number of connected components of overlapping boxes.
func pieces(boxes []extent) int {
	slices.SortFunc(boxes, func(a, b extent) int { return cmp.Compare(a.low[0], b.low[0]) })
	groups := arrays.NewForest(len(boxes))
	for i := range boxes {
		for j := i + 1; j < len(boxes) && boxes[j].low[0] <= boxes[i].high[0]; j++ {
			a, b := &boxes[i], &boxes[j]
			if a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2] {
				groups.Join(uint32(i), uint32(j))
			}
		}
	}
	_, n := groups.Number()
	return n
}

// TestRelief has hills three times as high, without and with water.
func TestRelief(t *testing.T) {
	for _, water := range []bool{false, true} {
		height := func(relief float64) float64 {
			low, top := math.Inf(1), math.Inf(-1)
			s := must.Get(New("field", Options{Seed: 3, Detail: .05, Water: water, Relief: relief}))(t)
			for k := range 9 {
				b := s.Block(k%3, k/3)
				for i, tr := range b.Mesh.Triangles {
					if b.Mesh.Parts[b.Mesh.Of[i]].Class == Ground {
						low, top = min(low, float64(tr[0][2])), max(top, float64(tr[0][2]))
					}
				}
			}
			return top - low
		}
		one, three := height(1), height(3)
		if height(0) != one || three < 2*one || !water && math.Abs(three-3*one) > .01*three {
			t.Errorf("water %v: the ground rises by %g m, by %g m with three times the relief", water, one, three)
		}
	}
	must.Fail(New("field", Options{Relief: -1}))(t, "above 0")
}
