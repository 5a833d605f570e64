// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

func TestSolver(t *testing.T) {
	for _, err := range oracle.Suite(Solver{}, 100) {
		t.Error(err)
	}
}

func TestSmallGraphsAgainstEveryPartition(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		mean, _, _ := oracle.Above(Solver{}, 200, weighted)
		t.Logf("weights %v: energy above the optimum: %.3f %% on average", weighted, 100*mean)
		must.Hold(t, mean <= .001, "weights %v: energy %.3f %% above the optimum on average",
			weighted, 100*mean)
	}
}

func TestEnergyAtMostThatOfCutPursuit(t *testing.T) {
	for _, normalized := range []float64{.3, 1, 3, 10} {
		p := oracle.Grid(70, normalized, 10)
		mine, theirs := oracle.Solve(Solver{}, p, 1), oracle.Solve(cutpursuit.Solver{}, p, 1)
		t.Logf("λ̃ %g: %.4f × cut pursuit", normalized, mine.Energy/theirs.Energy)
		must.Hold(t, mine.Energy <= 1.002*theirs.Energy,
			"λ̃ %g: energy %g, cut pursuit's %g", normalized, mine.Energy, theirs.Energy)
	}
}

// TestPartitionIndependentOfNumbering: the partition does not depend on the order of vertices.
func TestPartitionIndependentOfNumbering(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, weighted := range []bool{false, true} {
		for i := range 6 {
			p := oracle.Grid(72, []float64{.3, 2, 10}[i%3], 10)
			if weighted {
				oracle.Weigh(random, p)
			}
			if i > 2 { // many equal values, so many ties
				for k := range p.Values {
					p.Values[k] = float32(int(4*p.Values[k])) / 4
				}
				for k := range p.Contrast {
					p.Contrast[k] = float32(int(4*p.Contrast[k])) / 4
				}
			}
			p.Order = numbered{}
			want := oracle.Solve(Solver{}, p, 1)
			q, number := renumbered(p, random)
			got := oracle.Solve(Solver{}, q, 1+i%3)
			moved := make([]uint32, len(number))
			for u, v := range number {
				moved[u] = got.Component[v]
			}
			count := arrays.Number(moved, got.Count)
			must.Equal(t, count, want.Count, "problem %d, weights %v: components", i, weighted)
			must.Equal(t, moved, want.Component, "problem %d, weights %v: moved", i, weighted)
		}
	}
}

// renumbered returns a problem with the vertices in another order, and the new number of each.
func renumbered(p *problem.Problem, random *rand.Rand) (*problem.Problem, []uint32) {
	n := p.Graph.Vertices()
	number, old := make([]uint32, n), make([]uint32, n)
	for v, u := range random.Perm(n) {
		number[u], old[v] = uint32(v), uint32(u)
	}
	q := *p
	var pairs [][2]int
	contrast := map[[2]uint32]float32{}
	for u := range uint32(n) {
		for k := p.Graph.Start[u]; k < p.Graph.Start[u+1]; k++ {
			a, b := number[u], number[p.Graph.Head[k]]
			pairs = append(pairs, [2]int{int(a), int(b)})
			contrast[[2]uint32{min(a, b), max(a, b)}] = p.Contrast[k]
		}
	}
	q.Graph = oracle.Graph(n, pairs)
	q.Weight = slices.Clone(p.Weight)
	for u, b := range p.Weight {
		q.Weight[number[u]] = b
	}
	q.Values, q.Contrast = make([]float32, len(p.Values)), make([]float32, len(p.Contrast))
	for u := range uint32(n) {
		copy(q.Values[int(number[u])*p.Dim:int(number[u]+1)*p.Dim], p.Values[int(u)*p.Dim:])
		for k := q.Graph.Start[u]; k < q.Graph.Start[u+1]; k++ {
			q.Contrast[k] = contrast[[2]uint32{u, q.Graph.Head[k]}]
		}
	}
	q.Order = numbered{old, 0}
	return &q, number
}

// numbered orders vertices by their numbers, or by other numbers. The keys have a unit; 0 makes all equal.
type numbered struct {
	of   []uint32
	unit uint64
}

func (o numbered) number(u uint32) uint32 {
	if o.of != nil {
		return o.of[u]
	}
	return u
}

func (o numbered) Precedes(u, v uint32) bool { return o.number(u) < o.number(v) }
func (o numbered) Key(u uint32) uint64       { return uint64(o.number(u)) * o.unit }

// TestEqualValues: coarsening merges most vertices even if all gains are equal: the tie-break
// hash belongs to the edge, so its ends choose each other often.
func TestEqualValues(t *testing.T) {
	p := oracle.Grid(150, 1, 10)
	for k := range p.Values {
		p.Values[k] = .5
	}
	for k := range p.Contrast {
		p.Contrast[k] = 1
	}
	n := p.Graph.Vertices()
	for _, ordered := range []bool{false, true} {
		if ordered {
			p.Order = numbered{unit: 1 << 20}
		}
		run := parallel.Run{}
		_, initial := coarsen(run, newGraph(run, p))
		must.Hold(t, 3*initial.Vertices() <= n,
			"ordered %v: %d of %d vertices are left after coarsening", ordered, initial.Vertices(), n)
		t.Logf("%d of %d", initial.Vertices(), n)
	}
}

// TestBorder compares the members of a border and their edges from smaller vertices with all edges of a graph
// of several blocks.
func TestBorder(t *testing.T) {
	g := newGraph(parallel.Run{}, oracle.Grid(260, 1, 1))
	label := make([]uint32, g.Vertices())
	for u := range label {
		label[u] = uint32(u % 260 / 7)
	}
	b := newBorder(parallel.Run{}, g, label)
	tails, member := make([][]uint32, len(label)), make([]uint32, len(label))
	for u := range uint32(len(label)) {
		for _, v := range g.Head[g.Start[u]:g.End[u]] {
			tails[v] = append(tails[v], u)
			if label[u] != label[v] {
				member[u], member[v] = 1, 1
			}
		}
	}
	must.Need(t, slices.Equal(b.member, member), "other members")
	for v := range uint32(len(label)) {
		tail, weight := b.of(v)
		want := tails[v][:len(tails[v])*int(member[v])]
		must.Need(t, slices.Equal(slices.Sorted(slices.Values(tail)), want),
			"vertex %d: edges from %v, want %v", v, tail, want)
		for i, u := range tail {
			k := int(g.Start[u]) + slices.Index(g.Head[g.Start[u]:g.End[u]], v)
			must.Need(t, weight[i] == g.Weight[k], "edge from %d to %d: weight %v, want %v", u, v,
				weight[i], g.Weight[k])
		}
	}
}
