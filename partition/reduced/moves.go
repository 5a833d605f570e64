package reduced

import (
	"math"

	"superpoint/partition/arithmetic"
	"superpoint/partition/forest"
	"superpoint/partition/parallel"
)

// Fall returns by how much the fidelity term falls when n of the all vertices of
// a component, whose mean is y, leave it; all is more than n:
//
//	n·all/(all−n) ‖y − mean‖²
//
// and Loss's difference of norms in the first sphere columns.
func Fall(sphere int, y []float32, mean []float64, n, all float64) float64 {
	fall := all * n / (all - n) * arithmetic.SquaredDistance(y[sphere:], mean[sphere:])
	if sphere > 0 {
		before, after := norms(y[:sphere], mean[:sphere], all, -n)
		fall += 2 * (after - before + n*norm(y[:sphere]))
	}
	return fall
}

// Rise returns by how much the fidelity term rises when n vertices, whose mean is
// y, enter a component of all:
//
//	n·all/(all+n) ‖y − mean‖²
//
// and Loss's difference of norms in the first sphere columns.
func Rise(sphere int, y []float32, mean []float64, n, all float64) float64 {
	rise := all * n / (all + n) * arithmetic.SquaredDistance(y[sphere:], mean[sphere:])
	if sphere > 0 {
		before, after := norms(y[:sphere], mean[:sphere], all, n)
		rise += 2 * (before - after + n*norm(y[:sphere]))
	}
	return rise
}

// norms returns the norm of all·mean, and that of all·mean + n·y.
func norms(y []float32, mean []float64, all, n float64) (before, after float64) {
	for k, v := range y {
		a := all * mean[k]
		b := a + n*float64(v)
		before += a * a
		after += b * b
	}
	return math.Sqrt(before), math.Sqrt(after)
}

func norm(y []float32) float64 {
	var s float64
	for _, v := range y {
		s += float64(v) * float64(v)
	}
	return math.Sqrt(s)
}

// Relabel replaces every id in label by coarse[id].
func Relabel(run parallel.Run, label, coarse []uint32) error {
	return run.For(len(label), 1<<15, func(lo, hi int) {
		for u, c := range label[lo:hi] {
			label[lo+u] = coarse[c]
		}
	})
}

// Surroundings are the components next to a vertex, its own first, and the
// weights between them and the vertex.
type Surroundings struct {
	ID     []uint32
	Weight []float64
}

// Surround fills s with what is next to u, whose edges from smaller vertices are
// in incoming. The weights are those of the graph, without its Scale.
func (s *Surroundings) Surround(g *Graph, incoming *Incoming, label []uint32, u uint32) {
	s.ID, s.Weight = append(s.ID[:0], label[u]), append(s.Weight[:0], 0)
	for k := g.Start[u]; k < g.End[u]; k++ {
		s.add(label[g.Head[k]], g.Weight[k])
	}
	from, end := incoming.Of(u)
	for i := from; i < end; i++ {
		s.add(label[incoming.Tail[i]], g.Weight[incoming.Edge[i]])
	}
}

func (s *Surroundings) add(id uint32, weight float32) {
	for i, v := range s.ID {
		if v == id {
			s.Weight[i] += float64(weight)
			return
		}
	}
	s.ID, s.Weight = append(s.ID, id), append(s.Weight, float64(weight))
}

// Pieces replaces label, any ids, by those of the connected pieces of each
// id's vertices, numbered by first vertex, and returns their number. Ids all
// equal give the connected components of the graph.
func (g *Graph) Pieces(run parallel.Run, label []uint32) (int, error) {
	n := len(label)
	root := forest.New(n)
	late := make([][][2]uint32, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		var out [][2]uint32
		for u := uint32(lo); u < uint32(hi); u++ {
			id, own := label[u], root.Root(u)
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				switch {
				case label[v] != id:
				case v >= uint32(hi):
					out = append(out, [2]uint32{u, v})
				case root[v] != own:
					own = root.Join(own, v)
				}
			}
		}
		late[lo/block] = out
	})
	if err != nil {
		return 0, err
	}
	for _, list := range late {
		for _, e := range list {
			root.Join(e[0], e[1])
		}
	}
	return Number(run, root, label)
}

// Number turns a forest, in which every vertex points to a smaller one of its
// tree or, as the root, to itself, into ids that are dense from 0 and ordered
// by root. It returns their number. root and id must not be the same array.
func Number(run parallel.Run, root, id []uint32) (int, error) {
	n := len(root)
	first := make([]uint32, (n+block-1)/block+1)
	for u := range root {
		root[u] = root[root[u]] // smaller, so already final
	}
	err := run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			if root[u] == uint32(u) {
				first[lo/block+1]++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for b := range len(first) - 1 {
		first[b+1] += first[b]
	}
	rank := make([]uint32, n) // of the roots
	err = run.For(n, block, func(lo, hi int) {
		next := first[lo/block]
		for u := lo; u < hi; u++ {
			if root[u] == uint32(u) {
				rank[u] = next
				next++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return int(first[len(first)-1]), run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			id[u] = rank[root[u]]
		}
	})
}
