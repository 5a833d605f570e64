// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// findTop finds for each component its top candidate: the candidate of highest priority among the vertices
// that would leave or enter it. It also finds the strict components, of which only the top candidate may
// move: they would otherwise become too small, or a single candidate changes their mean much. Reason:
// candidates move at the same time, and each is computed as if it moved alone. Several that leave a
// component could together take it below the smallest size, or shift its mean so far that moves raise the
// energy. Whether a component is strict follows from sums and comparisons that do not depend on the order of
// candidates, so the result does not depend on threads.
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
			// Claim: whether from becomes strict does not depend on the order of candidates. Reason: AddInt64
			// returns the sum with n, sums only grow, and sizes change after all candidates were seen; so
			// left is smallest after the last candidate, whichever that is.
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

// raiseTop makes u the top candidate of a component if its priority is higher. The loop ends: each failed
// exchange means that another worker has stored a candidate of higher priority. Priorities are a total order,
// so the last one stored is the highest, whatever the order of workers.
//
// It may read fall and the order of any vertex, since both are fixed while tops are found: fall was written
// in the loop before (pass).
func (r *refiner) raiseTop(id, u uint32) {
	for {
		old := atomic.LoadUint32(&r.top[id])
		if old != reduced.None && !r.greater(u, old) || atomic.CompareAndSwapUint32(&r.top[id], old, u) {
			return
		}
	}
}

// allowed reports whether the rules of both components allow the move of u: of a strict component only the
// move of the highest priority is made in a pass, because the others were computed with a mean or a size that
// this move changes.
func (r *refiner) allowed(u, from, to uint32) bool {
	return (r.strict[from] == 0 || r.top[from] == u) && (r.strict[to] == 0 || r.top[to] == u)
}

// worth is the least decrease of the energy by a move, as a share of the weights of which it
// is a difference: above their rounding errors.
const worth = 1e-6

// isHeavy reports whether a vertex of n original vertices is so large relative to a component that a move
// changes the component's mean much. With static means, such a vertex neither leaves nor enters the
// component.
func (r *refiner) isHeavy(n int64, component uint32) bool {
	return r.static && n*heavy > r.size[component]
}

// prefer computes the preferred label of u: the label of the lowest energy with all other labels fixed. It
// returns false if u keeps its label. The change of energy by a move from a to b is: what leaving a saves of
// the fidelity term (negative), what entering b adds, the edges to a that become cut, less the edges to b
// that are no longer cut (equation 1 of the paper with two labels swapped). Equal changes are decided by the
// smaller label, which does not depend on the order of neighbours.
func (r *refiner) prefer(u uint32, near *neighborhood) bool {
	own := r.label[u]
	n := int64(r.graph.Size[u])
	// A vertex that is all of its component may leave it: the component vanishes, so no rest can be too small
	// or in two parts.
	alone := r.size[own] <= n
	leavesTooSmall := !alone && r.size[own]-n < int64(r.least)
	if leavesTooSmall || r.isHeavy(n, own) {
		return false
	}
	near.find(r, u)
	scale := float64(r.graph.Scale)
	cut := scale * near.weight[0] // is added if u leaves
	limit := -worth * (cut + worth)
	stay := cut - r.leave(r.graph, u, own)
	best := limit
	to := uint32(reduced.None)
	for i, id := range near.id {
		if i == 0 || r.isHeavy(n, id) {
			continue
		}
		// change = λ·(weight to own − weight to id) − leave(own) + enter(id), negative if the energy falls
		change := stay - scale*near.weight[i] + r.enter(r.graph, u, id)
		tie := change == best && change < limit
		if change < best || tie && id < to {
			best = change
			to = id
		}
	}
	if to == reduced.None {
		return false
	}
	// Last, because it reads the rows of all neighbors and most vertices keep their label before they come to
	// this.
	if r.keep && !alone && !r.staysConnected(u, near) {
		return false
	}
	r.to[u] = to
	// Rounded to halve the memory; falls that are equal after it are ordered by the vertices (greater).
	r.fall[u] = float32(math.Abs(best))
	return true
}
