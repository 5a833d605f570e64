// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/testdata/must"
)

// random makes a raster of labels 0 to labels in blots, so that it has islands,
// holes, corners where two regions touch twice, and lines to simplify.
func random(seed uint64, width, height, labels, blots int) *View {
	r := rand.New(rand.NewPCG(seed, 1))
	v, err := NewView(AllOf(image.Rect(-3, 5, width-3, height+5)), 0)
	if err != nil {
		panic(err)
	}
	for range blots {
		x, y, size, label := r.IntN(width), r.IntN(height), 1+r.IntN(6), int32(r.IntN(labels+1))
		for dy := range size {
			for dx := range size {
				if dx+dy < size+size/2 && x+dx < width && y+dy < height {
					v.Label[(y+dy)*width+x+dx] = label
				}
			}
		}
	}
	return v
}

// TestPartition checks polygons against the raster that they were made of, with some pinned cells.
func TestPartition(t *testing.T) {
	for seed := range uint64(300) {
		labels := 1 + int(seed%5)
		v := random(seed, 8+int(seed%17), 9+int(seed%13), labels, 40)
		before := &raster{v.Blocks, slices.Clone(v.Label)}
		for k := 0; k < v.Len(); k += 11 {
			v.Pin(v.At(k))
		}
		before.sieve(v.pinned)
		regions := must.Get(Partition(parallel.Run{}, v, labels, 0, true))(t)
		edges := borders(t, regions)
		uncrossed(t, edges)
		inPlace(t, before, regions)
		must.Need(t, !t.Failed(), "seed %d", seed)
	}
}

// TestSimplifyKeepsSides simplifies far more than Partition does, so that lines
// come near each other, and islands near lines.
func TestSimplifyKeepsSides(t *testing.T) {
	fewer := 0
	for seed := range uint64(300) {
		labels := 1 + int(seed%5)
		v := random(seed, 20, 20, labels, 40)
		must.OK(t, v.widen(1))
		r := &raster{v.Blocks, v.Label}
		l := r.trace()
		whole := borders(t, r.regions(l, labels))
		l.simplify(4, 60)
		edges := borders(t, r.regions(l, labels))
		uncrossed(t, edges)
		fewer += len(whole) - len(edges)
		must.Need(t, !t.Failed(), "seed %d", seed)
	}
	must.Hold(t, fewer >= 300*50, "only %d edges fewer", fewer)
}

// TestLinksOfLines: each vertex that is no node has two others beside it, nodes or such that have it beside
// them. So lines are the same from both ends, and simplify sees both neighbours.
func TestLinksOfLines(t *testing.T) {
	linked := 0
	for seed := range uint64(50) {
		labels := 1 + int(seed%5)
		v := random(seed, 20, 20, labels, 40)
		must.OK(t, v.widen(1))
		l := (&raster{v.Blocks, v.Label}).trace()
		for at := range l.at {
			if l.node(int32(at)) {
				continue
			}
			linked++
			for _, w := range l.link[at] {
				must.Need(t, w != int32(at), "seed %d: vertex %d is beside itself", seed, at)
				if !l.node(w) {
					must.Need(t, slices.Contains(l.link[w][:], int32(at)),
						"seed %d: vertex %d has %d beside it, and that has %v", seed, at, w, l.link[w])
				}
			}
		}
	}
	must.Hold(t, linked > 1000, "only %d vertices", linked)
}

type edge struct{ a, b patch.Point }

// borders returns all edges, and checks that rings turn the right way, and that
// each edge bounds one region on its left.
func borders(t *testing.T, regions [][]patch.Polygon) map[edge]int32 {
	edges := map[edge]int32{}
	for label, region := range regions {
		for _, p := range region {
			for k, ring := range p {
				must.Hold(t, len(ring) >= 3,
					"ring %d of %v turns the wrong way: want len(ring) at least 3", k, p)
				must.Hold(t, (ring.Area2() > 0) == (k == 0),
					"ring %d of %v turns the wrong way: ring.Area2() > 0 is not k == 0", k, p)
				must.Hold(t, ring.Area2() != 0,
					"ring %d of %v turns the wrong way: ring.Area2() is 0", k, p)
				for i, a := range ring {
					e := edge{a, ring[(i+1)%len(ring)]}
					must.Hold(t, edges[e] == 0, "%v bounds label %d and label %d", e, edges[e], label+1)
					edges[e] = int32(label + 1)
				}
			}
		}
	}
	return edges
}

// uncrossed checks that edges meet in their ends only.
func uncrossed(t *testing.T, edges map[edge]int32) {
	var all []geom.LineString
	for e := range edges {
		if e.a.X < e.b.X || e.a.X == e.b.X && e.a.Y < e.b.Y || edges[edge{e.b, e.a}] == 0 {
			all = append(all, patch.Line(e.a, e.b))
		}
	}
	must.Hold(t, geom.NewMultiLineString(all).IsSimple(), "edges cross or overlap")
}

// inPlace checks that every middle of a cell lies in one region at most, and in
// that of its label if that of all cells around is the same.
func inPlace(t *testing.T, before *raster, regions [][]patch.Polygon) {
	for y := range before.Area.Dy() {
		for x := range before.Area.Dx() {
			var in []int32
			for label, region := range regions {
				for _, p := range region {
					// Partition adds a margin of one cell
					if contains(p, 2*float64(x+1)+1.003, 2*float64(y+1)+1.0007) {
						in = append(in, int32(label+1))
					}
				}
			}
			label := before.at(x, y)
			clear := true
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					clear = clear && before.at(x+dx, y+dy) == label
				}
			}
			if len(in) > 1 || clear && !slices.Equal(in, []int32{label}) && !(label == 0 && in == nil) {
				t.Errorf("the middle of cell (%d, %d) of label %d lies in %v", x, y, label, in)
			}
		}
	}
}

func contains(p patch.Polygon, x, y float64) bool {
	in := false
	for _, ring := range p {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (float64(a.Y) > y) != (float64(b.Y) > y) &&
				x < float64(a.X)+(y-float64(a.Y))*float64(b.X-a.X)/float64(b.Y-a.Y) {
				in = !in
			}
		}
	}
	return in
}

// TestClose has a gap of three cells, and one of five, in a field of two labels.
func TestClose(t *testing.T) {
	for _, c := range []struct {
		gap    int
		closed bool
	}{{3, true}, {5, false}} {
		r := &raster{must.Get(AllOf(image.Rect(0, 0, 24, 20)).Blocks(0))(t), make([]int32, 24*20)}
		for y := 4; y < 16; y++ {
			for x := 4; x < 20; x++ {
				if y < 8 || y >= 8+c.gap || x < 6 || x > 17 {
					r.label[y*24+x] = 1 + int32(x/12)
				}
			}
		}
		before := slices.Clone(r.label)
		must.OK(t, r.close(parallel.Run{Threads: 3}, 2))
		for i, label := range r.label {
			x, y := i%24, i/24
			inside := x >= 4 && x < 20 && y >= 4 && y < 16
			if !inside {
				must.Equal(t, label, 0, "gap %d: label of cell (%d, %d), outside", c.gap, x, y)
			}
			if before[i] != 0 {
				must.Equal(t, label, before[i], "gap %d: label of cell (%d, %d)", c.gap, x, y)
			}
		}
		must.Equal(t, r.at(9, 8+c.gap/2) == 1, c.closed, "gap %d: closed in the middle", c.gap)
	}
}

// TestSieve keeps the largest piece of a label, however small, and the pieces with pinned cells.
func TestSieve(t *testing.T) {
	labels := []int32{
		1, 1, 1, 1, 1, 2, 2, 2,
		1, 2, 1, 3, 1, 2, 4, 2,
		1, 1, 1, 1, 1, 2, 2, 4,
	}
	sieved := []int32{
		1, 1, 1, 1, 1, 2, 2, 2,
		1, 1, 1, 3, 1, 2, 4, 2,
		1, 1, 1, 1, 1, 2, 2, 2,
	}
	r := &raster{must.Get(AllOf(image.Rect(0, 0, 8, 3)).Blocks(0))(t), slices.Clone(labels)}
	r.sieve(nil)
	must.Equal(t, r.label, sieved, "labels")
	r.label = slices.Clone(labels)
	r.sieve([]image.Point{{1, 1}, {7, 2}, {0, 0}})
	must.Equal(t, r.label, labels, "labels with a cell of each small piece pinned")
}

// TestHighest keeps the higher of two points, and the first of two equals, and what there was when the view
// grows.
func TestHighest(t *testing.T) {
	var v View
	at := image.Pt(-7, 9)
	for _, grow := range []image.Point{at, {-9, 9}, {-7, 12}} {
		must.OK(t, v.Grow(AllOf(One(grow))))
	}
	for _, p := range []struct {
		z    float64
		want int32
	}{{1, 1}, {1, 1}, {3, 3}, {2, 3}} {
		v.Add(at, p.z, int32(p.z))
		must.Equal(t, v.Label[v.Index(at)], p.want, "label")
	}
	must.Equal(t, v.Area, image.Rect(-9, 9, -6, 13), "v.Area")
	must.Fail(v.Grow(AllOf(image.Rect(-7, 9, 1<<14, 1<<14))))(t) // too many cells
	must.Fail(v.Grow(AllOf(One(image.Pt(1<<27, 9)))))(t)         // too wide
}

// TestNearHasPointsWithinItsDistance: no point within 100 m of another one is left out, wherever the cubes
// begin.
func TestNearHasPointsWithinItsDistance(t *testing.T) {
	x, none := slices.Repeat([]float64{0}, 11), make([]float64, 11)
	for _, at := range []struct {
		metres float64
		kept   int
	}{{52, 11}, {99.9, 11}, {-99.9, 11}, {151, 10}} {
		for begin := range 50 {
			for i := range x[:10] {
				x[i] = float64(begin)
			}
			x[10] = float64(begin) + at.metres
			for axis, in := range [3][3][]float64{{x, none, none}, {none, x, none}, {none, none, x}} {
				got := slices.Concat(Near(in[0], in[1], in[2], [3]float64{1, 1, 1})...)
				must.Hold(t, len(got) == at.kept, "%v m from %d on axis %d: %d points", at.metres, begin,
					axis, len(got))
			}
		}
	}
}
