// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"fmt"
	"math"
	"slices"

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
	n := p.Graph.Vertices()
	m := p.Graph.Edges()
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
	case p.Weighted() > p.Dim:
		return fmt.Errorf("partition: %d columns with weights, of %d", p.Weighted(), p.Dim)
	case int(p.Graph.Start[n]) != m:
		return fmt.Errorf("partition: the graph's offsets end at %d, its edges at %d", p.Graph.Start[n], m)
	}
	if !(p.Largest(run.Quiet()) <= math.MaxFloat32) {
		i := firstBad(p.Values, -math.MaxFloat32, math.MaxFloat32)
		return badEntry("value", p.Values, i, p.Dim, "values must be finite")
	}
	if p.built {
		return nil
	}
	if i := firstBad(p.Contrast, 0, math.MaxFloat32); i >= 0 {
		return badEntry("contrast", p.Contrast, i, 1, "contrasts must be finite and at least 0")
	}
	for i, b := range p.Weight {
		if steps := b * WeightSteps; !(b >= 1 && b <= MostWeight) || steps != float32(int32(steps)) {
			return badEntry("weight", p.Weight, i, 1, "weights must be multiples of 1/16 from 1 to 1024")
		}
	}
	for u := range n {
		a := p.Graph.Start[u]
		b := p.Graph.Start[u+1]
		last := uint32(u)
		bad := a > b || int(b) > m
		for k := a; k < b && !bad; k++ {
			v := p.Graph.Head[k]
			bad = v <= last || int(v) >= n
			last = v
		}
		if bad {
			return fmt.Errorf("partition: edges of vertex %d are not ascending, larger than it and below %d", u, n)
		}
	}
	return nil
}

func badEntry(what string, x []float32, i, dim int, rule string) error {
	return fmt.Errorf("partition: %s %g in row %d, column %d: %s", what, x[i], i/dim, i%dim, rule)
}

// firstBad returns the first index whose entry is NaN or outside [low, high], or -1.
func firstBad(x []float32, low, high float32) int {
	return slices.IndexFunc(x, func(v float32) bool { return !(v >= low && v <= high) })
}
