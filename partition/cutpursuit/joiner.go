package cutpursuit

import (
	"superpoint/partition/arrays"
	"superpoint/partition/forest"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// block is the number of components that one worker joins at a time. Unions
// inside a block are made first, then those between blocks, in order.
const block = 1 << 13

// joiner decides which components of a round become one: those that chose each
// other, and then, in the order of their numbers, those that still gain from
// their choice now that either has grown. Every union lowers the energy.
type joiner struct {
	graph  *reduced.Graph
	choice *reduced.Choice
	union  reduced.Graph // size and mean of each union, at its root
	root   forest.Forest // a smaller vertex of the same union; the smallest has itself
	late   [][]uint32    // per block, those whose union reaches out of the block
}

// join returns the component of each vertex after the round, numbered by first
// vertex, and their number.
func (j *joiner) join(run parallel.Run, g *reduced.Graph, choice *reduced.Choice) ([]uint32, int, error) {
	n := g.Vertices()
	j.graph, j.choice = g, choice
	j.union.Dim, j.union.Sphere = g.Dim, g.Sphere
	j.union.Mean, j.union.Size = arrays.Resized(j.union.Mean, n*g.Dim), arrays.Resized(j.union.Size, n)
	j.root = arrays.Resized(j.root, n)
	for len(j.late) < (n+block-1)/block {
		j.late = append(j.late, nil)
	}
	err := run.For(n, block, j.joinBlock)
	if err != nil {
		return nil, 0, err
	}
	for b := range (n + block - 1) / block {
		for _, u := range j.late[b] {
			j.follow(u)
		}
	}
	label := make([]uint32, n)
	count, err := reduced.Number(run, j.root, label)
	return label, count, err
}

func (j *joiner) joinBlock(lo, hi int) {
	d := j.graph.Dim
	copy(j.union.Mean[lo*d:hi*d], j.graph.Mean[lo*d:hi*d])
	copy(j.union.Size[lo:hi], j.graph.Size[lo:hi])
	for u := lo; u < hi; u++ {
		j.root[u] = uint32(u)
	}
	neighbor := j.choice.Neighbor
	inside := func(v uint32) bool { return v >= uint32(lo) && v < uint32(hi) }
	for u := uint32(lo); u < uint32(hi); u++ {
		if v := neighbor[u]; v > u && inside(v) && neighbor[v] == u {
			j.unite(u, v)
		}
	}
	late := j.late[lo/block][:0]
	for u := uint32(lo); u < uint32(hi); u++ {
		switch v := neighbor[u]; {
		case v == reduced.None:
		case inside(v):
			j.follow(u)
		default:
			late = append(late, u)
		}
	}
	j.late[lo/block] = late
}

// follow joins u's union with that of its choice if that still lowers the
// energy. The weight between the two unions is at least that of the edge.
func (j *joiner) follow(u uint32) {
	v := j.choice.Neighbor[u]
	a, b := j.root.Root(u), j.root.Root(v)
	if a == b {
		return
	}
	weight := j.choice.Gain[u] + j.graph.Loss(u, v)
	if weight-j.union.Loss(a, b) > 0 {
		j.unite(min(a, b), max(a, b))
	}
}

func (j *joiner) unite(a, b uint32) {
	j.root[b] = a
	j.union.Absorb(a, b)
}
