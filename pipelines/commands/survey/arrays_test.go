// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/files/las"
	"superpoint/testdata/must"
)

func TestArraysOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arrays")
	long := make([]uint32, arrayBlock+7)
	for i := range long {
		long[i] = uint32(i * i)
	}
	a, b, c := []float32{1, -2.5, 3}, []bool{true, false, true}, []uint64{}
	must.Get(writeArrays(path, []any{&a, &long, &b, &c}))(t)
	var ra []float32
	var rl []uint32
	var rb []bool
	var rc []uint64
	must.OK(t, readArrays(path, []any{&ra, &rl, &rb, &rc}))
	if !reflect.DeepEqual(ra, a) || !reflect.DeepEqual(rl, long) || !reflect.DeepEqual(rb, b) || len(rc) != 0 {
		t.Fatalf("%v %v", ra, rb)
	}
	text := must.Get(os.ReadFile(path))(t)
	first := bytes.Index(text, []byte("0\x03\x00\x00")) + 1 // behind the name of the entry
	for name, change := range map[string]func(bad []byte) []byte{
		"checksum": func(bad []byte) []byte { bad[len(bad)/2] ^= 1; return bad },
		"not a":    func(bad []byte) []byte { return bad[:len(bad)-6] },
		"numbers":  func(bad []byte) []byte { bad[first+6] = 1; return bad },
	} {
		must.OK(t, os.WriteFile(path, change(bytes.Clone(text)), 0o644))
		must.Fail(readArrays(path, []any{&ra, &rl, &rb, &rc}))(t, "damaged", name)
	}
}

// TestMarkUnknown: a long edge makes the point at its end unknown if its other end is outside the halo.
func TestMarkUnknown(t *testing.T) {
	a := &haloTile{ID: []uint64{1, 5, 9}, Known: []bool{true, true, true}}
	a.markUnknown(&edgeList{Own: []uint64{9, 4, 1}, End: []uint64{5, 9, 7}})
	if want := []bool{true, true, false}; !slices.Equal(a.Known, want) {
		t.Errorf("known: %v, want %v", a.Known, want)
	}
}

// TestRegion: a box of 14 m around the middle at (5 m, 5 m), in units of half a metre; beyond the bounds in the west no
// points are, so that side does not count. A ball is added where the region does not cover it yet.
func TestRegion(t *testing.T) {
	s := &region{core: tile.Box{East: 20, North: 20}, unit: 0.5, vertical: 1,
		bounds: tile.Box{West: -2, South: -99, East: 99, North: 99}}
	s.widen(4)
	for _, c := range [][3]float64{{10, 10, 7}, {-1, 10, 7}, {22, 10, 1}, {10, -3, 0.5}} {
		if got := s.clear(c[0], c[1], 0); math.Abs(got-c[2]) > 2*slack || got >= c[2] {
			t.Errorf("%v is clear to %v m", c, got)
		}
	}
	ball := func(x, radius float64) local.Ball { return local.Ball{At: r3.Vector{X: x, Y: 5}, Radius: radius} }
	if s.add([]local.Ball{ball(5, 6)}, 1) || !s.add([]local.Ball{ball(5.5, 7), ball(5, 7)}, 1) ||
		s.add([]local.Ball{ball(5.5, 7)}, 1) || !slices.Equal(s.places, []local.Ball{ball(5, 8)}) {
		t.Errorf("places %v", s.places)
	}
	if s.clear(10, 10, 0) < 7.9 || s.clear(10, 10, 3) < 7-2*slack || !s.cube(10, 10, 0, 6.9) || s.cube(22, 10, 0, 1.2) {
		t.Error("the ball is not in the region")
	}
}

// TestGroundCells: cells of 2 m and 1 m high in a file whose lattice has offsets; the lowest height is in micrometres of
// neighbor.Unit, below zero as well.
func TestGroundCells(t *testing.T) {
	const metre = int64(1 / neighbor.Unit)
	l := &las.File{Scale: [3]float64{.01, .01, .5}, Offset: [3]float64{100, -7, -3}}
	boxes := embed.Elevation{Cell: 2}.Boxes(neighbor.Unit)
	boxes.Height *= 2
	c := &groundCells{ground: &ground{Boxes: boxes}, unit: 1, vertical: 1,
		boxes: map[cellKey]*cellStats{}, last: cellKey{4}}
	for _, p := range [][3]int32{{50, 50, 1}, {150, 50, 0}, {50, 50, 0}, {250, 650, 8}} {
		record := make([]byte, 12)
		for k, v := range p {
			binary.LittleEndian.PutUint32(record[4*k:], uint32(v))
		}
		c.add(l, record)
	}
	want := map[cellKey]cellStats{{4, -4, 50, -3}: {3, -3 * metre}, {4, -1, 51, 1}: {1, metre}}
	for key, w := range want {
		if got := c.boxes[key]; got == nil || *got != w {
			t.Errorf("cell %v has %v, want %v", key, got, w)
		}
	}
	if len(c.boxes) != len(want) {
		t.Errorf("%d cells", len(c.boxes))
	}
}

// TestTouchingBoxes: boxes that share a corner touch, on every side.
func TestTouchingBoxes(t *testing.T) {
	a := tile.Box{West: 1, South: 1, East: 2, North: 2}
	for _, at := range [][2]float64{{0, 0}, {0, 2}, {2, 0}, {2, 2}, {1, 1}} {
		b := tile.Box{West: at[0], South: at[1], East: at[0] + 1, North: at[1] + 1}
		if !touches(a, b) || touches(a, b.Grow(-.01)) != (at == [2]float64{1, 1}) {
			t.Errorf("the box at %v", at)
		}
	}
}
