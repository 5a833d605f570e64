// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"maps"
	"math"
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
	graph, _, err := NewGraph(cloud, lists, GraphOptions{Nearest: k, Around: Around}, run)
	if err != nil {
		t.Fatal(err)
	}
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
	if long < 50 || short < 50 {
		t.Fatalf("%d long and %d short edges of isolated points", long, short)
	}
	must.OK(t, graph.Isolate(run, cloud, lists, k, isolated))
	checkGraph(t, graph)
	if !maps.Equal(edgeSet(graph), want) {
		t.Errorf("%d edges, want %d", graph.Edges(), len(want))
	}
	begun, err := OwnEdges(cloud, lists, k, Around, func(uint32) float64 { return math.Inf(1) }, run)
	if err != nil {
		t.Fatal(err)
	}
	if err := begun.Isolate(run, cloud, lists, k, isolated); err != nil {
		t.Fatal(err)
	}
	got := map[[2]uint32]bool{}
	for u := range uint32(cloud.Len()) {
		for _, v := range begun.Of(u) {
			got[[2]uint32{min(u, v), max(u, v)}] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("points begin %d edges, want %d", len(got), len(want))
	}
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
		lists, err := cloud.Nearest(20, parallel.Run{})
		if err != nil {
			t.Fatal(err)
		}
		return cloud.Spacing(lists)
	}
	if got, want := spacing(250), spacing(0); math.Abs(got/want-1) > 1e-6 {
		t.Errorf("spacing is %v with noise, %v without", got, want)
	}
}
