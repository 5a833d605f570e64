package local

import (
	"sync/atomic"

	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// heavy is how many times a vertex's size a component has, at least, for which
// the vertex's move leaves the mean about as it is.
const heavy = 8

// terms say how vertices move.
type terms struct {
	least  int  // a component is not left with fewer original vertices
	passes int  // at most
	keep   bool // a vertex stays that alone joins its neighbours in its component
	static bool // sizes and means stay as they are at the start
}

// refiner moves vertices between components, pass by pass: it finds for every
// vertex the component where it should be, against the partition before the
// pass; then it says which of them may go, and then all of those go at once.
type refiner struct {
	terms
	tally
	graph    *reduced.Graph
	incoming *reduced.Incoming
	label    []uint32
	border   []uint32   // 1 for vertices that may move: those at a boundary at the start
	active   []uint32   // 1 for those of them whose neighbourhood has changed since they were looked at
	to       []uint32   // where each should go; None for those that should stay
	fall     []float32  // by how much that lowers the energy
	wishes   [][]uint32 // per block, the vertices that should go
	denied   [][]bool   // per block, which of those may not
}

// refine moves vertices of g between the components label, which are the
// vertices of part, and then replaces label by the connected pieces, numbered
// by first vertex; it returns their number.
func refine(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) (int, error) {
	if err := shift(run, g, part, label, t); err != nil {
		return 0, err
	}
	return g.Pieces(run, label)
}

// shift is refine without the pieces.
func shift(run parallel.Run, g, part *reduced.Graph, label []uint32, t terms) error {
	r := &refiner{terms: t, graph: g, label: label}
	if err := r.prepare(run, part); err != nil {
		return err
	}
	for range t.passes {
		if moved, err := r.pass(run); err != nil || moved == 0 {
			return err
		}
	}
	return nil
}

func (r *refiner) prepare(run parallel.Run, part *reduced.Graph) error {
	n := len(r.label)
	blocks := (n + block - 1) / block
	r.border, r.active, r.to, r.fall = make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]float32, n)
	r.wishes, r.denied = make([][]uint32, blocks), make([][]bool, blocks)
	if err := r.tally.prepare(run, part, r.static); err != nil {
		return err
	}
	if err := r.mark(run); err != nil {
		return err
	}
	member := make([]bool, n)
	if err := run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			r.to[u] = reduced.None
			member[u] = r.border[u] != 0
		}
		copy(r.active[lo:hi], r.border[lo:hi])
	}); err != nil {
		return err
	}
	var err error
	r.incoming, err = r.graph.Incoming(run, member)
	return err
}

// mark finds the vertices at a boundary.
func (r *refiner) mark(run parallel.Run) error {
	g, label, border := r.graph, r.label, r.border
	return run.For(len(label), block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			own, outside := label[u], false
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				if label[v] != own {
					outside = true
					set(&border[v])
				}
			}
			if outside {
				set(&border[u])
			}
		}
	})
}

// set writes 1 where another worker may do so too.
func set(x *uint32) {
	if atomic.LoadUint32(x) == 0 {
		atomic.StoreUint32(x, 1)
	}
}

// pass makes one round of moves and returns their number.
func (r *refiner) pass(run parallel.Run) (int64, error) {
	err := run.For(len(r.label), block, func(lo, hi int) {
		var near surroundings
		list := r.wishes[lo/block][:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if r.active[u] != 0 && r.wish(u, &near) {
				list = append(list, u)
			}
			r.active[u] = 0
		}
		r.wishes[lo/block] = list
	})
	if err != nil {
		return 0, err
	}
	if !r.static {
		if err := r.claim(run); err != nil {
			return 0, err
		}
	}
	if err := run.For(len(r.wishes), 1, func(b, _ int) {
		r.denied[b] = r.denied[b][:0]
		for _, u := range r.wishes[b] {
			r.denied[b] = append(r.denied[b], !r.granted(u))
		}
	}); err != nil {
		return 0, err
	}
	var moved atomic.Int64
	err = run.For(len(r.wishes), 1, func(b, _ int) {
		for i, u := range r.wishes[b] {
			if r.denied[b][i] {
				set(&r.active[u])
				continue
			}
			moved.Add(1)
			r.move(u)
		}
	})
	if err != nil {
		return 0, err
	}
	err = run.For(len(r.wishes), 1, func(b, _ int) {
		for _, u := range r.wishes[b] {
			r.to[u] = reduced.None
		}
	})
	if err == nil && !r.static {
		err = r.settle(run)
	}
	return moved.Load(), err
}

// move lets u go.
func (r *refiner) move(u uint32) {
	if !r.static {
		r.take(r.graph, u, r.label[u], r.to[u])
	}
	r.label[u] = r.to[u]
	set(&r.active[u])
	r.neighbors(u, func(v uint32, _ float32) {
		if r.border[v] != 0 {
			set(&r.active[v])
		}
	})
}

// granted reports whether u may go. It may not if a neighbour with a greater wish
// leaves the component that u enters or enters the one that it leaves, for then
// neither gets what it counts on; nor, where components are to stay whole, if
// such a neighbour leaves with it. All else that neighbours do at the same time
// lowers the energy further.
func (r *refiner) granted(u uint32) bool {
	from, to := r.label[u], r.to[u]
	if !r.static && !r.free(u, from, to) {
		return false
	}
	granted := true
	r.neighbors(u, func(v uint32, _ float32) {
		against := r.label[v] == to || r.to[v] == from || r.keep && r.label[v] == from
		if r.to[v] != reduced.None && against && r.greater(v, u) {
			granted = false
		}
	})
	return granted
}

// greater reports whether u's wish comes before v's.
func (r *refiner) greater(u, v uint32) bool {
	if r.fall[u] != r.fall[v] {
		return r.fall[u] > r.fall[v]
	}
	return r.graph.Precedes(u, v)
}

// neighbors calls see for every neighbour of u, which is at a boundary.
func (r *refiner) neighbors(u uint32, see func(v uint32, weight float32)) {
	g := r.graph
	for k := g.Start[u]; k < g.End[u]; k++ {
		see(g.Head[k], g.Weight[k])
	}
	from, end := r.incoming.Of(u)
	for i := from; i < end; i++ {
		see(r.incoming.Tail[i], g.Weight[r.incoming.Edge[i]])
	}
}
