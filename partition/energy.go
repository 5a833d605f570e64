package partition

import (
	"math"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// Energy returns E of the partition component, whose ids are dense in
// [0, count). Sums are in float64 and in an order that does not depend on the
// number of threads.
func (p *Problem) Energy(run parallel.Run, component []uint32, count int) (float64, error) {
	run = run.Quiet()
	value, err := p.componentValues(run, component, count)
	if err != nil {
		return 0, err
	}
	n := p.Graph.Vertices()
	partial := make([]float64, (n+vertexBlock-1)/vertexBlock)
	err = run.For(n, vertexBlock, func(lo, hi int) {
		var fidelity, contour float64
		for u := lo; u < hi; u++ {
			c := component[u]
			f := value[int(c)*p.Dim : (int(c)+1)*p.Dim]
			for k, y := range p.Values[u*p.Dim : (u+1)*p.Dim] {
				d := float64(y) - f[k]
				fidelity += d * d
			}
			a, b := p.Graph.Start[u], p.Graph.Start[u+1]
			for i, v := range p.Graph.Head[a:b] {
				if component[v] != c {
					contour += float64(p.Contrast[int(a)+i])
				}
			}
		}
		partial[lo/vertexBlock] = fidelity + p.Lambda*contour
	})
	var e float64
	for _, x := range partial {
		e += x
	}
	return e, err
}

// componentValues returns the best f of every component: the mean, whose first
// Sphere columns are scaled to length 1. A block's vertices whose component
// began in an earlier block are added after all blocks, in their order.
func (p *Problem) componentValues(run parallel.Run, component []uint32, count int) ([]float64, error) {
	f, size := make([]float64, count*p.Dim), make([]float64, count)
	add := func(u int, c uint32) {
		size[c]++
		row := f[int(c)*p.Dim : (int(c)+1)*p.Dim]
		for k, y := range p.Values[u*p.Dim : (u+1)*p.Dim] {
			row[k] += float64(y)
		}
	}
	n := len(component)
	owner := owners(component, count)
	late := make([][]uint32, (n+vertexBlock-1)/vertexBlock)
	err := run.For(n, vertexBlock, func(lo, hi int) {
		b := lo / vertexBlock
		for u := lo; u < hi; u++ {
			if c := component[u]; int(owner[c]) == b {
				add(u, c)
			} else {
				late[b] = append(late[b], uint32(u))
			}
		}
	})
	for _, list := range late {
		for _, u := range list {
			add(int(u), component[u])
		}
	}
	for c := range size {
		row := f[c*p.Dim : (c+1)*p.Dim]
		for k := range row {
			row[k] /= size[c]
		}
		Project(row[:p.Sphere])
	}
	return f, err
}

// owners returns the block of each component's first vertex.
func owners(component []uint32, count int) []uint32 {
	const unseen = math.MaxUint32
	owner := make([]uint32, count)
	for c := range owner {
		owner[c] = unseen
	}
	for u, c := range component {
		if owner[c] == unseen {
			owner[c] = uint32(u / vertexBlock)
		}
	}
	return owner
}

// Project scales x to length 1; a zero vector becomes the first axis, which is
// as near to the points as any other.
func Project(x []float64) {
	if len(x) == 0 {
		return
	}
	var s float64
	for _, v := range x {
		s += v * v
	}
	if s == 0 {
		x[0] = 1
		return
	}
	s = math.Sqrt(s)
	for k := range x {
		x[k] /= s
	}
}

// NewResult renumbers component in place and computes the partition's energy.
// Ids must be below limit.
func (p *Problem) NewResult(run parallel.Run, component []uint32, limit int) (*Result, error) {
	count := arrays.Number(component, limit)
	e, err := p.Energy(run, component, count)
	if err != nil {
		return nil, err
	}
	return &Result{Component: component, Count: count, Energy: e}, nil
}
