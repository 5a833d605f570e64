// SPDX-License-Identifier: BSD-3-Clause

package problem

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// vertexBlock is the number of vertices of one task. It is fixed, so that sums over
// blocks do not depend on the number of threads.
const vertexBlock = 1 << 14

// Validate returns an error that describes the first fault of p, or nil.
func (p *Problem) Validate(run parallel.Run) (err error) {
	defer parallel.Catch(&err)
	if err := p.validateParameters(); err != nil {
		return err
	}
	if err := p.validateSizes(); err != nil {
		return err
	}
	if !(p.Largest(run.Quiet()) <= math.MaxFloat32) {
		i := firstBad(p.Values, -math.MaxFloat32, math.MaxFloat32)
		return badEntry("value", p.Values, i, p.Dim, "values must be finite")
	}
	if p.built {
		return nil // by Build, whose contrasts, weights and edges are valid
	}
	if i := firstBad(p.Contrast, 0, math.MaxFloat32); i >= 0 {
		return badEntry("contrast", p.Contrast, i, 1, "contrasts must be finite and at least 0")
	}
	for i, b := range p.Weight {
		steps := b * WeightSteps
		inRange := b >= 1 && b <= MostWeight
		isMultiple := steps == float32(int32(steps))
		if !inRange || !isMultiple {
			return badEntry("weight", p.Weight, i, 1, "weights must be multiples of 1/16 from 1 to 1024")
		}
	}
	return p.validateEdges()
}

// validateParameters returns an error if a parameter is no problem's.
func (p *Problem) validateParameters() error {
	isPositive := p.Lambda > 0 && !math.IsInf(p.Lambda, 1)
	switch {
	case p.Dim < 1:
		return fmt.Errorf("partition: %d columns of values; at least 1 is needed", p.Dim)
	case p.Weighted() > p.Dim:
		return fmt.Errorf("partition: %d columns with weights, of %d", p.Weighted(), p.Dim)
	case !isPositive: // also NaN
		return fmt.Errorf("partition: regularization strength λ = %g; it must be positive and finite",
			p.Lambda)
	case p.MinSize < 0:
		return fmt.Errorf("partition: smallest component of %d vertices; it cannot be negative", p.MinSize)
	}
	return nil
}

// validateSizes returns an error if the graph is missing or arrays do not have the lengths that it asks for.
func (p *Problem) validateSizes() error {
	if p.Graph == nil || len(p.Graph.Start) == 0 {
		return fmt.Errorf("partition: the problem has no graph; set Problem.Graph")
	}
	n := p.Graph.Vertices()
	m := p.Graph.Edges()
	if count := len(p.Values); count != n*p.Dim {
		return fmt.Errorf("partition: %d values for %d vertices × %d columns", count, n, p.Dim)
	}
	if count := len(p.Contrast); count != m {
		return fmt.Errorf("partition: %d contrasts for %d edges", count, m)
	}
	if count := len(p.Weight); p.Weight != nil && count != n {
		return fmt.Errorf("partition: %d weights for %d vertices", count, n)
	}
	if end := int(p.Graph.Start[n]); end != m {
		return fmt.Errorf("partition: the graph's offsets end at %d, its edges at %d", end, m)
	}
	return nil
}

// validateEdges returns an error unless the heads of every vertex are ascending, larger than it, and
// vertices.
func (p *Problem) validateEdges() error {
	n := p.Graph.Vertices()
	for u := range n {
		if !isRow(p.Graph, u) {
			return fmt.Errorf("partition: edges of vertex %d are not ascending, larger than it and below %d",
				u, n)
		}
	}
	return nil
}

// isRow reports whether the heads of vertex u are ascending, larger than it, and vertices.
func isRow(g *neighbor.Graph, u int) bool {
	start := g.Start[u]
	end := g.Start[u+1]
	if start > end || int(end) > len(g.Head) {
		return false
	}
	last := uint32(u)
	for _, v := range g.Head[start:end] {
		if v <= last || int(v) >= g.Vertices() {
			return false
		}
		last = v
	}
	return true
}

func badEntry(what string, x []float32, i, dim int, rule string) error {
	return fmt.Errorf("partition: %s %g in row %d, column %d: %s", what, x[i], i/dim, i%dim, rule)
}

// firstBad returns the first index whose entry is NaN or outside [low, high], or -1.
func firstBad(x []float32, low, high float32) int {
	return slices.IndexFunc(x, func(v float32) bool { return !(v >= low && v <= high) })
}
