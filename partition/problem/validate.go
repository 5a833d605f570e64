// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"fmt"
	"math"
	"sync/atomic"

	"superpoint/partition/base/parallel"
)

// vertexBlock is the number of vertices of one task. It is fixed, so that sums over
// blocks do not depend on the number of threads.
const vertexBlock = 1 << 14

// Validate returns an error that describes the first fault of p, or nil.
func (p *Problem) Validate(run parallel.Run) (err error) {
	defer parallel.Catch(&err)
	if p.Graph == nil || len(p.Graph.Start) == 0 {
		return fmt.Errorf("partition: the problem has no graph; set Problem.Graph")
	}
	n, m := p.Graph.Vertices(), p.Graph.Edges()
	switch {
	case p.Dim < 1:
		return fmt.Errorf("partition: %d columns of values; at least 1 is needed", p.Dim)
	case len(p.Values) != n*p.Dim:
		return fmt.Errorf("partition: %d values for %d vertices × %d columns", len(p.Values), n, p.Dim)
	case len(p.Contrast) != m:
		return fmt.Errorf("partition: %d contrasts for %d edges", len(p.Contrast), m)
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 1):
		return fmt.Errorf("partition: regularization strength λ = %g; it must be positive and finite", p.Lambda)
	case p.MinSize < 0:
		return fmt.Errorf("partition: smallest component of %d vertices; it cannot be negative", p.MinSize)
	case p.Weight != nil && len(p.Weight) != n:
		return fmt.Errorf("partition: %d weights for %d vertices", len(p.Weight), n)
	case p.Sphere < 0 || p.Sphere > p.Dim-p.Weighted():
		return fmt.Errorf("partition: %d columns on the sphere and %d with weights, of %d", p.Sphere, p.Weighted(), p.Dim)
	case int(p.Graph.Start[n]) != m:
		return fmt.Errorf("partition: the graph's offsets end at %d, its edges at %d", p.Graph.Start[n], m)
	}
	run = run.Quiet()
	if !(p.Largest(run) <= math.MaxFloat32) {
		i := firstBad(run, p.Values, -math.MaxFloat32, math.MaxFloat32)
		return badEntry("value", p.Values, i, p.Dim, "values must be finite")
	}
	if p.built {
		return nil
	}
	if i := firstBad(run, p.Contrast, 0, math.MaxFloat32); i >= 0 {
		return badEntry("contrast", p.Contrast, i, 1, "contrasts must be finite and at least 0")
	}
	for i, b := range p.Weight {
		if steps := b * WeightSteps; !(b >= 1 && b <= MostWeight) || steps != float32(int32(steps)) {
			return badEntry("weight", p.Weight, i, 1, "weights must be multiples of 1/16 from 1 to 1024")
		}
	}
	return p.validateHeads(run)
}

func badEntry(what string, x []float32, i, dim int, rule string) error {
	return fmt.Errorf("partition: %s %g in row %d, column %d: %s", what, x[i], i/dim, i%dim, rule)
}

// firstBad returns the first index whose entry is NaN or outside [low, high], or -1.
func firstBad(run parallel.Run, x []float32, low, high float32) int {
	first := atomic.Int64{}
	first.Store(int64(len(x)))
	run.Do(len(x), vertexBlock*8, func(lo, hi int) {
		for i, v := range x[lo:hi] {
			if !(v >= low && v <= high) {
				lower(&first, int64(lo+i))
				return
			}
		}
	})
	if i := first.Load(); i < int64(len(x)) {
		return int(i)
	}
	return -1
}

func lower(first *atomic.Int64, i int64) {
	for {
		old := first.Load()
		if old <= i || first.CompareAndSwap(old, i) {
			return
		}
	}
}

func (p *Problem) validateHeads(run parallel.Run) error {
	g, n := p.Graph, p.Graph.Vertices()
	first := atomic.Int64{}
	first.Store(int64(n))
	run.Do(n, vertexBlock, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			a, b := g.Start[u], g.Start[u+1]
			if a > b || int(b) > len(g.Head) {
				lower(&first, int64(u))
				return
			}
			last := uint32(u)
			for _, v := range g.Head[a:b] {
				if v <= last || int(v) >= n {
					lower(&first, int64(u))
					return
				}
				last = v
			}
		}
	})
	if u := first.Load(); u < int64(n) {
		return fmt.Errorf("partition: edges of vertex %d are not ascending, larger than it and below %d", u, n)
	}
	return nil
}
