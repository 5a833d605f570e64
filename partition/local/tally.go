// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// tally has the sizes and means of components before a pass, and the totals from which they are
// computed.
type tally struct {
	totals            // without sums if the means are static
	of      []float64 // components × Dim, their means
	masses  []float64 // of each component before a pass; nil without weights
	leaving []int64   // number of original vertices of candidates that leave each component
	strict  []uint32  // 1 for components of which only the move of top may be granted
	top     []uint32  // the candidate of highest priority that leaves or enters each component
}

// prepare takes sizes and means of the components of part. With static means, as on points, only sizes change
// during the passes, so no sums are kept: moves are then judged by the means that the global merge found,
// which all tiles know. Otherwise sums are integers of step unit, from which settle computes the means after
// each pass.
func (t *tally) prepare(run parallel.Run, part *reduced.Graph, static bool) {
	n := part.Vertices()
	t.totals = totals{like: part.Components, size: make([]int64, n)}
	t.of = make([]float64, n*part.Dim)
	if part.Weighted > 0 {
		t.masses = make([]float64, n)
	}
	if !static {
		t.totals = *newTotals(&part.Components, n, step(run, part.Mean, &part.Components))
		t.leaving = make([]int64, n)
		t.strict = make([]uint32, n)
		t.top = make([]uint32, n)
	}
	run.Do(n, parallel.Block(n), func(lo, hi int) {
		for c := lo; c < hi; c++ {
			t.size[c] = int64(part.Size[c])
			for k := c * part.Dim; k < (c+1)*part.Dim; k++ {
				t.of[k] = float64(part.Mean[k])
			}
			if t.masses != nil {
				t.masses[c] = float64(part.Mass[c])
			}
			if !static {
				addTo(t.row(uint32(c)), &part.Components, uint32(c), t.unit)
			}
		}
	})
}

// take moves the sums of u from one component to another. Workers take at the same time: the sums are
// integers.
//
// The buffer is on the stack for up to 16 sums, which is more than a learned embedding of 4 columns and a
// position with weights have (8); with more columns append allocates.
func (t *tally) take(g *reduced.Graph, u, from, to uint32) {
	var buffer [16]int64
	sum := append(buffer[:0], make([]int64, sumWidth(&t.like))...)
	addTo(sum, &g.Components, u, t.unit)
	t.add(from, int64(g.Size[u]), sum, -1)
	t.add(to, int64(g.Size[u]), sum, 1)
}

// settle computes the means from the sums.
//
// Only a component with a top candidate can have changed. If all its moves were denied, its mean is computed
// from unchanged sums, and may differ from the mean in part in the last bits the first time; it is the same
// for any number of threads.
func (t *tally) settle(run parallel.Run) {
	d := t.like.Dim
	run.Do(len(t.size), parallel.Block(len(t.size)), func(lo, hi int) {
		for c := lo; c < hi; c++ {
			if t.top[c] == reduced.None || t.size[c] == 0 {
				continue
			}
			t.mean(t.of[c*d:(c+1)*d], uint32(c))
			if t.masses != nil {
				t.masses[c] = t.mass(uint32(c))
			}
		}
	})
}

// leave returns the decrease of the fidelity term when u leaves component id: for n original vertices in u
// and N in the component, n N/(N−n) ‖y − mean‖², and 0 if u is all of the component. Derivation: removing n
// vertices of mean y from N with mean m gives the mean (N m − n y)/(N−n), and the sum of squares falls by n
// N/(N−n) ‖y − m‖² (Ward 1963, whose formula for a merge this reverses).
//
// A component of which u is all has the mean of u, so its fidelity term without the term within u is 0 before
// and after.
func (t *tally) leave(g *reduced.Graph, u, id uint32) float64 {
	if float64(t.size[id]) <= float64(g.Size[u]) {
		return 0
	}
	return t.change(g, u, id, reduced.Fall)
}

// enter returns the increase of the fidelity term when u enters component id: n N/(N+n) ‖y − mean‖².
func (t *tally) enter(g *reduced.Graph, u, id uint32) float64 {
	return t.change(g, u, id, reduced.Rise)
}

// change returns the value of reduced.Fall or reduced.Rise for u and component id. Columns of position and
// embedding are weighted by the number of original vertices, those behind them (Weighted) by their mass, so
// the two parts have means and weights of their own and their changes add up.
//
// Fall and Rise take the squared distance to the mean as a sum over columns, so a vector of two parts with
// different weights is two vectors.
func (t *tally) change(g *reduced.Graph, u, id uint32,
	of func(y []float32, mean []float64, n, all float64) float64) float64 {
	d, p := g.Dim, g.Dim-g.Weighted
	y, mean := g.Mean[int(u)*d:int(u+1)*d], t.of[int(id)*d:int(id+1)*d]
	change := of(y[:p], mean[:p], float64(g.Size[u]), float64(t.size[id]))
	if g.Weighted > 0 {
		change += of(y[p:], mean[p:], float64(g.Mass[u]), t.masses[id])
	}
	return change
}
