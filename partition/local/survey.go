package local

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Joined is the partition of all atoms. Memory: 12 bytes an atom, and 8 and 4 a
// column for a component.
type Joined struct {
	first []uint64 // of the atoms, ascending
	label []uint32 // component of each
	part  *reduced.Graph
	unit  float64 // of sums over points, see step
	terms
}

// Join partitions the atoms of all tiles of a problem with the given λ, smallest
// size and columns on the sphere.
func Join(run parallel.Run, dim, sphere int, lambda float64, minSize int, tiles []*Atoms) (*Joined, error) {
	type place struct{ tile, atom uint32 }
	var order []place
	points, largest := 0, float32(0)
	for i, a := range tiles {
		points, largest = points+a.Points, max(largest, a.Largest)
		for k := range a.First {
			order = append(order, place{uint32(i), uint32(k)})
		}
	}
	slices.SortFunc(order, func(x, y place) int { return cmp.Compare(tiles[x.tile].First[x.atom], tiles[y.tile].First[y.atom]) })
	n := len(order)
	j := &Joined{first: make([]uint64, n), unit: stepOf(largest, float64(points)), terms: fine(minSize)}
	g := &reduced.Graph{Dim: dim, Sphere: sphere, Scale: float32(lambda), Size: make([]float32, n)}
	number := make([][]uint32, len(tiles))
	for i, a := range tiles {
		number[i] = make([]uint32, len(a.First))
	}
	for u, p := range order {
		a := tiles[p.tile]
		j.first[u], g.Size[u] = a.First[p.atom], a.Size[p.atom]
		g.Mean = append(g.Mean, a.Mean[int(p.atom)*dim:int(p.atom+1)*dim]...)
		number[p.tile][p.atom] = uint32(u)
	}
	var edges []link
	for i, a := range tiles {
		for _, e := range a.Edge {
			v, ok := slices.BinarySearch(j.first, e.To)
			if !ok {
				return nil, fmt.Errorf("local: an atom of tile %d touches that of point %d, which no tile has", i, e.To)
			}
			if u := number[i][e.From]; u < uint32(v) { // the other one has it too
				edges = append(edges, link{u, uint32(v), e.Weight})
			}
		}
	}
	fill(g, edges)
	var err error
	j.label, j.part, err = join(run, g, minSize)
	return j, err
}

// link is an edge between two components, the smaller number first.
type link struct {
	from, to uint32
	weight   float32
}

// fill makes the rows of g, ascending.
func fill(g *reduced.Graph, edges []link) {
	slices.SortFunc(edges, func(a, b link) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	n := len(g.Size)
	g.Start, g.End = make([]uint32, n), make([]uint32, n)
	g.Head, g.Weight = make([]uint32, len(edges)), make([]float32, len(edges))
	at := 0
	for u := range n {
		g.Start[u] = uint32(at)
		for ; at < len(edges) && edges[at].from == uint32(u); at++ {
			g.Head[at], g.Weight[at] = edges[at].to, edges[at].weight
		}
		g.End[u] = uint32(at)
	}
}

// Pieces are what a tile hands to Finish: the connected pieces of components in
// its core. Memory: 16 bytes and 8 a column for a piece, 16 for two that touch,
// 32 for an edge that leaves the core.
type Pieces struct {
	First  []uint64 // ID of the first point
	Label  []uint32 // component
	Size   []int64  // points
	Sum    []int64  // pieces × Dim
	Inside []Touch  // of two pieces of the tile
	Across []Crossing
}

// Touch is the weight between two pieces, in 65536ths.
type Touch struct {
	A, B   uint32
	Weight int64
}

// Crossing is an edge from a point of the core to one of another tile's.
type Crossing struct {
	Own, Other uint64 // IDs
	Piece      uint32 // of Own
	Weight     int64  // in 65536ths
}

// Finish joins the pieces of all tiles and mends what is too small. It returns
// the component of each piece of each tile; numbers are dense from 0 and in the
// order of the components' first points.
func Finish(run parallel.Run, j *Joined, tiles []*Pieces) ([][]uint32, error) {
	base := make([]uint32, len(tiles)+1)
	for i, p := range tiles {
		base[i+1] = base[i] + uint32(len(p.First))
	}
	label, touch, err := meet(tiles, base)
	if err != nil {
		return nil, err
	}
	g, number := sums(j, tiles, base, label, touch)
	up, _, err := mend(run, g, j.least)
	if err != nil {
		return nil, err
	}
	out := make([][]uint32, len(tiles))
	for i, p := range tiles {
		out[i] = make([]uint32, len(p.First))
		for k := range out[i] {
			out[i][k] = up[number[label[base[i]+uint32(k)]]]
		}
	}
	return out, nil
}

// meet joins pieces of one component that an edge joins across tiles. It
// returns for each piece the smallest number of those that are one, and the
// weights between pieces.
func meet(tiles []*Pieces, base []uint32) (root []uint32, touch []Touch, err error) {
	type crossing struct {
		low, high uint64
		piece     uint32
		weight    int64
	}
	root = make([]uint32, base[len(tiles)])
	component := make([]uint32, len(root))
	var all []crossing
	for i, p := range tiles {
		for k, c := range p.Label {
			root[base[i]+uint32(k)], component[base[i]+uint32(k)] = base[i]+uint32(k), c
		}
		for _, t := range p.Inside {
			touch = append(touch, Touch{base[i] + t.A, base[i] + t.B, t.Weight})
		}
		for _, c := range p.Across {
			all = append(all, crossing{min(c.Own, c.Other), max(c.Own, c.Other), base[i] + c.Piece, c.Weight})
		}
	}
	slices.SortFunc(all, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.piece, b.piece))
	})
	for i := 0; i < len(all); i += 2 {
		a := all[i]
		if i+1 == len(all) || all[i+1].low != a.low || all[i+1].high != a.high || all[i+1].weight != a.weight {
			return nil, nil, fmt.Errorf("local: only one of two tiles has the edge from point %d to %d; they were made from other files", a.low, a.high)
		}
		b := all[i+1]
		if component[a.piece] == component[b.piece] {
			unite(root, a.piece, b.piece)
		} else {
			touch = append(touch, Touch{a.piece, b.piece, a.weight})
		}
	}
	for u := range root {
		root[u] = root[root[u]] // smaller, so already final
	}
	return root, touch, nil
}

func unite(root []uint32, u, v uint32) {
	for root[u] != u {
		root[u] = root[root[u]]
		u = root[u]
	}
	for root[v] != v {
		root[v] = root[root[v]]
		v = root[v]
	}
	root[max(u, v)] = min(u, v)
}

// sums returns the reduced graph of the joined pieces, in the order of their
// first points, and the number of each root.
func sums(j *Joined, tiles []*Pieces, base, root []uint32, touch []Touch) (*reduced.Graph, []uint32) {
	d := j.part.Dim
	first, size, sum := make([]uint64, len(root)), make([]int64, len(root)), make([]int64, len(root)*d)
	var order []uint32
	for i, p := range tiles {
		for k := range p.First {
			u := base[i] + uint32(k)
			r := root[u]
			if r == u {
				order = append(order, u)
				first[u] = p.First[k]
			}
			first[r] = min(first[r], p.First[k])
			size[r] += p.Size[k]
			for c, x := range p.Sum[k*d : (k+1)*d] {
				sum[int(r)*d+c] += x
			}
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(first[a], first[b]) })
	number := make([]uint32, len(root))
	g := &reduced.Graph{Dim: d, Sphere: j.part.Sphere, Scale: j.part.Scale}
	for i, r := range order {
		number[r] = uint32(i)
		g.Size = append(g.Size, float32(size[r]))
		inverse := 1 / (float64(g.Size[i]) * j.unit)
		for _, x := range sum[int(r)*d : int(r+1)*d] {
			g.Mean = append(g.Mean, float32(float64(x)*inverse))
		}
	}
	fill(g, links(touch, root, number))
	return g, number
}

// links adds up the weights between components.
func links(touch []Touch, root, number []uint32) []link {
	for i, t := range touch {
		a, b := number[root[t.A]], number[root[t.B]]
		touch[i] = Touch{min(a, b), max(a, b), t.Weight}
	}
	slices.SortFunc(touch, func(a, b Touch) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	var out []link
	for lo := 0; lo < len(touch); {
		hi, total := lo, int64(0)
		for ; hi < len(touch) && touch[hi].A == touch[lo].A && touch[hi].B == touch[lo].B; hi++ {
			total += touch[hi].Weight
		}
		if touch[lo].A != touch[lo].B { // else pieces of a tile that others join
			out = append(out, link{touch[lo].A, touch[lo].B, float32(float64(total) / quanta)})
		}
		lo = hi
	}
	return out
}
