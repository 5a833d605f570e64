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

	"superpoint/partition/base/tile"
	"superpoint/partition/local"
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
	must.Need(t, reflect.DeepEqual(ra, a) && reflect.DeepEqual(rl, long) && reflect.DeepEqual(rb, b) &&
		len(rc) == 0,
		"%v %v", ra, rb)
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
	must.Equal(t, a.Known, []bool{true, true, false}, "known")
}

// TestRegion: a box of 14 m around the middle at (5 m, 5 m), in units of half a metre; beyond the bounds in
// the west no points are, so that side does not count. A disc is added where the region does not cover it
// yet.
func TestRegion(t *testing.T) {
	s := &region{core: tile.Box{East: 20, North: 20}, unit: 0.5,
		bounds: tile.Box{West: -2, South: -99, East: 99,
			North: 99}}
	s.widen(4)
	for _, c := range [][3]float64{{10, 10, 7}, {-1, 10, 7}, {22, 10, 1}, {10, -3, 0.5}} {
		got := s.Clear(c[0], c[1])
		must.Hold(t, math.Abs(got-c[2]) <= 2*slack && got < c[2], "%v is clear to %v m", c, got)
	}
	ball := func(x, radius float64) local.Ball {
		return local.Ball{At: r3.Vector{X: x, Y: 5},
			Radius: radius}
	}
	must.Hold(t, !s.add([]local.Ball{ball(5, 6)}, 1) && s.add([]local.Ball{ball(5.5, 7), ball(5, 7)}, 1) &&
		!s.add([]local.Ball{ball(5.5, 7)}, 1) && slices.Equal(s.places, []local.Ball{ball(5, 8)}),
		"places %v", s.places)
	// large ones first
	for _, balls := range [][]local.Ball{{ball(4, 7), ball(5, 9)}, {ball(5, 9), ball(4, 7)}} {
		other := &region{core: s.core, unit: s.unit, bounds: s.bounds}
		other.widen(4)
		must.Hold(t, other.add(balls, 1) && slices.Equal(other.places, []local.Ball{ball(5, 10)}),
			"places %v", other.places)
	}
	// the disc has a square of 8 m/√2 to each side
	must.Hold(t, s.Clear(10, 10) >= 7.9 && s.Clear(16, 10) >= 5-2*slack && s.Square(10, 10, 6.9) &&
		!s.Square(22, 10, 1.5) && s.Square(22, 10, 1.4), "the disc is not in the region")
}

// TestTouchingBoxes: boxes that share a corner touch, on every side.
func TestTouchingBoxes(t *testing.T) {
	a := tile.Box{West: 1, South: 1, East: 2, North: 2}
	for _, at := range [][2]float64{{0, 0}, {0, 2}, {2, 0}, {2, 2}, {1, 1}} {
		b := tile.Box{West: at[0], South: at[1], East: at[0] + 1, North: at[1] + 1}
		must.Hold(t, touches(a, b) && touches(a, b.Grow(-.01)) == (at == [2]float64{1, 1}),
			"the box at %v", at)
	}
}

// TestReadMerged: of two blocks of initial components those are read that have the first, the last or another
// ID.
func TestReadMerged(t *testing.T) {
	v := &Survey{folder: t.TempDir()}
	must.OK(t, os.Mkdir(v.Path("merge"), 0o777))
	must.Get(writeBlocks(v.mergedInitial(), 2, func(k int) ([]any, []float64) {
		part := [2]local.MergedInitial{{First: []uint64{1, 5}, Label: []uint32{0, 1}},
			{First: []uint64{9, 12},
				Label: []uint32{1, 2}}}[k]
		return part.Arrays(), []float64{float64(part.First[0]), float64(part.First[1])}
	}))(t)
	var all local.Components
	all.Size, all.Mean = make([]float32, 3), make([]float32, 3)
	must.Get(writeArrays(v.mergedComponents(), all.Arrays()))(t)
	for _, want := range [][]uint64{{1}, {5}, {9}, {12}, {5, 9}, {1, 5, 9, 12}} {
		merged := must.Get(v.readMerged(&local.MergedHeader{Dim: 1}, slices.Clone(want)))(t)
		must.Equal(t, merged.Initial(0, 9).First, want, "components read")
	}
	_, err := v.readMerged(&local.MergedHeader{Dim: 2}, []uint64{12})
	must.Equal(t, err.Error(), damaged(v.mergedComponents(), errMisfit).Error(),
		"error of arrays that do not fit")
}

// TestKnownPoints: all edges of a point are present if it is farther from the border of the halo than edges
// reach, and none of those that it stores ends outside.
func TestKnownPoints(t *testing.T) {
	a := &haloTile{ID: []uint64{2, 4, 6, 8}, Rim: []float64{9, 1.9, 2.1, 9}}
	a.blocks = []block{
		{place: []uint32{0, 1}, points: points{Start: []uint32{0, 2, 2}, Head: []uint32{1, 2},
			Other: []uint64{6}}},
		{place: []uint32{2, noPlace, 3}, points: points{Start: []uint32{0, 0, 1, 2}, Head: []uint32{0, 1}}},
	}
	must.OK(t, a.resolveEdges(2))
	must.Equal(t, a.Known, []bool{true, false, true, false}, "known")
	must.Equal(t, a.Graph.Of(0), []uint32{1, 2}, "edges of the first point")
}

// TestFieldsOfRows: rows hold the largest and smallest values of every type.
func TestFieldsOfRows(t *testing.T) {
	for kind, values := range map[string][]float64{"uint8": {0, 255}, "int8": {-128, 127}, "uint16": {65535},
		"int16": {-32768}, "uint32": {1<<32 - 1, 1<<24 + 1}, "int32": {-1 << 31, 1<<31 - 1},
		"uint64": {1 << 63, 1<<53 - 1},
		"int64":  {-1 << 63}, "float": {0.1, -1e30}, "double": {0.1}} {
		v := &Survey{plan: &plan{Outputs: []las.Column{{Name: "Before", Type: "uint8"},
			{Name: "Value", Type: kind}}}}
		l, put, err := v.rows()
		must.OK(t, err)
		for _, want := range values {
			row := make([]byte, l.Length)
			put[1](row, want)
			text := row[l.Find("Value").At:]
			var got float64
			switch kind {
			case "float":
				got, want = float64(math.Float32frombits(binary.LittleEndian.Uint32(text))),
					float64(float32(want))
			case "double":
				got = math.Float64frombits(binary.LittleEndian.Uint64(text))
			default:
				whole := append(slices.Clone(text), make([]byte, 8)...)
				n := binary.LittleEndian.Uint64(whole)
				if got = float64(n); kind[0] == 'i' {
					unused := 64 - 8*len(text)
					got = float64(int64(n<<unused) >> unused)
				}
			}
			must.Hold(t, got == want, "%s: %v becomes %v", kind, want, got)
		}
	}
}
