// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/golang/geo/r3"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// TestFill: points 2 and 3 get the label of segment 0 in two rounds; the lists of 4 and 5 have only each
// other.
func TestFill(t *testing.T) {
	cloud := &neighbor.Cloud{Unit: 1, XYZ: make([][3]int32, 7)}
	l := &neighbor.Lists{K: 1, Index: []uint32{1, 0, 1, 2, 5, 4, 3}}
	c := []uint32{0, 0, None, None, None, None, None}
	n := Fill(c, 1, cloud, l, 1)
	must.Equal(t, n, 2, "number of segments")
	must.Equal(t, c, []uint32{0, 0, 0, 0, 1, 1, 0}, "segments of the points")
}

// In a row of points at distances of 1 m with a gap of 5 m, the lists of the points behind the gap contain
// the others.
func TestFillWithinItsReach(t *testing.T) {
	cloud := &neighbor.Cloud{Unit: 0.5, XYZ: [][3]int32{{0}, {2}, {4}, {14}, {16}}}
	l := &neighbor.Lists{K: 2, Index: []uint32{1, 2, 0, 2, 1, 0, 4, 2, 3, 2}}
	for reach, want := range map[float64][]uint32{5: {0, 0, 0, 0, 0}, 4.9: {0, 0, 0, 1, 1},
		0.9: {0, 1, 2, 3, 4}} {
		c := []uint32{0, None, None, None, None}
		n := Fill(c, 1, cloud, l, reach)
		must.Equal(t, n, int(want[4])+1, "reach %v: n", reach)
		must.Equal(t, c, want, "reach %v: c", reach)
	}
}

func TestGridAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	at := make([][3]int32, 5000)
	for i := range at {
		for a := range 3 {
			at[i][a] = int32(rng.IntN(2_000_000) - 1_000_000)
		}
	}
	origin, unit, side := r3.Vector{X: 650_000.5, Y: 6_860_000.25, Z: -3}, 1e-5, 1.7
	g := must.Get(NewGrid(at, unit, origin, side))(t)
	seen := map[[3]int]uint32{}
	for i, p := range at {
		var key [3]int
		for a, o := range [3]float64{origin.X, origin.Y, origin.Z} {
			key[a] = int(math.Floor((o + float64(p[a])*unit) / side))
		}
		id, ok := seen[key]
		if ok {
			must.Need(t, id == g.Cell[i], "position %d is in cell %d: id is not g.Cell[i]", i, g.Cell[i])
		} else {
			must.Need(t, int(g.Cell[i]) == len(seen),
				"position %d is in cell %d: g.Cell[i] is not len(seen)", i, g.Cell[i])
		}
		seen[key] = g.Cell[i]
	}
	must.Hold(t, g.Len() == len(seen), "%d cells, want %d", g.Len(), len(seen))
	for c := range uint32(g.Len()) {
		m := g.Center(c)
		id := g.table.Find(g.Of([3]int32{int32(m[0]), int32(m[1]), int32(m[2])}))
		must.Need(t, id == int(c), "middle of cell %d is in cell %d", c, id)
		around := 0
		g.Around(c, func(uint32) { around++ })
		for _, q := range g.table.Keys {
			p := g.table.Keys[c]
			if q != p && max(abs(q[0]-p[0]), abs(q[1]-p[1]), abs(q[2]-p[2])) == 1 {
				around--
			}
		}
		must.Need(t, around == 0, "cell %d: missing or wrong neighbours: %d", c, around)
	}
	members := g.Members()
	for c := range g.Len() {
		for _, i := range members.Of(c) {
			must.Need(t, int(g.Cell[i]) == c, "position %d listed in cell %d", i, c)
		}
	}
	must.Fail(NewGrid(at, unit, origin, 1e-6))(t) // tiny cells
	must.Fail(NewGrid(at, unit, origin, 0))(t)    // empty cells
}

func abs(v int32) int32 { return max(v, -v) }

func TestSearch(t *testing.T) {
	for _, want := range []int{3, 20, 100, 7777} {
		tries := 0
		r, n, err := Search(want, 1, func(r float64) (int, error) {
			tries++
			return int(1000 * math.Pow(r, -1.7)), nil
		})
		must.Need(t, err == nil, "want %d: %v", want, err)
		must.Hold(t, math.Abs(float64(n-want)) <= Tolerance*float64(want)+0.5,
			"want %d: n is %v, want %v within %v", want, n, want, Tolerance*float64(want)+0.5)
		must.Hold(t, r > 0, "want %d: r is %v, want more than 0", want, r)
		must.Hold(t, tries <= 12, "want %d: tries is %v, want at most 12", want, tries)
	}
	// A count with a discontinuity at the target: the nearer side is returned.
	_, n, err := Search(100, 1, func(r float64) (int, error) {
		if r < 1.3 {
			return 140, nil
		}
		return 80, nil
	})
	must.OK(t, err)
	must.Equal(t, n, 80, "number of segments")
}

// In a lattice of points whole planes change cubes at one resolution, so that the number of cubes changes
// from 9³ to 8³ across the target. The cloud must not be segmented repeatedly between the two.
func TestFitEndsWhereSeedsJump(t *testing.T) {
	seeds := func(r float64) (int, error) {
		side := int(39/r) + 1
		return side * side * side, nil
	}
	made := 0
	s, err := Fit(640, 30, seeds, func(r float64) (*Segmentation, error) {
		made++
		n, err := seeds(r)
		return &Segmentation{Count: n - 4, Resolution: r}, err
	})
	must.OK(t, err)
	must.Equal(t, s.Count, 725, "s.Count")
	must.Hold(t, made <= 3, "made is %v, want at most 3", made)
}

// TestFitEndsWhereSegmentsDoNotFollow: the cloud is not segmented dozens of times if
// the number of segments cannot reach the target.
func TestFitEndsWhereSegmentsDoNotFollow(t *testing.T) {
	made := 0
	s, err := Fit(1000, 30, func(r float64) (int, error) { return int(1000 / r), nil },
		func(r float64) (*Segmentation, error) {
			made++
			return &Segmentation{Count: 600 + int(100/r), Resolution: r}, nil
		})
	must.OK(t, err)
	must.Hold(t, s.Count >= 700, "s.Count is %v, want at least 700", s.Count)
	must.Hold(t, made <= maxSegments, "made is %v, want at most %v", made, maxSegments)
}

// On the path 0-…-8 segment 0 holds {0,1,2}, {4} and {7,8}; segment 1 the rest. Its largest connected
// component {0,1,2} remains. {4} is merged with segment 1, which is connected then; {7,8} has the smallest
// size and becomes a segment.
func TestConnect(t *testing.T) {
	g := &neighbor.Graph{Start: []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 8},
		Head: []uint32{1, 2, 3, 4, 5, 6, 7, 8}}
	c := []uint32{0, 0, 0, 1, 0, 1, 1, 0, 0}
	n := Connect(g, c, 2, 2)
	must.Equal(t, n, 3, "number of segments")
	must.Equal(t, metrics.ConnectedComponents(g, c), 3, "metrics.ConnectedComponents(g, c)")
	// the point in the middle is as near to the first segment as to the second
	second := c[3]
	must.Hold(t, second <= 1, "point 3 is in segment %d", second)
	must.Equal(t, c, []uint32{0, 0, 0, second, 1, 1, 1, 2, 2}, "segments of the points")
}

func TestConnectRandom(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		const n = 300
		g := &neighbor.Graph{Start: make([]uint32, n+1)}
		c := make([]uint32, n)
		for u := range n {
			for v := u + 1; v < min(n, u+8); v++ {
				if rng.IntN(5) == 0 {
					g.Head = append(g.Head, uint32(v))
				}
			}
			g.Start[u+1] = uint32(len(g.Head))
			c[u] = uint32(rng.IntN(6))
		}
		count := Connect(g, c, 6, 1+rng.IntN(20))
		parts := metrics.ConnectedComponents(g, c)
		got := arrays.Number(c, count)
		must.Need(t, got == count, "seed %d: got %v, want %v", seed, got, count)
		must.Need(t, parts == count, "seed %d: parts is %v, want %v", seed, parts, count)
	}
}

func TestColor(t *testing.T) {
	c, err := Color(parallel.Run{}, map[string][]float32{"Red": {0, 65535}, "Green": {0, 0},
		"Blue": {0, 32767.5}})
	must.OK(t, err)
	must.Equal(t, c, [][3]float32{{0, 0, 0}, {1, 0, 0.5}}, "centres")
	c, _ = Color(parallel.Run{}, map[string][]float32{"Red": {0}, "Green": {0}, "Blue": {255}})
	must.Hold(t, c[0] == [3]float32{0, 0, 1}, "8 bits: %v", c)
	c, _ = Color(parallel.Run{}, map[string][]float32{"Red": {1}})
	must.Hold(t, c == nil, "incomplete colour: %v", c)
}

func TestSpacing(t *testing.T) {
	var x []float64
	for i := range 100 {
		x = append(x, 0.5*float64(i))
	}
	c := must.Get(neighbor.New(x, make([]float64, 100), make([]float64, 100), parallel.Run{}))(t)
	l := must.Get(c.Nearest(4, parallel.Run{}))(t)
	s := NeighborDistance(c, l, 4)
	must.Hold(t, math.Abs(s-1) <= 1e-6, "spacing %v, want 1", s)
}

// TestNormalOf: points of the plane z = x/2 − y/4.
func TestNormalOf(t *testing.T) {
	var m shape.Moments
	for _, p := range [][3]float64{{0, 0, 0}, {2, 0, 1}, {0, 4, -1}, {2, 4, 0}} {
		m.Add(p[0], p[1], p[2])
	}
	length := math.Sqrt(.25 + .0625 + 1)
	for a, want := range [3]float64{-.5 / length, .25 / length, 1 / length} {
		got := NormalOf(&m)
		must.Hold(t, math.Abs(float64(got[a])-want) <= 1e-6, "axis %d is %v, want %v", a, got[a], want)
	}
}

func TestSizesThatCannotBeUsed(t *testing.T) {
	for want, s := range map[string]Size{
		"give one of them":        {},
		"and target size 2; give": {1, 2},
		"resolution -1 m":         {Resolution: -1},
		"resolution NaN m":        {Resolution: math.NaN()},
		"resolution +Inf m":       {Resolution: math.Inf(1)},
		"size of 0.5 points":      {TargetSize: 0.5},
	} {
		must.Fail(s.Check())(t, want)
	}
	must.OK(t, Size{TargetSize: 1}.Check())
}

// TestNeighborDistanceByHand: distances count along every axis.
func TestNeighborDistanceByHand(t *testing.T) {
	for axis, name := range []string{"X", "Y", "Z"} {
		at := [3][]float64{make([]float64, 9), make([]float64, 9), make([]float64, 9)}
		for i := range at[axis] {
			at[axis][i] = 3 * float64(i)
		}
		c := must.Get(neighbor.New(at[0], at[1], at[2], parallel.Run{}))(t)
		l := must.Get(c.Nearest(2, parallel.Run{}))(t)
		got := NeighborDistance(c, l, 1)
		must.Hold(t, math.Abs(got-3) <= 1e-6, "points 3 m apart along %s: %v m", name, got)
	}
}
