// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// TestIsolate compares Isolate, on a graph and on Edges, with its definition.
func TestIsolate(t *testing.T) {
	const k, listed = 5, 20
	x, y, z := swept(3000)
	points := arrays.Indices[int](len(x))
	run := parallel.Run{Threads: 2}
	cloud, lists, _, _ := lookAt(t, run, points, k, listed, x, y, z)
	isolated := make([]bool, cloud.Len())
	for i := range isolated {
		isolated[i] = cloud.Position(uint32(i)).Add(cloud.Origin).Z > 3 || i%50 == 0
	}
	distance := func(u, v uint32) float64 { return cloud.Position(u).Sub(cloud.Position(v)).Norm() }
	how := GraphOptions{Nearest: k, Around: Around}
	graph, _, err := NewGraph(cloud, lists, how, run)
	must.OK(t, err)
	want, long, short := edgeSet(graph), 0, 0
	for e := range want {
		u, v := e[0], e[1]
		if isolated[u] == isolated[v] {
			continue
		}
		if isolated[u] {
			u, v = v, u
		}
		if distance(u, v) > 3*distance(u, lists.Of(int(u))[k-1])+1e-9 {
			delete(want, e)
			long++
		} else {
			short++
		}
	}
	must.Need(t, long >= 50, "long: got %v, want at least 50", long)
	must.Need(t, short >= 50, "short edges of isolated points: got %v, want at least 50", short)
	must.OK(t, graph.Isolate(run, cloud, lists, k, isolated))
	checkGraph(t, graph)
	must.Hold(t, maps.Equal(edgeSet(graph), want), "%d edges, want %d", graph.Edges(), len(want))
	begun := must.Get(OwnEdges(cloud, lists, how, func(uint32) float64 { return math.Inf(1) }, run))(t)
	must.OK(t, begun.Isolate(run, cloud, lists, k, isolated))
	got := map[[2]uint32]bool{}
	for u := range uint32(cloud.Len()) {
		for _, v := range begun.Of(u) {
			got[[2]uint32{min(u, v), max(u, v)}] = true
		}
	}
	must.Hold(t, maps.Equal(got, want), "points begin %d edges, want %d", len(got), len(want))
}

// TestSpacingWithNoise: noise does not change the spacing.
func TestSpacingWithNoise(t *testing.T) {
	spacing := func(noise int) float64 {
		c, r := lidar(5000, 1), random(2)
		low := slices.Min(c.z)
		for range noise {
			c.add(650_000+22*r.Float64(), 6_000_000+22*r.Float64(), low-20-30*r.Float64())
		}
		cloud := mustNew(t, c, 1)
		lists := must.Get(cloud.Nearest(20, parallel.Run{}))(t)
		return cloud.Spacing(lists)
	}
	got, want := spacing(250), spacing(0)
	must.Hold(t, math.Abs(got/want-1) <= 1e-6, "spacing is %v with noise, %v without", got, want)
}

// TestClumps compares the edges of clumps with their definition.
func TestClumps(t *testing.T) {
	const k, listed = 5, 20
	x, y, z := clumped(25000)
	run := parallel.Run{Threads: 2}
	cloud, lists, _, _ := lookAt(t, run, arrays.Indices[int](len(x)), k, listed, x, y, z)
	how := GraphOptions{Nearest: k, Around: Around}
	plain, _, err := NewGraph(cloud, lists, how, run)
	must.OK(t, err)
	own := must.Get(OwnEdges(cloud, lists, how, func(uint32) float64 { return math.Inf(1) }, run))(t)
	want, number, far := edgeSet(plain), 0, 0
	for i := range uint32(cloud.Len()) {
		clump := map[uint32]bool{i: true}
		for queue := []uint32{i}; len(queue) > 0 && len(clump) < clumpSize; queue = queue[1:] {
			u := queue[0]
			reached := slices.Clone(own.Of(u))
			for _, v := range lists.Of(int(u)) {
				if slices.Contains(own.Of(v), u) {
					reached = append(reached, v)
				}
			}
			for _, v := range reached {
				if !clump[v] {
					clump[v], queue = true, append(queue, v)
				}
			}
		}
		if len(clump) >= clumpSize {
			continue
		}
		var out [][2]uint32
		for u := range clump {
			for _, v := range lists.Of(int(u)) {
				if !clump[v] {
					out = append(out, [2]uint32{u, v})
				}
			}
		}
		place := func(i uint32) []int32 { return append(cloud.XYZ[i][:], int32(i)) }
		first := slices.MinFunc(out, func(a, b [2]uint32) int {
			return cmp.Or(cmp.Compare(cloud.squared(a[0], a[1]), cloud.squared(b[0], b[1])),
				slices.Compare(place(a[0]), place(b[0])), slices.Compare(place(a[1]), place(b[1])))
		})
		u, v := first[0], first[1]
		switch length := float64(cloud.squared(u, v)); {
		case u != i:
		case length > 100*float64(cloud.squared(v, lists.Of(int(v))[k-1])):
			far++
		default:
			want[[2]uint32{min(u, v), max(u, v)}] = true
			number++
		}
	}
	must.Need(t, number >= 50, "clumps have an edge: got %v, want at least 50", number)
	must.Need(t, far >= 30, "far is %v, want at least 30", far)
	how.Clumps = true
	joined, _, err := NewGraph(cloud, lists, how, run)
	must.OK(t, err)
	checkGraph(t, joined)
	must.Hold(t, maps.Equal(edgeSet(joined), want), "%d edges, want %d", joined.Edges(), len(want))
	before, after := clumpsOf(plain), clumpsOf(joined)
	must.Hold(t, before >= 100, "before is %v, want at least 100", before)
	must.Hold(t, after <= before/2, "clumps are apart: got %v, want at most %v", after, before/2)
}

// clumpsOf returns the number of connected components of fewer than clumpSize vertices.
func clumpsOf(g *Graph) (number int) {
	label, count := Components(g)
	size := make([]int, count)
	for _, c := range label {
		size[c]++
	}
	for _, n := range size {
		if n < clumpSize {
			number++
		}
	}
	return number
}

// TestBridgeOfEqualLengths: of edges of the same length a clump gets that of its first member in the
// canonical order, to the first point there, in whatever order the points are given.
func TestBridgeOfEqualLengths(t *testing.T) {
	// two members, each 4 m from two points: four edges of one length
	at := [][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0}, {0, -4, 0}, {1, -4, 0}}
	for range 20 {
		rand.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		var x, y, z []float64
		for _, p := range at {
			x, y, z = append(x, p[0]), append(y, p[1]), append(z, p[2])
		}
		cloud := must.Get(New(x, y, z, parallel.Run{}))(t)
		lists := must.Get(cloud.Nearest(5, parallel.Run{}))(t)
		s := &clumpSearch{cloud: cloud, lists: lists, k: 1}
		var others []uint32
		for i := range uint32(6) {
			if cloud.Position(i).Add(cloud.Origin).Y == 0 {
				s.members = append(s.members, i)
			} else {
				others = append(others, i)
			}
		}
		first := func(points []uint32) uint32 {
			return slices.MinFunc(points, func(u, v uint32) int {
				switch {
				case u == v:
					return 0
				case cloud.before(u, v):
					return -1
				}
				return 1
			})
		}
		want := first(s.members)
		side := cloud.squared(s.members[0], s.members[1])
		near := slices.DeleteFunc(others, func(v uint32) bool { return cloud.squared(want, v) != 16*side })
		from, to := s.bridge()
		must.Equal(t, from, want, "member that the edge begins at")
		must.Equal(t, to, first(near), "point that the edge ends at")
	}
}

// TestIsolateFarApart: lengths are compared up to the diagonal of the longest sides at which no list is cut.
func TestIsolateFarApart(t *testing.T) {
	corner := []float64{0, 8550, 9990} // metres: neighbours of the first point are 14.8 and 17.3 km away
	cloud := must.Get(New(corner, corner, corner, parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(1, parallel.Run{}))(t)
	var at [3]uint32 // of the points in the cloud
	for u, o := range cloud.Order {
		at[o] = uint32(u)
	}
	must.Hold(t, cloud.near(lists, at[0], at[2], 1), "17.3 km are more than three times 14.8 km")
	must.Hold(t, !cloud.near(lists, at[2], at[0], 1), "17.3 km are at most three times 2.5 km")
}
