package local

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Refine moves the points between the components of j, and finds the pieces of
// the core. It also returns the piece of each point, None outside the core.
func (t *Tile) Refine(run parallel.Run, j *Joined) (*Pieces, []uint32, error) {
	label, known := t.components(j)
	part := withSpare(j.part)
	if err := shift(run, t.graph, part, label, j.terms); err != nil {
		return nil, nil, err
	}
	if unsure := t.unsure(known, j.passes); unsure > 0 {
		return nil, nil, &HaloError{Points: unsure, Step: "refine"}
	}
	piece, err := t.ownPieces(run, label, part.Vertices())
	if err != nil {
		return nil, nil, err
	}
	pieces := t.pieces(j, label, piece)
	if j.number != nil {
		for k, c := range pieces.Label {
			pieces.Label[k] = j.number[c]
		}
	}
	return pieces, piece, nil
}

// components returns the component of each point in j, one more than there are
// for points whose atom is not sure, and which are sure.
func (t *Tile) components(j *Joined) (label []uint32, known []bool) {
	spare := uint32(j.part.Vertices())
	of := make([]uint32, len(t.right))
	for c, first := range t.first {
		of[c] = spare
		if place, ok := slices.BinarySearch(j.first, t.ID[first]); t.right[c] && ok {
			of[c] = j.label[place]
		}
	}
	label, known = make([]uint32, len(t.label)), make([]bool, len(t.label))
	for u, c := range t.label {
		label[u], known[u] = of[c], of[c] != spare
	}
	return label, known
}

// withSpare returns a component of one point more.
func withSpare(part *reduced.Graph) *reduced.Graph {
	g := *part
	g.Size = append(slices.Clone(part.Size), 1)
	g.Mean = append(slices.Clone(part.Mean), make([]float32, part.Dim)...)
	return &g
}

// unsure counts the points of the core that may not be where they are in the
// whole. Where a point wants to go is sure if it and its neighbours are where
// they are in the whole and all their edges are there; whether it goes, if that
// is so of its neighbours' wishes too.
func (t *Tile) unsure(sure []bool, passes int) (count int) {
	for range passes {
		for u := range sure {
			sure[u] = sure[u] && t.Known[u]
		}
		sure = besideAll(t.graph, besideAll(t.graph, sure))
	}
	for u, core := range t.Core {
		if core && !sure[u] {
			count++
		}
	}
	return count
}

// ownPieces returns the piece of each point of the core.
func (t *Tile) ownPieces(run parallel.Run, label []uint32, other int) ([]uint32, error) {
	piece := slices.Clone(label)
	for u, core := range t.Core {
		if !core {
			piece[u] = uint32(other)
		}
	}
	count, err := t.graph.Pieces(run, piece)
	if err != nil {
		return nil, err
	}
	number, next := make([]uint32, count), uint32(0)
	for c := range number {
		number[c] = reduced.None
	}
	for u, core := range t.Core {
		if c := piece[u]; core && number[c] == reduced.None {
			number[c] = next
			next++
		}
		piece[u] = number[piece[u]]
	}
	for u, core := range t.Core {
		if !core {
			piece[u] = reduced.None
		}
	}
	return piece, nil
}

// pieces adds up what Finish needs.
func (t *Tile) pieces(j *Joined, label, piece []uint32) *Pieces {
	p, d := &Pieces{}, t.graph.Dim
	for u, c := range piece {
		if c == reduced.None {
			continue
		}
		if int(c) == len(p.First) {
			p.First, p.Label, p.Size = append(p.First, math.MaxUint64), append(p.Label, label[u]), append(p.Size, 0)
			p.Sum = append(p.Sum, make([]int64, d)...)
		}
		p.First[c] = min(p.First[c], t.ID[u])
		p.Size[c]++
		for k, y := range t.graph.Mean[u*d : (u+1)*d] {
			p.Sum[int(c)*d+k] += fixed(1, y, j.unit)
		}
	}
	g := t.graph
	for u := range uint32(len(piece)) {
		for k := g.Start[u]; k < g.End[u]; k++ {
			v, weight := g.Head[k], int64(math.RoundToEven(float64(g.Weight[k])*quanta))
			a, b := piece[u], piece[v]
			switch {
			case a == reduced.None && b == reduced.None || a == b:
			case b == reduced.None:
				p.Across = append(p.Across, Crossing{t.ID[u], t.ID[v], a, weight})
			case a == reduced.None:
				p.Across = append(p.Across, Crossing{t.ID[v], t.ID[u], b, weight})
			default:
				p.Inside = append(p.Inside, Touch{min(a, b), max(a, b), weight})
			}
		}
	}
	p.Inside = added(p.Inside)
	return p
}

// added adds up the weights between the same two.
func added(touch []Touch) []Touch {
	slices.SortFunc(touch, func(x, y Touch) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	out := touch[:0]
	for _, t := range touch {
		if n := len(out); n > 0 && out[n-1].A == t.A && out[n-1].B == t.B {
			out[n-1].Weight += t.Weight
		} else {
			out = append(out, t)
		}
	}
	return slices.Clip(out)
}
