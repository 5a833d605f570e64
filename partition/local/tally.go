package local

import (
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// tally has the sizes and means of components before a pass, and the integer sums from which
// they are computed.
type tally struct {
	dim     int
	sphere  int
	size    []int64
	mean    []float64 // components × dim
	sum     []int64   // components × dim, in units of 1/unit
	unit    float64
	leaving []int64  // number of original vertices of candidates that leave each component
	strict  []uint32 // 1 for components of which only the move of top may be granted
	top     []uint32 // the candidate of highest priority that leaves or enters each component
}

func (t *tally) prepare(run parallel.Run, part *reduced.Graph, static bool) (err error) {
	n := part.Vertices()
	t.dim, t.sphere = part.Dim, part.Sphere
	t.size, t.mean = make([]int64, n), make([]float64, n*t.dim)
	if !static {
		t.sum, t.leaving, t.strict, t.top = make([]int64, n*t.dim), make([]int64, n), make([]uint32, n), make([]uint32, n)
		if t.unit, err = step(run, part); err != nil {
			return err
		}
	}
	return run.For(n, block, func(lo, hi int) {
		for c := lo; c < hi; c++ {
			t.size[c] = int64(part.Size[c])
			for k := c * t.dim; k < (c+1)*t.dim; k++ {
				t.mean[k] = float64(part.Mean[k])
				if !static {
					t.sum[k] = fixed(part.Size[c], part.Mean[k], t.unit)
				}
			}
		}
	})
}

// take moves the sums of u from one component to another.
func (t *tally) take(g *reduced.Graph, u, from, to uint32) {
	n := int64(g.Size[u])
	atomic.AddInt64(&t.size[from], -n)
	atomic.AddInt64(&t.size[to], n)
	for k, y := range g.Mean[int(u)*t.dim : int(u+1)*t.dim] {
		x := fixed(g.Size[u], y, t.unit)
		atomic.AddInt64(&t.sum[int(from)*t.dim+k], -x)
		atomic.AddInt64(&t.sum[int(to)*t.dim+k], x)
	}
}

// settle computes the means from the sums.
func (t *tally) settle(run parallel.Run) error {
	return run.For(len(t.size), block, func(lo, hi int) {
		for c := lo; c < hi; c++ {
			if t.top[c] == reduced.None || t.size[c] == 0 {
				continue
			}
			inverse := 1 / (float64(t.size[c]) * t.unit)
			for k := c * t.dim; k < (c+1)*t.dim; k++ {
				t.mean[k] = float64(t.sum[k]) * inverse
			}
		}
	})
}

// leave returns the decrease of the fidelity term when u leaves component id.
func (t *tally) leave(g *reduced.Graph, u, id uint32) float64 {
	n, all := float64(g.Size[u]), float64(t.size[id])
	if all <= n {
		return 0
	}
	y, mean := t.rows(g, u, id)
	return reduced.Fall(t.sphere, y, mean, n, all)
}

// enter returns the increase of the fidelity term when u enters component id.
func (t *tally) enter(g *reduced.Graph, u, id uint32) float64 {
	n, all := float64(g.Size[u]), float64(t.size[id])
	y, mean := t.rows(g, u, id)
	return reduced.Rise(t.sphere, y, mean, n, all)
}

// rows returns u's mean and that of component id.
func (t *tally) rows(g *reduced.Graph, u, id uint32) (y []float32, mean []float64) {
	d := t.dim
	return g.Mean[int(u)*d : int(u+1)*d], t.mean[int(id)*d : int(id+1)*d]
}
