// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

// above returns the partition of p above r.
func above(t *testing.T, p *problem.Problem, r *problem.Result, lambda float64, threads int) *problem.Result {
	t.Helper()
	run := parallel.Run{Threads: threads}
	solver := must.Get(Solver{}.Above(run, p, r))(t)
	q := *p
	q.Lambda = lambda
	return must.Get(solver.Solve(run, &q))(t)
}

// nest reports whether every component of a partition lies in one of another.
func nest(finer, coarser []uint32) bool {
	in := map[uint32]uint32{}
	for u, c := range finer {
		if up, seen := in[c]; seen && up != coarser[u] {
			return false
		}
		in[c] = coarser[u]
	}
	return true
}

// TestLevelsOfSmallGraphs compares levels of random graphs with the best of all unions of the components
// below. Unions that are not connected never have the least energy.
func TestLevelsOfSmallGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	excess, merged, cases := 0., 0, 0
	for i := range 600 {
		p := oracle.Random(random, 6+random.IntN(6), 2+random.IntN(4), .4)
		p.Lambda /= 4
		if i%4 > 1 {
			oracle.Weigh(random, p)
		}
		fine := oracle.Solve(Solver{}, p, 1)
		if fine.Count < 3 || fine.Count > 7 {
			continue
		}
		lambda := p.Lambda * (1 + 9*random.Float64())
		cases++
		r := above(t, p, fine, lambda, 1)
		q := *p
		q.Lambda = lambda
		err := oracle.Check(&q, r)
		must.Need(t, err == nil, "case %d: %v", i, err)
		must.Hold(t, nest(fine.Component, r.Component),
			"case %d: nest(fine.Component, r.Component) is false", i)
		least := math.Inf(1)
		ids := make([]uint32, len(fine.Component))
		eachUnion(fine.Count, func(union []uint32) {
			for u, c := range fine.Component {
				ids[u] = union[c]
			}
			least = min(least, oracle.Energy(&q, ids))
		})
		if excess += r.Energy/least - 1; r.Count < fine.Count {
			merged++
		}
	}
	must.Hold(t, merged >= 50, "merged is %v, want at least 50", merged)
	must.Hold(t, excess/float64(cases) <= 1e-3,
		"energy above the optimum on average: got %v, want at most 1e-3", excess/float64(cases))
	t.Logf("%d of %d merged something; excess %.2g", merged, cases, excess/float64(cases))
}

// eachUnion calls see with all partitions of n elements.
func eachUnion(n int, see func(union []uint32)) {
	union := make([]uint32, n)
	var next func(k int, count uint32)
	next = func(k int, count uint32) {
		if k == n {
			see(union)
			return
		}
		for c := range count + 1 {
			union[k] = c
			next(k+1, max(count, c+1))
		}
	}
	next(0, 0)
}

// TestLevelsNest: levels nest, are numbered by first vertex in Order, and depend on neither threads nor
// numbering.
func TestLevelsNest(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	p := oracle.Weigh(random, oracle.Grid(90, .5, 10))
	p.Order = numbered{}
	fine := oracle.Solve(Solver{}, p, 1)
	want := above(t, p, fine, 20*p.Lambda, 1)
	top := above(t, p, want, 400*p.Lambda, 1)
	must.Need(t, top.Count < want.Count, "components: got %v, want less than %v", top.Count, want.Count)
	must.Need(t, want.Count < fine.Count, "want.Count is %v, want less than %v", want.Count, fine.Count)
	must.Need(t, nest(fine.Component, want.Component), "nest(fine.Component, want.Component) is false")
	must.Hold(t, nest(want.Component, top.Component), "nest(want.Component, top.Component) is false")
	numbers := slices.Clone(want.Component)
	must.Need(t, arrays.Number(numbers, want.Count) == want.Count,
		"not numbered by first vertex: arrays.Number(numbers, want.Count) is not want.Count")
	must.Equal(t, numbers, want.Component, "not numbered by first vertex: numbers")
	for threads := range 4 {
		q, number := renumbered(p, random)
		got := above(t, q, oracle.Solve(Solver{}, q, 1+threads), 20*p.Lambda, 1+threads)
		for u, v := range number {
			must.Need(t, got.Component[v] == want.Component[u],
				"another partition with %d threads in another order", 1+threads)
		}
		if got.Energy != want.Energy {
			must.Hold(t, math.Abs(got.Energy/want.Energy-1) <= 1e-12,
				"got.Energy/want.Energy is %v, want 1 within 1e-12", got.Energy/want.Energy)
		}
	}
}
