// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

// survey is a simulated cloud: hills with blocks and trees, with areas of higher density and duplicate
// points.
type survey struct {
	t       testing.TB
	x, y, z []float64
	value   [][]float32
	full    *problem.Problem
	// vertices have weights
	weighted bool
	order    []uint32 // ID of each vertex of full
	reach    float64  // longest distance to a nearest neighbour that makes an edge
}

const (
	near   = 5 // neighbours that make edges
	narrow = 4 // first halo, in metres
)

func newSurvey(t testing.TB, n int, normalized float64, weighted bool) *survey {
	random := rand.New(rand.NewPCG(11, 11))
	s := &survey{t: t, weighted: weighted}
	for len(s.x) < n {
		x, y := 100*random.Float64(), 100*random.Float64()
		if x < 40 && random.IntN(3) == 0 {
			continue
		}
		z := 3*math.Sin(x/17) + 2*math.Cos(y/11)
		kind := 0.
		switch a, b := math.Mod(x, 23), math.Mod(y, 19); {
		case a > 8 && a < 17 && b > 5 && b < 14:
			z, kind = z+6, 1
		case a < 5 && b < 6:
			z, kind = z+4*random.Float64(), 2
		}
		round := func(v float64) float64 { return math.Round(v*100) / 100 }
		s.x, s.y, s.z = append(s.x, round(x)), append(s.y, round(y)), append(s.z, round(z))
		e := []float32{float32(kind + .2*random.NormFloat64()),
			float32(math.Sin(kind) + .2*random.NormFloat64()),
			.05 * float32(x), .05 * float32(y), .05 * float32(z)}
		s.value = append(s.value, e)
		if random.IntN(50) == 0 {
			s.x, s.y, s.z, s.value = append(s.x, s.x[len(s.x)-1]), append(s.y, s.y[len(s.y)-1]), append(s.z,
				s.z[len(s.z)-1]), append(s.value, e)
		}
	}
	all := arrays.Indices[uint32](len(s.x))
	cloud, lists := s.cut(all)
	for i := range cloud.XYZ {
		for _, k := range lists.Of(i) {
			dx, dy, dz := cloud.Offset(uint32(i), k)
			s.reach = max(s.reach, math.Sqrt(float64(dx*dx+dy*dy+dz*dz)))
		}
	}
	s.order = cloud.Order
	s.full = s.problem(cloud, lists)
	s.full.Lambda, s.full.MinSize = problem.Lambda(s.full.Graph, nil, normalized),
		problem.MinSize(10, normalized)
	id := make(ids, len(s.order))
	for u, k := range s.order {
		id[u] = keyOf(k)
	}
	s.full.Order = id
	return s
}

// keyOf returns the key, which is also the ID, of a point; two points have one position.
func keyOf(k uint32) uint64 { return uint64(k/2)<<20 | uint64(k%2) }

// cut returns the cloud of some points, whose Order has indices in the survey, and their nearest neighbours.
func (s *survey) cut(points []uint32) (*neighbor.Cloud, *neighbor.Lists) {
	x, y, z := make([]float64, len(points)), make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		x[i], y[i], z[i] = s.x[p], s.y[p], s.z[p]
	}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(s.t)
	for i, k := range cloud.Order {
		cloud.Order[i] = points[k]
	}
	return cloud, must.Get(cloud.Nearest(near, parallel.Run{}))(s.t)
}

func (s *survey) problem(cloud *neighbor.Cloud, lists *neighbor.Lists) *problem.Problem {
	p := &problem.Problem{Graph: must.Get(neighbor.Adjacency(lists, near, parallel.Run{}))(s.t),
		Dim: len(s.value[0])}
	if s.weighted {
		for _, k := range cloud.Order {
			p.Weight = append(p.Weight, 1+float32(k/2*7%49)/problem.WeightSteps)
		}
	}
	var embedding []float32
	for _, k := range cloud.Order {
		p.Values = append(p.Values, s.value[k]...)
		embedding = append(embedding, s.value[k][:2]...)
	}
	terms := problem.Terms{Embedding: embedding, Dim: 2, EdgeDecay: .5}
	p.Contrast = must.Get(problem.Build(parallel.Run{}, p.Graph, terms))(s.t).Contrast
	return p
}

// tile returns the tile whose core begins at x, y. A point's edges are exact if the
// edges of its neighbours are within the tile.
func (s *survey) tile(x, y, size, halo float64) *Tile {
	var points []uint32
	rim := func(k uint32) float64 {
		return halo + min(s.x[k]-x, x+size-s.x[k], s.y[k]-y, y+size-s.y[k])
	}
	for k := range s.x {
		if rim(uint32(k)) > 0 {
			points = append(points, uint32(k))
		}
	}
	cloud, lists := s.cut(points)
	t := &Tile{Problem: s.problem(cloud, lists)}
	t.Problem.Lambda, t.Problem.MinSize = s.full.Lambda, s.full.MinSize
	for _, k := range cloud.Order {
		t.ID = append(t.ID, keyOf(k))
		t.Core = append(t.Core, s.x[k] >= x && s.x[k] < x+size && s.y[k] >= y && s.y[k] < y+size)
		t.Known = append(t.Known, rim(k) > 2*s.reach)
	}
	return t
}

// TestTilesGiveTheFullCloud: tiles of any size, in any order, give the partition of the full cloud at every
// level.
func TestTilesGiveTheFullCloud(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		normalized, size float64
		weighted         bool
	}{{1, 26, false}, {1, 41, true}, {1, 77, true}, {4, 41, false}, {4, 26, true}} {
		s := newSurvey(t, 16000, c.normalized, c.weighted)
		coarser := []problem.Strength{{Lambda: 20 * s.full.Lambda, MinSize: 40}, {Lambda: 400 * s.full.Lambda,
			MinSize: 100}}
		levels, joint, most := s.solve(t, c.size, 1+random.IntN(3), coarser, random)
		want, count := oracle.Solve(Solver{}, s.full, 2), len(s.x)
		for k, got := range levels {
			before := count
			count = int(slices.Max(got)) + 1
			must.Equal(t, count, want.Count,
				"λ̃ %g, tiles of %g, level %d: components", c.normalized, c.size, k)
			must.Equal(t, got, want.Component, "λ̃ %g, tiles of %g, level %d", c.normalized, c.size, k)
			must.Hold(t, before >= 2*count,
				"λ̃ %g, tiles of %g, level %d: before is %v, want at least %v",
				c.normalized, c.size, k, before, 2*count)
			if k < len(coarser) {
				p := *s.full
				p.MinSize = coarser[k].MinSize
				want = above(t, &p, want, coarser[k].Lambda, 2)
			}
		}
		must.Hold(t, most > narrow,
			"λ̃ %g, tiles of %g: no halo was too narrow, so HaloError was not tested", c.normalized, c.size)
		t.Logf("λ̃ %g, tiles of %g: %d components, widest halo %g, global merge %.1f bytes per point",
			c.normalized, c.size,
			count, most, joint)
	}
}

// solve solves the survey by tiles and returns the component of each vertex of the full
// cloud by level, the memory of the inputs of the global merges in bytes per point, and the widest halo.
func (s *survey) solve(t *testing.T, size float64, threads int, coarser []problem.Strength,
	random *rand.Rand) (component [][]uint32, joint, most float64) {
	run := parallel.Run{Threads: threads}
	columns := int(math.Ceil(100 / size))
	n := columns * columns
	tiles, initial, pieces := make([]*Tile, n), make([]*InitialComponents, n), make([]*CoreComponents, n)
	piece := make([][]uint32, n)
	halo := make([]float64, n)
	coarsen := func(i int) {
		for initial[i] == nil {
			tiles[i] = s.tile(float64(i%columns)*size, float64(i/columns)*size, size, halo[i])
			var err error
			var inexact *HaloError
			if initial[i], err = tiles[i].Coarsen(run); errors.As(err, &inexact) {
				halo[i] *= 1.5
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, i := range random.Perm(n) {
		halo[i] = narrow
		coarsen(i)
	}
	j := must.Get(Merge(run, s.full.Dim, s.full.Lambda, s.full.MinSize, initial))(t)
	for _, a := range initial {
		joint += float64(len(a.First)*(12+4*s.full.Dim) + 16*len(a.To))
	}
	for _, i := range random.Perm(n) {
		for pieces[i] == nil {
			var err error
			var inexact *HaloError
			if pieces[i], piece[i], err = tiles[i].Refine(run, j); errors.As(err, &inexact) {
				halo[i] *= 1.5
				initial[i] = nil
				coarsen(i)
			} else if err != nil {
				t.Fatal(err)
			}
		}
		most = max(most, halo[i])
	}
	for _, final := range must.Get(Finish(run, j, pieces, coarser))(t) {
		of, level := make([]uint32, len(s.x)), []uint32(nil)
		for i, tile := range tiles {
			for u, c := range piece[i] {
				if tile.Core[u] {
					of[tile.ID[u]>>20<<1|tile.ID[u]&1] = final[i][c]
				}
			}
		}
		for _, k := range s.order {
			level = append(level, of[k])
		}
		component = append(component, level)
	}
	return component, joint / float64(len(s.x)), most
}

// TestBorders: of two tiles with two core components each, the edges across the border connect components
// of one label, and the weight between the others is the sum of all edges, each counted once.
func TestBorders(t *testing.T) {
	tiles := func(weight int64) []*CoreComponents {
		return []*CoreComponents{
			{First: []uint64{1, 2}, Label: []uint32{4, 5}, A: []uint32{0}, B: []uint32{1},
				Inside: []int64{quanta},
				Own:    []uint64{1, 1, 2}, Other: []uint64{11, 12, 11}, Component: []uint32{0, 0, 1},
				Across: []int64{9, 2 * quanta, weight}},
			{First: []uint64{11, 12}, Label: []uint32{4, 6}, Own: []uint64{12, 11, 11},
				Other:     []uint64{1, 2, 1},
				Component: []uint32{1, 0, 0}, Across: []int64{2 * quanta, 4 * quanta, 9}},
		}
	}
	root, touch, err := meet(parallel.Run{}, tiles(4*quanta), []uint32{0, 2, 4})
	must.OK(t, err)
	must.Hold(t, slices.Equal(root, []uint32{0, 1, 0, 3}), "roots %v", root)
	want := []adjacency{{0, 1, 5 * quanta}, {0, 2, 2 * quanta}}
	must.Equal(t, between(parallel.Run{}, touch, []uint32{0, 1, 0, 2}), want, "adjacencies")
	must.Fail(meet(parallel.Run{}, tiles(5*quanta), []uint32{0, 2, 4}))(t, "from point 2 to 11")
	odd := tiles(4 * quanta)
	odd[1].Own = odd[1].Own[:2]
	must.Fail(meet(parallel.Run{}, odd, []uint32{0, 2, 4}))(t, "from point 1 to 11")
}
