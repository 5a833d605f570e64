// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// Refine refines the boundaries of the components of j, and returns the connected components
// of the core, and the index among these of each point, None outside the core. Its error is a
// *HaloError if the halo is too narrow.
func (t *Tile) Refine(run parallel.Run, j *Merged) (cores *CoreComponents, connected []uint32, err error) {
	defer parallel.Catch(&err)
	if t.graph == nil {
		parallel.Check(t.restore(j))
	}
	label, known := t.components(j)
	part := withExtra(j.part)
	moveLabels(run, t.graph, part, label, j.moveOptions)
	if inexact := t.inexact(known, j.passes); inexact > 0 {
		return nil, nil, &HaloError{Points: inexact, Step: "refine"}
	}
	connected = t.ownConnected(run, label, part.Vertices())
	cores = t.coreComponents(j, label, connected)
	if j.number != nil {
		for k, c := range cores.Label {
			cores.Label[k] = j.number[c]
		}
	}
	return cores, connected, nil
}

// components returns the component of each point in j, and whether it is exact. Points whose
// initial component is inexact are in an extra component, the last.
func (t *Tile) components(j *Merged) (label []uint32, known []bool) {
	spare := uint32(j.part.Vertices())
	of := make([]uint32, len(t.exact))
	for c, first := range t.first {
		of[c] = spare
		if place, ok := slices.BinarySearch(j.first, t.ID[first]); t.exact[c] && ok {
			of[c] = j.label[place]
		}
	}
	label, known = make([]uint32, len(t.label)), make([]bool, len(t.label))
	for u, c := range t.label {
		label[u], known[u] = of[c], of[c] != spare
	}
	return label, known
}

// withExtra returns part with an extra component of one point.
func withExtra(part *reduced.Graph) *reduced.Graph {
	n := part.Vertices()
	g := *part
	g.Components = part.New(n + 1)
	g.CopyRange(&part.Components, 0, n)
	g.Size[n] = 1
	if g.Weighted > 0 {
		g.Mass[n] = 1
	}
	return &g
}

// inexact returns the number of points of the core whose component may differ from that in the
// full cloud. exact has the points that are exact before the passes.
//
// Claim: after a pass a point is exact if it, its neighbours and their neighbours were exact
// before, with all their edges. Reason: a preferred label is exact if the point and its
// neighbours are exact and have all their edges; and whether the move is granted depends on
// the preferred labels of the point and its neighbours only.
func (t *Tile) inexact(exact []bool, passes int) (count int) {
	for range passes {
		for u := range exact {
			exact[u] = exact[u] && t.Known[u]
		}
		exact = withNeighbors(t.graph, withNeighbors(t.graph, exact))
	}
	for u, core := range t.Core {
		if core && !exact[u] {
			count++
		}
	}
	return count
}

// ownConnected returns the connected component of each point of the core, None outside.
func (t *Tile) ownConnected(run parallel.Run, label []uint32, other int) []uint32 {
	connected := slices.Clone(label)
	for u, core := range t.Core {
		if !core {
			connected[u] = uint32(other)
		}
	}
	count := t.graph.ConnectedComponents(run, connected, nil)
	number, next := slices.Repeat([]uint32{reduced.None}, count), uint32(0)
	for u, core := range t.Core {
		if c := connected[u]; core && number[c] == reduced.None {
			number[c] = next
			next++
		}
		connected[u] = number[connected[u]]
	}
	for u, core := range t.Core {
		if !core {
			connected[u] = reduced.None
		}
	}
	return connected
}

// coreComponents returns the core components: their sizes and sums, and the edges between them.
func (t *Tile) coreComponents(j *Merged, label, connected []uint32) *CoreComponents {
	p, width := &CoreComponents{}, j.SumWidth()
	for u, c := range connected {
		if c == reduced.None {
			continue
		}
		if int(c) == len(p.First) {
			p.First, p.Label, p.Size = append(p.First, math.MaxUint64), append(p.Label, label[u]), append(p.Size, 0)
			p.Sum = append(p.Sum, make([]int64, width)...)
		}
		p.First[c] = min(p.First[c], t.ID[u])
		p.Size[c]++
		addTo(p.Sum[int(c)*width:int(c+1)*width], &t.graph.Components, uint32(u), j.unit)
	}
	g := t.graph
	var touch []adjacency
	for u := range uint32(len(connected)) {
		for k := g.Start[u]; k < g.End[u]; k++ {
			v, weight := g.Head[k], int64(math.RoundToEven(float64(g.Weight[k])*quanta))
			a, b := connected[u], connected[v]
			switch {
			case a == reduced.None && b == reduced.None || a == b:
			case b == reduced.None:
				p.addBorder(t.ID[u], t.ID[v], a, weight)
			case a == reduced.None:
				p.addBorder(t.ID[v], t.ID[u], b, weight)
			default:
				touch = append(touch, adjacency{min(a, b), max(a, b), weight})
			}
		}
	}
	for _, t := range added(touch) {
		p.A, p.B, p.Inside = append(p.A, t.a), append(p.B, t.b), append(p.Inside, t.weight)
	}
	return p
}

func (p *CoreComponents) addBorder(own, other uint64, component uint32, weight int64) {
	p.Own, p.Other = append(p.Own, own), append(p.Other, other)
	p.Component, p.Across = append(p.Component, component), append(p.Across, weight)
}

// added sums the weights of equal pairs.
func added(touch []adjacency) []adjacency {
	slices.SortFunc(touch, func(x, y adjacency) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	out := touch[:0]
	for _, t := range touch {
		if n := len(out); n > 0 && out[n-1].a == t.a && out[n-1].b == t.b {
			out[n-1].weight += t.weight
		} else {
			out = append(out, t)
		}
	}
	return out
}
