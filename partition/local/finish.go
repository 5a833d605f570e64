// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// adjacency is the sum of the weights between two components, in 65536ths.
type adjacency struct {
	a, b   uint32
	weight int64
}

// Finish connects the core components of all tiles across their borders, and merges components
// that are too small. It returns the final component of each core component of each tile and then,
// for each strength in above, its component of the next coarser level; numbers are dense from 0
// and in the order of the components' first points. It returns an error if an edge across a border
// is in one tile only.
//
// Complexity: with C core components, P adjacent pairs and B edges across borders in all tiles, O(C + P + B
// log B), and the merge of the reduced graph. Points that are not at the border of a core are not read.
func Finish(run parallel.Run, j *Merged, tiles []*CoreComponents, above []problem.Strength) (
	levels [][][]uint32, err error) {
	levels, _, err = finish(run, j, tiles, above)
	return levels, err
}

// finish is Finish, and returns the totals of the components of the finest level. Claim: the components do
// not depend on the division into tiles. Reason: a connected component of the full cloud is the union of core
// components that edges of equal label join; each such edge is inside a core, where Refine has followed it,
// or in the lists of two tiles, where meet does. Sizes, sums and weights are sums of integers, and components
// are numbered by the ID of their first point, which tiles share. So the reduced graph that is merged last
// has the same bits.
//
// touch is carried from step to step as integers, though each step also builds a reduced graph with float32
// weights from it: a weight that had been rounded for one level could not be added exactly for the next.
func finish(run parallel.Run, j *Merged, tiles []*CoreComponents, above []problem.Strength) (
	levels [][][]uint32,
	finest *totals, err error) {
	defer parallel.Catch(&err)
	base := make([]uint32, len(tiles)+1)
	for i, p := range tiles {
		if err := p.check(j.SumWidth()); err != nil {
			return nil, nil, fmt.Errorf("tile %d: %w", i, err)
		}
		base[i+1] = base[i] + uint32(len(p.First))
	}
	root, touch, err := meet(run, tiles, base)
	if err != nil {
		return nil, nil, err
	}
	// of has the totals of the connected components, number the connected component of each core component.
	of, number := sums(run, j, tiles, base, root)
	touch = between(run, touch, number)
	// Only merges: label moves have been made on the points, and splitting a component here would undo the
	// smallest size.
	up, merged := mergeComponents(run, reducedOf(run, of, touch, j.part.Scale), j.least)
	finest = of.merged(up, merged.Vertices())
	number = relabelled(run, number, up)
	levels = [][][]uint32{byTile(number, base)}
	of = finest
	// The same step once more for each coarser level. up leads from the components of the level before to
	// the components of the level that has just been merged. So both totals and adjacencies are sums of
	// those in the level before.
	for _, s := range above {
		touch = between(run, touch, up)
		var count int
		up, count = mergeAbove(run, reducedOf(run, of, touch, 0), s.Lambda, s.MinSize)
		of = of.merged(up, count)
		number = relabelled(run, number, up)
		levels = append(levels, byTile(number, base))
	}
	return levels, finest, nil
}

// byTile returns the numbers of the core components of each tile.
//
// base has one entry more than there are tiles: core components of tile i have the indices base[i] to
// base[i+1]−1.
func byTile(number, base []uint32) [][]uint32 {
	out := make([][]uint32, len(base)-1)
	for i := range out {
		out[i] = number[base[i]:base[i+1]]
	}
	return out
}

// meet connects core components of equal label that have an edge across tiles. It returns for each core
// component the smallest index of those connected with it, and the adjacent pairs. Each edge between two
// cores is listed once by each of the tiles, so after sorting by its two points the entries come in pairs. An
// entry without its pair, or with another weight, shows that a tile was made from other points: an error, not
// a guess.
//
// Edges are sorted instead of looked up: a table of all points at borders would be the largest structure of a
// survey, and a sort reads and writes them in order.
//
// The forest needs one pass at the end: Join makes the smaller index the root, so root[u] ≤ u, and when the
// loop comes to u all smaller entries are final.
func meet(run parallel.Run, tiles []*CoreComponents, base []uint32) (root arrays.Forest,
	touch []adjacency, err error) {
	type crossing struct {
		low, high uint64
		core      uint32
		weight    int64
	}
	root = arrays.NewForest(int(base[len(tiles)]))
	component := make([]uint32, len(root))
	var all []crossing
	for i, p := range tiles {
		copy(component[base[i]:], p.Label)
		pairs := make([]adjacency, len(p.A))
		run.Each(len(pairs), 1<<14, func(k int) {
			pairs[k] = adjacency{base[i] + p.A[k], base[i] + p.B[k], p.Inside[k]}
		})
		touch = append(touch, pairs...)
		for k, own := range p.Own {
			all = append(all, crossing{min(own, p.Other[k]), max(own, p.Other[k]), base[i] + p.Component[k],
				p.Across[k]})
		}
	}
	// The two entries of an edge have different cores, since its ends are in different tiles: the order is
	// total.
	slices.SortFunc(all, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.core, b.core))
	})
	for i := 0; i < len(all); i += 2 {
		a := all[i]
		isPair := i+1 < len(all)
		if isPair {
			b := all[i+1]
			isPair = b.low == a.low && b.high == a.high && b.weight == a.weight
		}
		if !isPair {
			return nil, nil, fmt.Errorf(
				"local: only one of two tiles has the edge from point %d to %d: the tiles come from "+
					"different files; run the survey again", a.low, a.high)
		}
		b := all[i+1]
		// One label on both sides: the border of the core has cut a component, which is connected again here.
		// Two labels: the components are neighbors, as a pair within a core.
		if component[a.core] == component[b.core] {
			root.Join(a.core, b.core)
		} else {
			touch = append(touch, adjacency{a.core, b.core, a.weight})
		}
	}
	for u := range root {
		root[u] = root[root[u]] // smaller, so already final
	}
	return root, touch, nil
}

// sums returns the totals of the connected components, in the order of their first points, and for each core
// component the number of its connected component. A component may have its first point in any of the tiles
// that it touches, so the first points of its parts are compared before the numbers are given.
func sums(run parallel.Run, j *Merged, tiles []*CoreComponents, base, root []uint32) (of *totals,
	number []uint32) {
	first := make([]uint64, len(root)) // of a root: the least of its component; of others: their own
	for i, p := range tiles {
		copy(first[base[i]:], p.First)
	}
	var roots []uint32
	for u, r := range root { // a root comes before those that it has
		if r == uint32(u) {
			roots = append(roots, r)
		}
		first[r] = min(first[r], first[u])
	}
	number = make([]uint32, len(root))
	// The first points of two components differ, so that the order of roots by them is total and the numbers
	// are those that the full cloud would give.
	for i, k := range arrays.Sorted(run, len(roots), func(i int) uint64 { return first[roots[i]] }) {
		number[roots[k.Of]] = uint32(i)
	}
	for u, r := range root {
		number[u] = number[r]
	}
	of = newTotals(&j.part.Components, len(roots), j.unit)
	width := j.SumWidth()
	for i, p := range tiles {
		run.Each(len(p.First), 1<<12, func(k int) {
			// Workers may add to one component at the same time: core components of one tile may be parts of
			// one component.
			of.add(number[base[i]+uint32(k)], p.Size[k], p.Sum[k*width:(k+1)*width], 1)
		})
	}
	return of, number
}

// between returns the adjacencies of the components into which others are merged. It is applied twice to each
// level: for the connected components, and for those that merges leave. Pairs that have become one component
// have no border any more.
func between(run parallel.Run, touch []adjacency, number []uint32) []adjacency {
	var out []adjacency
	for _, t := range touch {
		a := number[t.a]
		b := number[t.b]
		if a != b {
			out = append(out, adjacency{min(a, b), max(a, b), t.weight})
		}
	}
	return added(run, out)
}

// added sums the weights of equal pairs, and returns the pairs in ascending order. Weights are integers, so
// the order in which equal pairs are added does not matter; the order of the result does, because rows of the
// reduced graph are filled from it.
//
// Both indices are one sort key of 64 bits, which a radix sort needs (arrays.Sorted). a < b in every pair
// (between), so that two adjacencies of the same components have the same key.
func added(run parallel.Run, touch []adjacency) []adjacency {
	sorted := arrays.Sorted(run, len(touch),
		func(i int) uint64 { return uint64(touch[i].a)<<32 | uint64(touch[i].b) })
	out := make([]adjacency, 0, len(touch))
	for i, s := range sorted {
		t := touch[s.Of]
		if i > 0 && sorted[i-1].Key == s.Key {
			out[len(out)-1].weight += t.weight
		} else {
			out = append(out, t)
		}
	}
	return out
}

// reducedOf returns the reduced graph of components with their totals and adjacencies. Here integers become
// float32 again, once, after all sums are complete: rounding before would depend on the tiles.
func reducedOf(run parallel.Run, of *totals, touch []adjacency, scale float32) *reduced.Graph {
	edges := make([]link, len(touch))
	for i, t := range touch {
		edges[i] = link{t.a, t.b, float32(float64(t.weight) / quanta)}
	}
	g := &reduced.Graph{Components: *of.components(run), Scale: scale}
	fill(g, edges)
	return g
}
