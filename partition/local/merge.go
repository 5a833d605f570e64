// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// Merged is the result of the global merge: the partition of the initial components of all
// tiles. Memory: 12 bytes for an initial component, and 8 and 4 a column for a component.
//
// The graph of part has its edges after Merge, which needs them no more: moves read sizes and means only. A
// part that was read from blocks has none (Part).
type Merged struct {
	first []uint64 // IDs of the first points of initial components, ascending; nil for a full cloud
	label []uint32 // component of each
	part  *reduced.Graph
	unit  float64 // of sums over points, see step
	moveOptions
	number []uint32 // index of each component in the full partition; nil if this is the full one
}

// Merge computes the global merge: it partitions the initial components of all tiles of a problem with the
// given λ and smallest size. It returns an error if an edge leads to an initial component that no tile has.
// Claim: the result does not depend on how the cloud is divided into tiles. Reason: initial components are
// equal in all tiles (Coarsen fails otherwise) and are sorted by the ID of their first point, which tiles
// share; the graph that is partitioned is then the same, bit by bit. An edge between two tiles is in the
// lists of both; the entry of its smaller end is used.
//
// Steps: (1) all initial components are listed and sorted by the ID of their first point, which numbers the
// vertices; (2) their sizes and means are copied in that order; (3) each edge, which names its other end by
// an ID, gets the number of that end by a search; (4) the rows are sorted (fill), and the graph is
// partitioned as for any file (mergeGraph).
//
// The memory of this step decides how large a survey can be: no other step keeps data of all tiles at once.
func Merge(run parallel.Run, dim int, lambda float64, minSize int, tiles []*InitialComponents) (
	j *Merged, err error) {
	defer parallel.Catch(&err)
	if len(tiles) == 1 && tiles[0].full != nil {
		return mergeGraph(run, tiles[0].full, minSize, tiles[0].Largest), nil
	}
	// tile and component of each vertex of the graph, in the order of vertices
	type place struct{ tile, component uint32 }
	var order []place
	like := reduced.Components{Dim: dim}
	largest := []float32(nil)
	for i, a := range tiles {
		if err := a.check(dim); err != nil {
			return nil, fmt.Errorf("tile %d: %w", i, err)
		}
		like.Weighted = max(like.Weighted, a.Weighted)
		largest = append(largest, a.Largest...)
		for k := range a.First {
			order = append(order, place{uint32(i), uint32(k)})
		}
	}
	slices.SortFunc(order, func(x, y place) int {
		return cmp.Compare(tiles[x.tile].First[x.component], tiles[y.tile].First[y.component])
	})
	n := len(order)
	first := make([]uint64, n)
	g := &reduced.Graph{Components: like.New(n), Scale: float32(lambda)}
	number := make([][]uint32, len(tiles))
	for i, a := range tiles {
		number[i] = make([]uint32, len(a.First))
	}
	for u, p := range order {
		a := tiles[p.tile]
		first[u] = a.First[p.component]
		g.Copy(uint32(u), &a.Components, p.component)
		number[p.tile][p.component] = uint32(u)
	}
	var edges []link
	for i, a := range tiles {
		for k, to := range a.To {
			v, ok := slices.BinarySearch(first, to)
			if !ok {
				return nil, fmt.Errorf(
					"local: no tile has the initial component of point %d, to which tile %d has an edge: "+
						"the tiles come from different files; run the survey again", to, i)
			}
			// Each end lists the edge with the same weight: it was summed exactly on the points of both
			// (newGraph).
			if u := number[i][a.From[k]]; u < uint32(v) { // the other end has the edge, too
				edges = append(edges, link{u, uint32(v), a.Weight[k]})
			}
		}
	}
	fill(g, edges)
	j = mergeGraph(run, g, minSize, largest)
	j.first = first
	return j, nil
}

// mergeGraph partitions the reduced graph of initial components. largest has absolute values that no point
// exceeds. The unit of the sums is derived from the greatest absolute value of all points, so that no sum
// overflows, and is part of the result: tiles that refine later have to count in the same unit.
func mergeGraph(run parallel.Run, g *reduced.Graph, minSize int, largest []float32) *Merged {
	unit := step(run, largest, &g.Components)
	label, part := globalMerge(run, g, minSize)
	return &Merged{label: label, part: part, unit: unit, moveOptions: pointMoves(minSize)}
}

// link is an edge between two components, the smaller number first.
type link struct {
	from, to uint32
	weight   float32
}

// fill sets the rows of g, sorted by head.
//
// An edge is in the row of its smaller end, as in all reduced graphs. Edges with equal ends do not exist: the
// owner of an initial component lists each of its edges once. So the order is total, and equal sets of edges
// give equal rows.
func fill(g *reduced.Graph, edges []link) {
	slices.SortFunc(edges, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.from, b.from),
			cmp.Compare(a.to, b.to))
	})
	n := len(g.Size)
	g.Start = make([]uint32, n)
	g.End = make([]uint32, n)
	g.Head = make([]uint32, len(edges))
	g.Weight = make([]float32, len(edges))
	at := 0
	for u := range n {
		g.Start[u] = uint32(at)
		for ; at < len(edges) && edges[at].from == uint32(u); at++ {
			g.Head[at], g.Weight[at] = edges[at].to, edges[at].weight
		}
		g.End[u] = uint32(at)
	}
}

// SumWidth returns the number of sums of a core component.
//
// Readers of core components need it to check the length of Sum, which does not follow from the
// other arrays.
func (j *Merged) SumWidth() int { return sumWidth(&j.part.Components) }
