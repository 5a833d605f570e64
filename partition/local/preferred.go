// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// findTop finds the candidate of highest priority among those that leave or enter each
// component, and the components of which only that one may move: those that would otherwise
// become too small, and those whose mean single candidates change much.
func (r *refiner) findTop(run parallel.Run) {
	clear(r.strict)
	clear(r.leaving)
	for c := range r.top {
		r.top[c] = reduced.None
	}
	run.Do(len(r.candidates), 1, func(b, _ int) {
		for _, u := range r.candidates[b] {
			from := r.label[u]
			to := r.to[u]
			n := int64(r.graph.Size[u])
			r.raiseTop(from, u)
			r.raiseTop(to, u)
			left := r.size[from] - atomic.AddInt64(&r.leaving[from], n)
			if left < int64(r.least) || n*heavy > r.size[from] {
				set(&r.strict[from])
			}
			if n*heavy > r.size[to] {
				set(&r.strict[to])
			}
		}
	})
}

// raiseTop makes u the top candidate of a component if its priority is higher.
func (r *refiner) raiseTop(id, u uint32) {
	for {
		old := atomic.LoadUint32(&r.top[id])
		if old != reduced.None && !r.greater(u, old) || atomic.CompareAndSwapUint32(&r.top[id], old, u) {
			return
		}
	}
}

// allowed reports whether the rules of both components allow the move of u.
func (r *refiner) allowed(u, from, to uint32) bool {
	return (r.strict[from] == 0 || r.top[from] == u) && (r.strict[to] == 0 || r.top[to] == u)
}

// worth is the least decrease of the energy by a move, as a share of the weights of which it
// is a difference: above their rounding errors.
const worth = 1e-6

// prefer computes the preferred label of u: that of the lowest energy with all other labels
// fixed. It returns false if u keeps its label.
func (r *refiner) prefer(u uint32, near *neighborhood) bool {
	own, n := r.label[u], int64(r.graph.Size[u])
	if r.size[own] > n && r.size[own]-n < int64(r.least) || r.static && n*heavy > r.size[own] {
		return false
	}
	near.find(r, u)
	scale := float64(r.graph.Scale)
	stay := scale * near.weight[0]
	limit := -worth * (stay + worth)
	stay -= r.leave(r.graph, u, own)
	best, to := limit, uint32(reduced.None)
	for i, id := range near.id {
		if i == 0 || r.static && n*heavy > r.size[id] {
			continue
		}
		change := stay - scale*near.weight[i] + r.enter(r.graph, u, id)
		if change < best || change == best && id < to && change < limit {
			best, to = change, id
		}
	}
	if to == reduced.None || r.keep && r.size[own] > n && !r.staysConnected(u, near) {
		return false
	}
	r.to[u] = to
	r.fall[u] = float32(math.Abs(best))
	return true
}
