// SPDX-License-Identifier: BSD-3-Clause

package reduced_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem/reduced"
	"superpoint/testdata/must"
)

var run = parallel.Run{Threads: 2}

// randomPartition returns connected components of a random colouring.
func randomPartition(t *testing.T, random *rand.Rand, g *reduced.Graph, colours int) ([]uint32, int) {
	t.Helper()
	label := make([]uint32, g.Vertices())
	for u := range label {
		label[u] = uint32(random.IntN(colours))
	}
	count := g.ConnectedComponents(run, label, nil)
	return label, count
}

func TestConnectedComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		p := oracle.Random(random, 1+random.IntN(80), 1, .05)
		colour := make([]uint32, p.Graph.Vertices())
		for u := range colour {
			colour[u] = uint32(random.IntN(2))
		}
		want, parts := oracle.Parts(p, colour)
		got := slices.Clone(colour)
		g, end := reduced.New(p), make([]uint32, len(got))
		count := g.ConnectedComponents(run, got, end)
		must.Need(t, count == parts, "count is %v, want %v", count, parts)
		must.Need(t, slices.Equal(got, want), "got is not want")
		for u, to := range end {
			row := g.Head[g.Start[u]:g.End[u]]
			outside := slices.ContainsFunc(row, func(v uint32) bool { return got[v] != got[u] })
			if outside {
				must.Need(t, to == g.End[u],
					"the row of %d ends at %d; there are edges between components: to is %v, want %v",
					u, to, to, g.End[u])
			} else {
				must.Need(t, to == g.Start[u],
					"the row of %d ends at %d; there are edges between components: to is %v, want %v",
					u, to, to, g.Start[u])
			}
		}
	}
}

// TestContractKeepsEnergies: contracting preserves the energy of every coarser partition, up to
// the fidelity term within the vertices, which is constant.
func TestContractKeepsEnergies(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for i := range 60 {
		p := oracle.Random(random, 2+random.IntN(60), 1+random.IntN(8), .1)
		if p.Dim > 1 && i%2 == 0 {
			oracle.Weigh(random, p)
		}
		g := reduced.New(p)
		label, count := randomPartition(t, random, g, 3)
		var c reduced.Contractor
		small := c.Contract(run, g, label, count, nil)
		coarse, parts := randomPartition(t, random, small, 2)
		ids := make([]uint32, len(label))
		for u, v := range label {
			ids[u] = coarse[v]
		}
		constant := 0.
		for v := range count {
			var members []int
			for u, w := range label {
				if int(w) == v {
					members = append(members, u)
				}
			}
			constant += oracle.Fidelity(p, members)
		}
		e := small.Energy(run, coarse, parts)
		want := oracle.Energy(p, ids)
		must.Need(t, math.Abs(e+constant-want) <= 1e-5*(1+want),
			"case %d: energy %g + %g on the reduced graph, %g on the points", i, e, constant, want)
		for u := range small.Vertices() {
			row := slices.Clone(small.Head[small.Start[u]:small.End[u]])
			slices.Sort(row)
			must.Need(t, len(slices.Compact(slices.Clone(row))) == len(row),
				"row %d: len(slices.Compact(slices.Clone(row))) is not len(row)", u)
			if len(row) != 0 {
				must.Need(t, row[0] > uint32(u),
					"row %d: row[0] is %v, want more than %v", u, row[0], uint32(u))
			}
		}
	}
}

// TestLossIsIncreaseOfFidelity: Loss is the increase of the fidelity term.
func TestLossIsIncreaseOfFidelity(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		dim := 1 + random.IntN(8)
		p := oracle.Random(random, 12, dim, .3)
		if dim > 1 && random.IntN(2) == 0 {
			oracle.Weigh(random, p)
		}
		g := reduced.New(p)
		label := []uint32{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2}
		var c reduced.Contractor
		small := c.Contract(run, g, label, 3, nil)
		a, b := []int{0, 1, 2, 3}, []int{4, 5, 6, 7, 8, 9}
		want := oracle.Fidelity(p, append(slices.Clone(a), b...)) - oracle.Fidelity(p,
			a) - oracle.Fidelity(p, b)
		got := float64(small.Loss(0, 1))
		must.Need(t, math.Abs(got-want) <= 1e-4*(1+want),
			"%d columns: got %v, want %v within %v", dim, got, want, 1e-4*(1+want))
		must.Need(t, small.Loss(0, 1) == small.Loss(1, 0),
			"%d columns: small.Loss(0, 1) is not small.Loss(1, 0)", dim)
	}
}

// TestBestAgainstAllPairs compares the best merges with all pairs, for 7 columns (the unrolled sum) and 6.
func TestBestAgainstAllPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for i := range 60 {
		p := oracle.Random(random, 2+random.IntN(50), 6+i%2, .15)
		if i%4 > 1 {
			oracle.Weigh(random, p)
		}
		g := reduced.New(p)
		var c reduced.Choice
		g.Best(run, 0, &c)
		gain := make([]float32, g.Vertices())
		best := slices.Repeat([]uint32{reduced.None}, g.Vertices())
		offer := func(u, v uint32, x float32) {
			if x > gain[u] || x == gain[u] && v < best[u] {
				gain[u], best[u] = x, v
			}
		}
		for u := range uint32(g.Vertices()) {
			for k := g.Start[u]; k < g.End[u]; k++ {
				if x := g.Scale*g.Weight[k] - g.Loss(u, g.Head[k]); x > 0 {
					offer(u, g.Head[k], x)
					offer(g.Head[k], u, x)
				}
			}
		}
		must.Need(t, slices.Equal(best, c.Neighbor), "best is not c.Neighbor")
		must.Need(t, slices.Equal(gain, c.Gain), "gain is not c.Gain")
	}
}

// TestLargeGraphsAcrossBlocks has a grid larger than two blocks, so that edges cross blocks.
func TestLargeGraphsAcrossBlocks(t *testing.T) {
	p := oracle.Grid(260, 1, 1)
	stripes := func(x, _ int) int { return x / 7 }
	holes := func(x, y int) int { // one component with very many neighbors in all blocks
		if x%2 == 1 && y%2 == 1 {
			return 1 + 260*y + x
		}
		return 0
	}
	for want, of := range map[int]func(x, y int) int{38: stripes, 1 + 130*130: holes} {
		g := reduced.New(p)
		label := make([]uint32, g.Vertices())
		for u := range label {
			label[u] = uint32(of(u%260, u/260))
		}
		checkContraction(t, g, label, want)
	}
}

// checkContraction expects so many components of a label, connected, and between them the edges of the graph.
func checkContraction(t *testing.T, g *reduced.Graph, label []uint32, components int) {
	t.Helper()
	count := g.ConnectedComponents(run, label, nil)
	must.Need(t, count == components, "%d connected components", count)
	var c reduced.Contractor
	small := c.Contract(run, g, label, count, nil)
	whole := make([]uint32, count)
	k := small.ConnectedComponents(run, whole, nil)
	must.Need(t, k == 1, "%d components", k)
	id := arrays.Indices[uint32](count)
	cut := small.Energy(run, id, count) // all edges are cut; the fidelity term is 0
	var want float64
	for u := range label {
		for k := g.Start[u]; k < g.End[u]; k++ {
			if label[u] != label[g.Head[k]] {
				want += float64(g.Scale * g.Weight[k])
			}
		}
	}
	must.Hold(t, math.Abs(cut-want) <= 1e-4*want,
		"cutting every edge of the reduced graph costs %g, of the graph %g", cut, want)
}

func TestNumber(t *testing.T) {
	root := []uint32{0, 0, 2, 1, 2, 5, 4}
	id := make([]uint32, len(root))
	count := reduced.Number(run, root, id)
	want := []uint32{0, 0, 1, 0, 1, 2, 1}
	must.Equal(t, count, 3, "count")
	must.Equal(t, id, want, "id")
	must.Hold(t, arrays.Number(want, 7) == 3, "not dense")
}
