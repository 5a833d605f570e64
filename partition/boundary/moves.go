// Package boundary lowers the energy of a partition by moving single vertices
// to a neighbouring component (local search in the manner of Kernighan and Lin
// 1970, and of the boundary exchange of Lin et al. 2018). The move of vertex u
// from component A to B changes the energy by
//
//	w(u, A) − w(u, B) − n_A n_u/(n_A−n_u) ‖y_u − ȳ_A‖² + n_B n_u/(n_B+n_u) ‖y_u − ȳ_B‖².
//
// In a pass every vertex that should move is found in parallel, against the
// partition as it was before the pass; then the moves are made one by one in
// the vertices' order where they still lower the energy. So the result does not
// depend on the number of threads. A move may leave A in several pieces: they
// become components of their own, which can only lower the energy further.
package boundary

import (
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// block is the number of vertices that a worker looks at between two others.
const block = 1 << 13

// Improve moves vertices of g in at most passes passes and then replaces label
// by the connected pieces, numbered by first vertex; it returns their number.
// The ids of label are the vertices of part, the partition's reduced graph. A component is not left with fewer than
// minSize original vertices, unless it falls into pieces. Only vertices that
// are at a boundary at the start move.
func Improve(run parallel.Run, g *reduced.Graph, part *reduced.Graph, label []uint32, minSize, passes int) (int,
	error) {
	run = run.Quiet()
	s := newSearch(g, part, label, minSize)
	border, err := s.border(run)
	if err != nil {
		return 0, err
	}
	if s.incoming, err = g.Incoming(run, border); err != nil {
		return 0, err
	}
	copy(s.active, border)
	for range passes {
		moved, err := s.pass(run)
		if err != nil {
			return 0, err
		}
		if moved == 0 {
			break
		}
		for u, b := range border {
			s.active[u] = s.active[u] && b
		}
	}
	return g.Pieces(run, label)
}

// search is the state between two passes.
type search struct {
	components
	graph    *reduced.Graph
	label    []uint32
	minSize  float64
	incoming *reduced.Incoming
	active   []bool     // vertices whose neighbourhood has changed since they were looked at
	wish     [][]uint32 // per block, the vertices that should move
}

func newSearch(g, part *reduced.Graph, label []uint32, minSize int) *search {
	n := g.Vertices()
	return &search{
		components: newComponents(part),
		graph:      g, label: label, minSize: float64(minSize),
		active: make([]bool, n), wish: make([][]uint32, (n+block-1)/block),
	}
}

// border marks the vertices with a neighbour in another component.
func (s *search) border(run parallel.Run) ([]bool, error) {
	n := len(s.label)
	border := make([]bool, n)
	err := run.For(n, block, func(lo, hi int) {
		late := s.wish[lo/block][:0]
		for u := lo; u < hi; u++ {
			id := s.label[u]
			for _, v := range s.graph.Head[s.graph.Start[u]:s.graph.End[u]] {
				if s.label[v] == id {
					continue
				}
				border[u] = true
				if int(v) < hi {
					border[v] = true
				} else {
					late = append(late, v)
				}
			}
		}
		s.wish[lo/block] = late
	})
	for _, late := range s.wish {
		for _, v := range late {
			border[v] = true
		}
	}
	return border, err
}

// pass makes one round of moves and returns their number.
func (s *search) pass(run parallel.Run) (moved int, err error) {
	err = run.For(len(s.label), block, func(lo, hi int) {
		var near reduced.Surroundings
		wish := s.wish[lo/block][:0]
		for u := lo; u < hi; u++ {
			if !s.active[u] {
				continue
			}
			s.active[u] = false
			if _, ok := s.best(uint32(u), &near); ok {
				wish = append(wish, uint32(u))
			}
		}
		s.wish[lo/block] = wish
	})
	var near reduced.Surroundings
	for _, wish := range s.wish {
		for _, u := range wish {
			if to, ok := s.best(u, &near); ok {
				s.move(u, to)
				moved++
			}
		}
	}
	return moved, err
}

func (s *search) move(u, to uint32) {
	s.take(s.graph, u, s.label[u], to)
	s.label[u] = to
	s.active[u] = true
	for _, v := range s.graph.Head[s.graph.Start[u]:s.graph.End[u]] {
		s.active[v] = true
	}
	from, end := s.incoming.Of(u)
	for _, v := range s.incoming.Tail[from:end] {
		s.active[v] = true
	}
}

// best returns the component that u should move to, if it should.
func (s *search) best(u uint32, near *reduced.Surroundings) (to uint32, ok bool) {
	own := s.label[u]
	if size := float64(s.graph.Size[u]); s.size[own] > size && s.size[own]-size < s.minSize {
		return 0, false
	}
	near.Surround(s.graph, s.incoming, s.label, u)
	for i := range near.Weight {
		near.Weight[i] *= float64(s.graph.Scale)
	}
	if len(near.ID) == 1 {
		return 0, false
	}
	stay := near.Weight[0] - s.leave(s.graph, u, own)
	least := -1e-6 * (near.Weight[0] + 1e-6) // above the rounding of float32 weights
	for i, id := range near.ID[1:] {
		if change := stay - near.Weight[i+1] + s.enter(s.graph, u, id); change < least {
			least, to, ok = change, id, true
		}
	}
	return to, ok
}
