package local

import (
	"math"
	"sync/atomic"

	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// claim finds the greatest wish that concerns each component, and the
// components where only that may be granted: those that would be left too
// small, and those whose mean the vertices change much.
func (r *refiner) claim(run parallel.Run) error {
	clear(r.strict)
	clear(r.leaving)
	for c := range r.top {
		r.top[c] = reduced.None
	}
	return run.For(len(r.wishes), 1, func(b, _ int) {
		for _, u := range r.wishes[b] {
			from, to, n := r.label[u], r.to[u], int64(r.graph.Size[u])
			r.raise(from, u)
			r.raise(to, u)
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

// raise makes u the greatest wish of a component if it is.
func (r *refiner) raise(id, u uint32) {
	for {
		old := atomic.LoadUint32(&r.top[id])
		if old != reduced.None && !r.greater(u, old) || atomic.CompareAndSwapUint32(&r.top[id], old, u) {
			return
		}
	}
}

// free reports whether both components let u go.
func (r *refiner) free(u, from, to uint32) bool {
	return (r.strict[from] == 0 || r.top[from] == u) && (r.strict[to] == 0 || r.top[to] == u)
}

// worth is the least by which a move must lower the energy, as a part of the
// weights that it is the difference of: above their rounding.
const worth = 1e-6

// wish finds where u should go; false if it should stay.
func (r *refiner) wish(u uint32, near *surroundings) bool {
	own, n := r.label[u], int64(r.graph.Size[u])
	if r.size[own] > n && r.size[own]-n < int64(r.least) || r.static && n*heavy > r.size[own] {
		return false
	}
	near.Surround(r.graph, r.incoming, r.label, u)
	scale := float64(r.graph.Scale)
	stay := scale * near.Weight[0]
	limit := -worth * (stay + worth)
	stay -= r.leave(r.graph, u, own)
	best, to := limit, uint32(reduced.None)
	for i, id := range near.ID {
		if i == 0 || r.static && n*heavy > r.size[id] {
			continue
		}
		change := stay - scale*near.Weight[i] + r.enter(r.graph, u, id)
		if change < best || change == best && id < to && change < limit {
			best, to = change, id
		}
	}
	if to == reduced.None || r.keep && r.size[own] > n && !r.spare(u, near) {
		return false
	}
	r.to[u], r.fall[u] = to, float32(math.Abs(best))
	return true
}
