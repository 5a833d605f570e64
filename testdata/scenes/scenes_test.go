// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/testdata/must"
)

func scene(t testing.TB, name string, seed uint64) Scene {
	t.Helper()
	return must.Get(New(name, Options{Seed: seed, Detail: .05}))(t)
}

// TestBlocksStay compares blocks with the digests of blocks.txt: recipes, cells and hashes of runs rest on their scans,
// so no block may change. A new scene has a new line.
func TestBlocksStay(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(10) {
		for _, name := range Names() {
			o := Options{Seed: seed, Detail: .05, Water: seed == 1, Relief: float64(seed)}
			if seed > 2 && name != "dry" { // which has ten kinds of ground
				continue
			}
			s, err := New(name, o)
			if err != nil {
				must.Fail(s, err)(t, "no water in the scene")
				continue
			}
			digest := sha256.New()
			write := func(values ...any) {
				for _, v := range values {
					must.OK(t, binary.Write(digest, binary.LittleEndian, v))
				}
			}
			for k := range 12 {
				b := s.Block(k%4-1, k/4-1)
				write(b.Mesh.Triangles, b.Mesh.Of, b.Mesh.Parts)
				for _, c := range b.Copies {
					write(c.Mesh.Triangles, c.Mesh.Of, c.Mesh.Parts, c.X, c.Y, c.Z, c.Scale, c.Turn, c.Object, c.Tint)
				}
			}
			fmt.Fprintf(&all, "%s %d %x\n", name, seed, digest.Sum(nil)[:8])
		}
	}
	if want := must.Get(os.ReadFile("blocks.txt"))(t); all.String() != string(want) {
		t.Errorf("blocks.txt has\n%s\nnow\n%s", want, all.String())
	}
}

// TestRefusals: unknown scenes, and options that a scene does not have.
func TestRefusals(t *testing.T) {
	for name, o := range map[string]Options{"castle": {}, "field": {Detail: 2}, "forest": {Relief: -1},
		"room": {Water: true}} {
		must.Fail(New(name, o))(t)
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
