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

// CoreComponents are the result of Refine and the input of Finish: the connected
// components of a tile's core, by label. Memory: 16 bytes and 8 a column for each, 16 for
// an adjacent pair, 32 for an edge that leaves the core.
type CoreComponents struct {
	First      []uint64 // ID of the first point
	Label      []uint32 // component of the global merge
	Size       []int64  // number of points
	Sum        []int64  // core components × SumWidth: sums of values, see totals
	A, B       []uint32 // adjacent pairs in the core
	Inside     []int64  // the sums of the weights between them, in 65536ths
	Own, Other []uint64 // IDs of the points of edges that leave the core
	Component  []uint32 // of Own
	Across     []int64  // weights of these edges, in 65536ths
}

// adjacency is the sum of the weights between two components, in 65536ths.
type adjacency struct {
	a, b   uint32
	weight int64
}

// Finish connects the core components of all tiles across their borders, and merges
// components that are too small. It returns the final component of each core component of
// each tile and then, for each of above, that of the next coarser level; numbers are dense from 0
// and in the order of the components' first points. It returns an error if an edge across a border
// is in one tile only.
func Finish(run parallel.Run, j *Merged, tiles []*CoreComponents, above []problem.Strength) (levels [][][]uint32,
	err error) {
	defer parallel.Catch(&err)
	base := make([]uint32, len(tiles)+1)
	for i, p := range tiles {
		if err := p.check(j.SumWidth()); err != nil {
			return nil, fmt.Errorf("tile %d: %w", i, err)
		}
		base[i+1] = base[i] + uint32(len(p.First))
	}
	label, touch, err := meet(tiles, base)
	if err != nil {
		return nil, err
	}
	of, number := sums(j, tiles, base, label)
	touch = between(touch, number)
	up, merged := mergeComponents(run, reducedOf(run, of, touch, j.part.Scale), j.least)
	count := merged.Vertices()
	levels = [][][]uint32{relabelled(run, number, up, base)}
	for _, s := range above {
		of, touch = of.merged(up, count), between(touch, up)
		up, count = mergeAbove(run, reducedOf(run, of, touch, 0), s.Lambda, s.MinSize)
		levels = append(levels, relabelled(run, number, up, base))
	}
	return levels, nil
}

// relabelled replaces the number of each core component by up, and returns a copy of the numbers of each tile.
func relabelled(run parallel.Run, number, up, base []uint32) [][]uint32 {
	reduced.Relabel(run, number, up)
	out := make([][]uint32, len(base)-1)
	for i := range out {
		out[i] = slices.Clone(number[base[i]:base[i+1]])
	}
	return out
}

// meet connects core components of equal label that have an edge across tiles. It returns
// for each core component the smallest index of those connected with it, and the adjacent
// pairs.
func meet(tiles []*CoreComponents, base []uint32) (root arrays.Forest, touch []adjacency, err error) {
	type crossing struct {
		low, high uint64
		core      uint32
		weight    int64
	}
	root = arrays.NewForest(int(base[len(tiles)]))
	component := make([]uint32, len(root))
	var all []crossing
	for i, p := range tiles {
		for k, c := range p.Label {
			component[base[i]+uint32(k)] = c
		}
		for k, a := range p.A {
			touch = append(touch, adjacency{base[i] + a, base[i] + p.B[k], p.Inside[k]})
		}
		for k, own := range p.Own {
			all = append(all, crossing{min(own, p.Other[k]), max(own, p.Other[k]), base[i] + p.Component[k], p.Across[k]})
		}
	}
	slices.SortFunc(all, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high), cmp.Compare(a.core, b.core))
	})
	for i := 0; i < len(all); i += 2 {
		a := all[i]
		if i+1 == len(all) || all[i+1].low != a.low || all[i+1].high != a.high || all[i+1].weight != a.weight {
			return nil, nil, fmt.Errorf(
				"local: only one of two tiles has the edge from point %d to %d: the tiles are of different files; run the "+
					"survey again", a.low, a.high)
		}
		b := all[i+1]
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

// sums returns the totals of the connected components, in the order of their first points, and the number
// of that of each core component.
func sums(j *Merged, tiles []*CoreComponents, base, root []uint32) (of *totals, number []uint32) {
	all := newTotals(&j.part.Components, len(root), j.unit)
	first := make([]uint64, len(root))
	var order []uint32
	width := j.SumWidth()
	for i, p := range tiles {
		for k := range p.First {
			u := base[i] + uint32(k)
			r := root[u]
			if r == u {
				order = append(order, u)
				first[u] = p.First[k]
			}
			first[r] = min(first[r], p.First[k])
			all.add(r, p.Size[k], p.Sum[k*width:(k+1)*width], 1)
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(first[a], first[b]) })
	number = make([]uint32, len(root))
	for i, r := range order {
		number[r] = uint32(i)
	}
	for u, r := range root {
		number[u] = number[r]
	}
	return all.merged(number, len(order)), number
}

// between returns the adjacencies of the components into which others are merged, in place of those of the others.
func between(touch []adjacency, number []uint32) []adjacency {
	out := touch[:0]
	for _, t := range touch {
		if a, b := number[t.a], number[t.b]; a != b {
			out = append(out, adjacency{min(a, b), max(a, b), t.weight})
		}
	}
	return added(out)
}

// reducedOf returns the reduced graph of components with their totals and adjacencies.
func reducedOf(run parallel.Run, of *totals, touch []adjacency, scale float32) *reduced.Graph {
	edges := make([]link, len(touch))
	for i, t := range touch {
		edges[i] = link{t.a, t.b, float32(float64(t.weight) / quanta)}
	}
	g := &reduced.Graph{Components: *of.components(run), Scale: scale}
	fill(g, edges)
	return g
}
