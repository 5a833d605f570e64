// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/golang/geo/r3"

	"superpoint/filter/host"
	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/job"
	"superpoint/testdata/must"
)

// contextHost is a host of which a test needs the context alone.
type contextHost struct{ host.Host }

// Context implements host.Host.
func (contextHost) Context() context.Context { return context.Background() }

// inFolder returns a survey in a new folder whose tasks make their files in another one.
func inFolder(t *testing.T) *folder.Survey {
	t.Helper()
	v := &folder.Survey{Folder: t.TempDir(), Sum: "of the plan", Steps: Steps(), Host: contextHost{}}
	for _, s := range Steps() {
		must.OK(t, os.Mkdir(v.Path(s.Name), 0o777))
	}
	return v.In(t.TempDir())
}

// writeArrays makes a file of arrays at its place.
func writeArrays(t *testing.T, v *folder.Survey, path string, arrays []any) {
	t.Helper()
	must.Get(v.StageBlocks(path, 1, func(int) ([]any, []float64) { return arrays, nil }))(t)
	must.OK(t, v.Tree().Place())
}

// TestSeals: a file is of one place in one survey, and its summaries are those that were written.
func TestSeals(t *testing.T) {
	v := inFolder(t)
	path, values := v.File("embed", 0, "points"), []uint32{1, 2, 3}
	block := func(int) ([]any, []float64) { return []any{&values}, []float64{1.5, 2.5} }
	must.Get(v.StageBlocks(path, 2, block))(t)
	must.OK(t, v.Tree().Place())
	text := must.Get(os.ReadFile(path))(t)
	readAs := func(v *folder.Survey, path string, text []byte) error {
		must.OK(t, os.WriteFile(path, text, 0o666))
		every := func(int, []float64) bool { return true }
		return v.ReadBlocks(path, 2, every, []any{&values}, func(int) error { return nil })
	}
	must.OK(t, readAs(v, path, text))
	other := *v
	other.Sum = "of another plan"
	otherNumbers := bytes.Replace(text, []byte("[1.5,2.5]"), []byte("[1.5,2.4]"), 1)
	otherSeal := bytes.Replace(text, []byte(v.Sum), []byte("of any plan"), 1)
	for name, err := range map[string]error{
		"of another tile":    readAs(v, v.File("embed", 1, "points"), text),
		"of another step":    readAs(v, v.File("coarsen", 0, "points"), text),
		"of another kind":    readAs(v, v.File("embed", 0, "outputs"), text),
		"of another survey":  readAs(&other, path, text),
		"with other numbers": readAs(v, path, otherNumbers),
		"without a seal":     readAs(v, path, otherSeal),
	} {
		must.Need(t, err != nil, "a file %s: no error", name)
		must.Hold(t, strings.Contains(err.Error(), blocks.ErrSeal.Error()),
			"a file %s: got %q, want %q in it", name, err.Error(), blocks.ErrSeal.Error())
	}
}

// TestFilesOfATask: files and their mark appear when all are complete; an error leaves none.
func TestFilesOfATask(t *testing.T) {
	v := inFolder(t)
	m := &folder.Mark{Mark: job.Mark{Task: job.Task{Step: "merge"}, Files: map[string]int64{}}}
	values := []uint32{1, 2, 3}
	must.Get(v.Save(m, mergedInitial(v), []any{&values}))(t)
	full := errors.New("the disk is full")
	err := v.Tree().Make(v.Name(mergedComponents(v)), func(io.Writer) error { return full })
	must.Hold(t, errors.Is(err, full), "another error: %v", err)
	must.Equal(t, len(must.Get(os.ReadDir(v.Path("merge")))(t)), 0, "files of a task that failed")

	v = v.In(t.TempDir())
	for _, path := range []string{mergedInitial(v), mergedComponents(v)} {
		must.Get(v.Save(m, path, []any{&values}))(t)
	}
	must.Fail(v.Save(m, mergedInitial(v), []any{&values}))(t, mergedInitial(v),
		"cannot be written: file exists")
	must.Equal(t, len(must.Get(os.ReadDir(v.Path("merge")))(t)), 0, "files before the last is complete")
	must.OK(t, v.Tree().Place())
	must.OK(t, v.PlaceMark(m))
	for name, size := range m.Files {
		must.Equal(t, must.Get(os.Stat(v.Path(name)))(t).Size(), size, "size of %s", name)
	}
	must.Equal(t, len(must.Get(os.ReadDir(v.Path("merge")))(t)), 3, "files and mark")
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
		must.Hold(t, math.Abs(got-c[2]) <= 2*slack,
			"%v is clear to %v m: want math.Abs(got-c[2]) at most 2*slack", c, got)
		must.Hold(t, got < c[2], "%v is clear to %v m: want got less than c[2]", c, got)
	}
	ball := func(x, radius float64) local.Ball {
		return local.Ball{At: r3.Vector{X: x, Y: 5},
			Radius: radius}
	}
	must.Hold(t, !s.add([]local.Ball{ball(5, 6)}, 1), "s.add([]local.Ball{ball(5, 6)}, 1) is true")
	must.Need(t, s.add([]local.Ball{ball(5.5, 7), ball(5, 7)}, 1),
		"s.add([]local.Ball{ball(5.5, 7), ball(5, 7)}, 1) is false")
	must.Hold(t, !s.add([]local.Ball{ball(5.5, 7)}, 1), "s.add([]local.Ball{ball(5.5, 7)}, 1) is true")
	must.Equal(t, s.places, []local.Ball{ball(5, 8)}, "places")
	// large ones first
	for _, balls := range [][]local.Ball{{ball(4, 7), ball(5, 9)}, {ball(5, 9), ball(4, 7)}} {
		other := &region{core: s.core, unit: s.unit, bounds: s.bounds}
		other.widen(4)
		must.Need(t, other.add(balls, 1), "other.add(balls, 1) is false")
		must.Equal(t, other.places, []local.Ball{ball(5, 10)}, "places")
	}
	// the disc has a square of 8 m/√2 to each side
	must.Hold(t, s.Clear(10, 10) >= 7.9,
		"the disc is not in the region: want s.Clear(10, 10) at least 7.9")
	must.Hold(t, s.Clear(16, 10) >= 5-2*slack,
		"the disc is not in the region: want s.Clear(16, 10) at least 5-2*slack")
	must.Need(t, s.Square(10, 10, 6.9), "the disc is not in the region: s.Square(10, 10, 6.9) is false")
	must.Hold(t, !s.Square(22, 10, 1.5), "the disc is not in the region: s.Square(22, 10, 1.5) is true")
	must.Hold(t, s.Square(22, 10, 1.4), "the disc is not in the region: s.Square(22, 10, 1.4) is false")
}

// TestTouchingBoxes: boxes that share a corner touch, on every side.
func TestTouchingBoxes(t *testing.T) {
	a := tile.Box{West: 1, South: 1, East: 2, North: 2}
	for _, at := range [][2]float64{{0, 0}, {0, 2}, {2, 0}, {2, 2}, {1, 1}} {
		b := tile.Box{West: at[0], South: at[1], East: at[0] + 1, North: at[1] + 1}
		must.Hold(t, a.Touches(b), "the box at %v: a.Touches(b) is false", at)
		must.Hold(t, a.Touches(b.Grow(-.01)) == (at == [2]float64{1, 1}),
			"the box at %v: a.Touches(b.Grow(-.01)) is not at == [2]float64{1, 1}", at)
	}
}

// TestReadMerged: of two blocks of initial components those are read that have the first, the last or another
// ID.
func TestReadMerged(t *testing.T) {
	v := inFolder(t)
	must.Get(v.StageBlocks(mergedInitial(v), 2, func(k int) ([]any, []float64) {
		part := [2]local.MergedInitial{{First: []uint64{1, 5}, Label: []uint32{0, 1}},
			{First: []uint64{9, 12},
				Label: []uint32{1, 2}}}[k]
		return part.Arrays(), []float64{float64(part.First[0]), float64(part.First[1])}
	}))(t)
	var all local.Components
	all.Size, all.Mean = make([]float32, 3), make([]float32, 3)
	writeArrays(t, v, mergedComponents(v), all.Arrays())
	for _, want := range [][]uint64{{1}, {5}, {9}, {12}, {5, 9}, {1, 5, 9, 12}} {
		merged := must.Get(readMerged(v, &local.MergedHeader{Dim: 1}, slices.Clone(want)))(t)
		must.Equal(t, merged.Initial(0, 9).First, want, "components read")
	}
	_, err := readMerged(v, &local.MergedHeader{Dim: 2}, []uint64{12})
	must.Equal(t, err.Error(), blocks.Damaged(mergedComponents(v), blocks.ErrMisfit).Error(),
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
		l, put, err := las.RowsOf([]las.Column{{Name: "Before", Type: "uint8"}, {Name: "Value", Type: kind}})
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
