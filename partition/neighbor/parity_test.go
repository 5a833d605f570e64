// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// TestKernelsAgree compares the vector kernel with plain Go: lists must be equal.
func TestKernelsAgree(t *testing.T) {
	clouds := degenerate()
	clouds["large lidar"] = lidar(8_000, 7)
	clouds["large volume"] = uniform(5_000, 7)
	coarse := lidar(4_000, 3)
	for i := range coarse.x { // many ties and duplicates
		coarse.x[i], coarse.y[i], coarse.z[i] = float64(int(coarse.x[i]*2)),
			float64(int(coarse.y[i]*2)), float64(
				int(coarse.z[i]))
	}
	clouds["coarse"] = coarse
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 2)
		for _, k := range []int{1, 5, 20, 33, 101} {
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) {
				if k = min(k, cloud.Len()-1); k < 1 {
					return
				}
				plain, fast := newLists(cloud.Len(), k), newLists(cloud.Len(), k)
				must.OK(t, cloud.nearestGo(plain, parallel.Run{Threads: 2}))
				must.OK(t, cloud.nearest(fast, parallel.Run{Threads: 2}))
				for i := range cloud.Len() {
					must.Need(t, slices.Equal(plain.Of(i), fast.Of(i)),
						"neighbours of %d:\nplain %v\nfast  %v", i, plain.Of(i), fast.Of(i))
				}
			})
		}
	}
}

// TestKernelsAgreeOnAnAerialTile does the same for a simulated aerial scan, with ties and duplicates.
func TestKernelsAgreeOnAnAerialTile(t *testing.T) {
	p := realdata.Read(t, "train/isprs_samp42.laz")
	cloud := mustNew(t, columns{p.X, p.Y, p.Z}, 2)
	plain, fast := newLists(cloud.Len(), 20), newLists(cloud.Len(), 20)
	must.OK(t, cloud.nearestGo(plain, parallel.Run{}))
	must.OK(t, cloud.nearest(fast, parallel.Run{}))
	must.Hold(t, slices.Equal(plain.Index, fast.Index), "lists differ")
}

// TestCandidatesAgree compares the vector kernel for edges across lines with plain Go: ranks,
// borders and sides must be equal. The test of boxes beside a cone must not change the result of a search.
func TestCandidatesAgree(t *testing.T) {
	clouds := degenerate()
	for name, pattern := range linePatterns() {
		clouds[name] = pattern
		var far columns // points with neighbours beyond 2²⁴ units are computed in Go
		for i := range pattern.x {
			far.add(pattern.x[i]*300, pattern.y[i]*300, pattern.z[i]*300)
		}
		clouds[name+", 300 times as large"] = far
	}
	clouds["large lidar"], clouds["large volume"] = lidar(8_000, 7), uniform(5_000, 7)
	seeds, beside := 0, 0
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 2)
		for _, k := range []int{33, 9} {
			if k >= cloud.Len() {
				continue
			}
			l := must.Get(cloud.Nearest(k, parallel.Run{Threads: 2}))(t)
			fast := &candidates{cloud: cloud, lists: l, k: 5, around: min(k, Around)}
			must.OK(t, fast.find(parallel.Run{Threads: 2}))
			plain := *fast
			plain.which, plain.border = make([]uint32, cloud.Len()), make([]uint8, cloud.Len())
			plain.side = make([][3]int8, cloud.Len())
			plain.aroundGo(&borderSearch{cloud: cloud}, 0, cloud.Len())
			must.Hold(t, slices.Equal(plain.border, fast.border),
				"%s, %d neighbours: other points are at a border", name, k)
			must.Hold(t, slices.Equal(plain.side, fast.side), "%s, %d neighbours: other sides", name, k)
			for i := range plain.which {
				must.Need(t, plain.which[i] == fast.which[i]&ranks,
					"%s, %d neighbours: ranks of %d are %b, plain %b", name, k, i, fast.which[i],
					plain.which[i])
			}
			for place, i := range fast.seeds {
				want := searchAll(fast, i)
				got := fast.beside[place]
				if fast.border[i] == 1 {
					must.Need(t, got[0] == want,
						"%s, %d neighbours: got[0] is %v, want %v", name, k, got[0], want)
				}
				if want != none {
					beside++
				}
			}
			seeds += len(fast.seeds)
		}
	}
	must.Hold(t, seeds >= 5_000, "seeds: got %v, want at least 5_000", seeds)
	must.Hold(t, beside >= 2_500, "beside is %v, want at least 2_500", beside)
}

// TestSearchesBeyondBordersAgree compares the searches in C for points in a cone and for a gap with those in
// plain Go, in random directions, from no distance to more than C can compare exactly.
func TestSearchesBeyondBordersAgree(t *testing.T) {
	clouds := degenerate()
	wide := lidar(3_000, 5)
	wide.x[0] += 20_000 // distances up to 2³¹ units
	clouds["lidar, 20 km wide"] = wide
	ties := uniform(4_000, 3)
	for i := range ties.x {
		ties.x[i], ties.y[i], ties.z[i] = math.Floor(ties.x[i]), math.Floor(ties.y[i]), math.Floor(ties.z[i])
	}
	clouds["ties and duplicates"] = ties
	found, filled := 0, 0
	for name, cols := range clouds {
		cloud := mustNew(t, cols, 2)
		if cloud.Len() == 0 {
			continue
		}
		plain, fast := &borderSearch{cloud: cloud}, &borderSearch{cloud: cloud, fast: borderFast()}
		r := random(4)
		for range 2_000 {
			i := uint32(r.IntN(cloud.Len()))
			plain.stand(i)
			fast.stand(i)
			axis := offset{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			if r.IntN(4) == 0 { // along an edge of the lattice
				axis = offset{0, float64(1 - 2*r.IntN(2)), 0}
			}
			axis = axis.unit()
			limit := math.Exp2(r.Float64() * 66)
			j := plain.inCone(&axis, limit)
			got := fast.inCone(&axis, limit)
			must.Need(t, got == j, "%s: in C the nearest to point %d within %g around %v is %d, in Go %d",
				name, i, limit,
				axis, got, j)
			if j != none {
				found++
			}
			edge, kth := axis.times(math.Sqrt(limit)), math.Exp2(r.Float64()*30)
			gap := plain.gapBehind(edge, kth)
			inC := fast.gapBehind(edge, kth)
			must.Need(t, inC == gap, "%s: a gap behind point %d and edge %v: in C %v, in Go %v", name, i,
				edge, inC, gap)
			if !gap {
				filled++
			}
		}
	}
	must.Hold(t, found > 1_000, "only %d points were found: too few for a test", found)
	must.Hold(t, filled > 1_000, "only %d tubes had no gap: too few for a test", filled)
}

// searchAll computes beyond for a point at a gap by a loop over all points.
func searchAll(w *candidates, i uint32) uint32 {
	c, row := w.cloud, w.row(i)
	s := &borderSearch{cloud: c}
	s.stand(i)
	kth, last := s.to(row[w.k-1]), s.to(row[len(row)-1])
	axis := offset{float64(w.side[i][0]), float64(w.side[i][1]), float64(w.side[i][2])}
	axis = axis.unit()
	found, least := uint32(none), uint64(gapReach*gapReach*last.square())
	for j := range c.XYZ {
		o := s.to(uint32(j))
		d, along := c.squared(i, uint32(j)), o.dot(&axis)
		if along <= 0 || 2*along*along <= o.square() || d > least {
			continue
		}
		if d < least || found == none || c.before(uint32(j), found) {
			found, least = uint32(j), d
		}
	}
	if found == none || !s.gapBehind(s.to(found), math.Sqrt(kth.square())) {
		return none
	}
	return found
}
