package tile_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/partition/tile"
)

func TestEveryPointHasOneCore(t *testing.T) {
	g, err := tile.NewGrid(-3, 1, 97, 61, 10.1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	// borders, their neighbours in float64, both rims, points beyond the bounds
	for k := range 4000 {
		x, y := -5+105*r.Float64(), -1+70*r.Float64()
		switch k % 4 {
		case 0:
			x = g.Origin[0] + float64(r.IntN(g.Columns+1))*g.Size
		case 1:
			y = math.Nextafter(g.Origin[1]+float64(r.IntN(g.Rows+1))*g.Size, -1000)
		case 2:
			x, y = 97, 61
		}
		cores, seen := 0, 0
		for row := range g.Rows {
			for column := range g.Columns {
				if g.Core(column, row).Contains(x, y) {
					cores++
					if c, r := g.At(x, y); c != column || r != row {
						t.Fatalf("%v, %v lies in core %d, %d; At says %d, %d", x, y, column, row, c, r)
					}
				}
				if g.Core(column, row).Grow(g.Halo).Contains(x, y) {
					seen++
				}
			}
		}
		g.Reached(x, y, func(int, int) { seen-- })
		if cores != 1 || seen != 0 {
			t.Fatalf("%v, %v lies in %d cores; Reached misses %d tiles", x, y, cores, seen)
		}
	}
}

func TestGridErrors(t *testing.T) {
	for _, c := range []struct {
		size, halo, seam float64
		wants            string
	}{{0, 1, 1, "tile size 0"}, {10, 10, 1, "halo 10"}, {10, 2, 3, "seam 3"}, {1e-6, 1e-7, 1e-8, "larger tiles"}} {
		if _, err := tile.NewGrid(0, 0, 100, 100, c.size, c.halo, c.seam); err == nil ||
			!strings.Contains(err.Error(), c.wants) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// survey is a plane of patches, cut into tiles; the "segmentation" of a tile is
// the patches, numbered as the tile finds them.
type survey struct {
	x, y  []float64
	patch []uint32
	grid  tile.Grid
}

const unit = 0.01

func newSurvey(t testing.TB, n int, patch func(x, y float64) uint32) *survey {
	g, err := tile.NewGrid(0, 0, 29.99, 29.99, 10, 4, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	s := &survey{grid: g}
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		x, y := float64(r.IntN(3000)), float64(r.IntN(3000))
		s.x, s.y = append(s.x, x), append(s.y, y)
		s.patch = append(s.patch, patch(x*unit, y*unit))
	}
	return s
}

// cut segments one tile and returns its seam, and the survey's index and piece of its core points.
func (s *survey) cut(t testing.TB, index, column, row int) (seam *tile.Seam, points []int, pieces []uint32) {
	core := s.grid.Core(column, row)
	local := map[uint32]uint32{}
	seg := &tile.Segmented{First: 1}
	var all []int
	var x, y, z []float64
	for i := range s.x {
		px, py := s.x[i]*unit, s.y[i]*unit
		if !core.Grow(s.grid.Halo).Contains(px, py) {
			continue
		}
		if local[s.patch[i]] == 0 {
			local[s.patch[i]] = uint32(len(local)) + 1
		}
		all = append(all, i)
		x, y, z = append(x, px), append(y, py), append(z, 0)
		seg.Superpoint = append(seg.Superpoint, local[s.patch[i]])
		seg.Position = append(seg.Position, [3]int32{int32(s.x[i]), int32(s.y[i]), 0})
		seg.Core, seg.Band = append(seg.Core, core.Contains(px, py)), append(seg.Band, s.grid.InBand(column, row, px, py))
	}
	seg.Count = len(local)
	cloud, err := neighbor.New(x, y, z, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	lists, err := cloud.Nearest(14, parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if seg.Graph, err = neighbor.Adjacency(lists, 14, parallel.Run{}); err != nil {
		t.Fatal(err)
	}
	seg.Order = cloud.Order
	piece, seam := seg.Cut(uint32(index))
	for k, i := range all {
		if piece[k] != tile.Outside {
			points, pieces = append(points, i), append(pieces, piece[k])
		}
	}
	return seam, points, pieces
}

func (s *survey) stitch(t testing.TB, threads int) ([]uint32, tile.Report) {
	var place [][2]int
	var seams []*tile.Seam
	var points [][]int
	var pieces [][]uint32
	for row := range s.grid.Rows {
		for column := range s.grid.Columns {
			seam, p, q := s.cut(t, len(place), column, row)
			again, err := tile.ParseSeam(seam.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			place, seams, points, pieces = append(place, [2]int{column, row}), append(seams, again), append(points,
				p), append(pieces, q)
		}
	}
	joined, err := tile.Stitch(parallel.Run{Threads: threads}, &s.grid, place, seams, [3]float64{},
		[3]float64{unit, unit, unit})
	if err != nil {
		t.Fatal(err)
	}
	id := make([]uint32, len(s.x))
	for k := range points {
		for q, i := range points[k] {
			if id[i] != 0 {
				t.Fatalf("point %d is in two cores", i)
			}
			id[i] = joined.ID[k][pieces[k][q]]
		}
	}
	return id, joined.Report
}

func TestPatchesAcrossSeamsKeepOneID(t *testing.T) {
	s := newSurvey(t, 40000, func(x, y float64) uint32 { return uint32(int(x/3.75)*100 + int(y/4.3)) })
	id, report := s.stitch(t, 1)
	toID, toPatch := map[uint32]uint32{}, map[uint32]uint32{}
	for i, v := range id {
		if v == 0 {
			t.Fatalf("point %d at %v, %v was lost", i, s.x[i], s.y[i])
		}
		if old := toID[s.patch[i]]; old != 0 && old != v {
			t.Fatalf("patch %d has ids %d and %d", s.patch[i], old, v)
		}
		if old, ok := toPatch[v]; ok && old != s.patch[i] {
			t.Fatalf("id %d is of patches %d and %d", v, old, s.patch[i])
		}
		toID[s.patch[i]], toPatch[v] = v, s.patch[i]
	}
	if int(report.Superpoints) != len(toID) || int(slices.Max(id)) != len(toID) || report.Cut != 0 ||
		report.Agreement != 1 || report.Crossing == 0 {
		t.Errorf("%d patches, %+v", len(toID), report)
	}
	if again, _ := s.stitch(t, 4); !slices.Equal(id, again) {
		t.Error("ids depend on the number of threads")
	}
}

func TestPlacesThatOnlyMeetElsewhereStayApart(t *testing.T) {
	// two fingers in each tile of the left column, whose only bridge lies in the right one
	finger := func(x, y float64) uint32 {
		if math.Mod(y, 10) > 2 && math.Mod(y, 10) < 4 || math.Mod(y, 10) > 6 && math.Mod(y, 10) < 8 {
			return 1
		}
		return 2
	}
	s := newSurvey(t, 20000, func(x, y float64) uint32 {
		if x > 12 && x < 13.5 {
			return 1 // the bridge, beyond the seam band of the left column
		}
		return finger(x, y)
	})
	id, _ := s.stitch(t, 2)
	// each id must be connected in the graph of all points
	x, y := make([]float64, len(s.x)), make([]float64, len(s.y))
	for i := range x {
		x[i], y[i] = s.x[i]*unit, s.y[i]*unit
	}
	cloud, err := neighbor.New(x, y, make([]float64, len(x)), parallel.Run{})
	if err != nil {
		t.Fatal(err)
	}
	lists, _ := cloud.Nearest(14, parallel.Run{})
	graph, _ := neighbor.Adjacency(lists, 14, parallel.Run{})
	root := make([]int, len(x))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for u := range graph.Vertices() {
		for _, v := range graph.Of(u) {
			if i, j := cloud.Order[u], cloud.Order[v]; id[i] == id[j] {
				root[find(int(i))] = find(int(j))
			}
		}
	}
	of := map[uint32]map[int]bool{}
	for i, v := range id {
		if of[v] == nil {
			of[v] = map[int]bool{}
		}
		of[v][find(i)] = true
	}
	for v, parts := range of {
		if len(parts) > 1 {
			// only superpoints that were in parts inside one core may be: the toy patches 2
			for p := range parts {
				if s.patch[p] == 1 {
					t.Errorf("id %d is in %d places", v, len(parts))
				}
			}
		}
	}
}

func TestSeamsOfOtherFilesAreRefused(t *testing.T) {
	s := newSurvey(t, 5000, func(x, y float64) uint32 { return uint32(x) })
	a, _, _ := s.cut(t, 0, 0, 0)
	b, _, _ := s.cut(t, 1, 1, 0)
	for k := range b.Point {
		b.Point[k][2]++
	}
	_, err := tile.Stitch(parallel.Run{}, &s.grid, [][2]int{{0, 0}, {1, 0}}, []*tile.Seam{a, b}, [3]float64{},
		[3]float64{unit, unit, unit})
	if err == nil || !strings.Contains(err.Error(), "tiles 0 and 1") {
		t.Error(err)
	}
}

// FuzzParseSeam reads seam files with a right checksum: a seam whose indices
// lead nowhere outside and that is written as it was read, or an error.
func FuzzParseSeam(f *testing.F) {
	good := (&tile.Seam{Tile: 3, Pieces: 1, Point: [][3]int32{{1, 2, 3}, {4, 5, 6}}, Superpoint: []uint32{1, 1},
		Piece: []uint32{0, tile.Outside}, Crossing: [][2]uint32{{0, 1}}}).Bytes()
	f.Add(good[:len(good)-4])
	f.Add(good[:8])
	f.Add(append(good[:8:8], bytes.Repeat([]byte{255}, 16)...))
	f.Fuzz(func(t *testing.T, body []byte) {
		file := binary.LittleEndian.AppendUint32(bytes.Clone(body), tile.Sum(body))
		s, err := tile.ParseSeam(file)
		if err != nil {
			return
		}
		for _, e := range s.Crossing {
			_, _ = s.Point[e[0]], s.Point[e[1]]
		}
		if !bytes.Equal(s.Bytes(), file) {
			t.Error("read and written seam differ")
		}
	})
}

func TestDamagedSeamIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "7.seam")
	b := (&tile.Seam{Tile: 7}).Bytes()
	b[9] ^= 1
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tile.ReadSeam(path); err == nil || !strings.Contains(err.Error(), "7.seam") ||
		!strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
}
