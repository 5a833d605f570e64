// SPDX-License-Identifier: BSD-3-Clause

package scenes

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

func scene(t testing.TB, name string, seed uint64) Scene {
	t.Helper()
	return must.Get(New(name, Options{Seed: seed, Detail: .05}))(t)
}

// TestBlocksStay compares blocks with the digests of blocks.txt: recipes, cells and hashes of runs rest on
// their scans, so no block may change. A new scene has a new line.
func TestBlocksStay(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(10) {
		for _, name := range Names() {
			o := Options{Seed: seed, Detail: .05, Water: seed == 1, Relief: float64(seed)}
			// these have a kind of ground for each seed, but refuse the first one's water
			kinds := map[string]uint64{"dry": 10, "rock": 7}[name]
			if seed > 2 && seed >= kinds {
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
					write(c.Mesh.Triangles, c.Mesh.Of, c.Mesh.Parts, c.X, c.Y, c.Z, c.Scale, c.Turn,
						c.Object, c.Tint)
				}
			}
			fmt.Fprintf(&all, "%s %d %x\n", name, seed, digest.Sum(nil)[:8])
		}
	}
	must.Equal(t, all.String(), string(must.Get(os.ReadFile("blocks.txt"))(t)), "blocks.txt")
}

// TestRefusals: unknown scenes, and options that a scene does not have.
func TestRefusals(t *testing.T) {
	for name, o := range map[string]Options{"castle": {}, "field": {Detail: 2}, "forest": {Relief: -1},
		"room": {Water: true}} {
		must.Fail(New(name, o))(t)
	}
}

// farCorner returns a corner of a mesh with a coordinate that is NaN or beyond ±200, and whether there is
// one.
func farCorner(m *Mesh) (corner [3]float32, far bool) {
	for _, triangle := range m.Triangles {
		for _, corner := range triangle {
			for _, v := range corner {
				near := v >= -200 && v <= 200 // false for NaN
				if !near {
					return corner, true
				}
			}
		}
	}
	return corner, false
}

func TestObjectsOfBlocks(t *testing.T) {
	for _, name := range Names() {
		s := scene(t, name, 3)
		classes := map[uint8]int{}
		for k := range 40 {
			b := s.Block(k%8-4, k/8-2)
			must.Hold(t, b.Locals <= Locals(s),
				"%s: block %d has %d objects, at most %d are allowed", name, k, b.Locals, Locals(s))
			classOf := map[uint16]uint8{}
			note := func(object uint16, class uint8) {
				classes[class]++
				old, ok := classOf[object]
				if ok {
					must.Hold(t, old == class,
						"%s: object %d is of class %d and %d: old is not class", name, object, old, class)
				}
				classOf[object] = class
				must.Hold(t, object != 0, "%s: object is 0", name)
				must.Hold(t, int(object) < FirstLocal+b.Locals,
					"%s: object is %v, want less than %v", name, int(object), FirstLocal+b.Locals)
			}
			for _, p := range b.Mesh.Parts {
				note(p.Object, p.Class)
			}
			for _, c := range b.Copies {
				note(c.Object, c.Mesh.Parts[0].Class)
			}
			if corner, far := farCorner(b.Mesh); far {
				t.Fatalf("%s: corner %v, want numbers from -200 to 200", name, corner)
			}
		}
		want := map[string][]uint8{
			"village": {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem},
			"field":   {Ground, LowPlant, Bush, Tree, Building, WireClass, Tower, OtherItem},
			"street":  {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem, WireClass},
			"facade": {Ground, Bush, Tree, Building, Car, Fence, Pole, OtherItem, WireClass,
				Window, Door},
			"forest":       {Ground, LowPlant, Bush, Tree, OtherItem},
			"construction": {Ground, Tree, Building, Car, Fence, Pole, OtherItem, Tower},
			"dry":          {Ground},
			"rock":         {Ground, Bush, Tree, WaterClass},
			"oldtown":      {Ground, Bush, Tree, Building},
			"home": {Ceiling, Floor, Wall, Window, Door, Table, Chair, Sofa, Bookcase, Board,
				Clutter, LampClass},
			"workshop": {Ceiling, Floor, Wall, Table, Chair, Bookcase, Board, Clutter, LampClass},
			"table":    {Floor, Wall, Table, Clutter},
			"room": {Ceiling, Floor, Wall, Window, Door, Table, Chair, Bookcase, Board,
				Clutter, LampClass},
		}[name]
		for _, c := range want {
			must.Hold(t, classes[c] != 0, "%s: nothing of class %d in 40 blocks", name, c)
		}
	}
}
