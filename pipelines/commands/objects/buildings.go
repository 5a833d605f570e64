// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/planar"
)

// gap is the largest width, in cells, of the gaps between points of a roof that are closed. Cells
// have the size of the point spacing, so about a third of them are empty.
const gap = 4

// buildings returns the connected components, in X and Y, of the superpoints of buildings. Two
// superpoints are adjacent if they share a cell or have cells with a common side or corner.
func (p *Points) buildings(run parallel.Run, g *grid, ground *terrain, s Settings) ([]Object, error) {
	sets := arrays.NewForest(len(p.Kind))
	owner := make([]int32, len(g.Label))
	for i, at := range p.At {
		if p.of(i) != Building {
			continue
		}
		k := g.index(at)
		if owner[k] != 0 {
			sets.Join(uint32(owner[k]-1), uint32(p.Owner[i]))
		}
		owner[k] = p.Owner[i] + 1
	}
	for k, o := range owner {
		if o == 0 {
			continue
		}
		for _, n := range [4]int{k - 1, k - g.Width - 1, k - g.Width, k - g.Width + 1} { // in the raster: it has a margin
			if owner[n] != 0 {
				sets.Join(uint32(o-1), uint32(owner[n]-1))
			}
		}
	}
	all := p.gather(Building, func(i int) int32 { return int32(sets.Root(uint32(p.Owner[i]))) })
	for k := range all {
		p.measure(&all[k], ground)
	}
	all = slices.DeleteFunc(all, func(o Object) bool { return o.Height < s.MinHeight || len(o.Points) < s.MinPoints })
	return p.outlines(run, g, p.sorted(all), s)
}

// gather returns one object for each set of points of a kind with the same number, in the order of their first
// points; points with numbers below 0 are left out.
func (p *Points) gather(kind Kind, number func(i int) int32) (all []Object) {
	index := map[int32]int{}
	for i := range p.At {
		if p.of(i) != kind {
			continue
		}
		n := number(i)
		if n < 0 {
			continue
		}
		k, known := index[n]
		if !known {
			k = len(all)
			index[n] = k
			all = append(all, Object{})
		}
		all[k].Points = append(all[k].Points, uint32(i))
	}
	return all
}

// outlines computes the polygons of buildings, and leaves out buildings with an area below MinArea.
func (p *Points) outlines(run parallel.Run, g *grid, all []Object, s Settings) ([]Object, error) {
	for k := range all {
		for _, i := range all[k].Points {
			g.Add(planar.CellOf(p.At[i], g.steps), p.Z[i], int32(k+1))
		}
	}
	regions, err := planar.Partition(run, g.View, len(all), gap/2, false)
	if err != nil {
		return nil, err
	}
	square := p.Step[0] * p.Step[1]
	err = run.ForEach(len(all), 1, func(k int) {
		if len(regions[k].Polygons) == 0 {
			return // entirely below another building
		}
		all[k].Outline = generalize(regions[k].Polygons, p.Cell)
		for _, polygon := range all[k].Outline {
			all[k].Area += float64(polygon.Area2()) / 2 * square
		}
	})
	return slices.DeleteFunc(all, func(o Object) bool { return o.Area < s.MinArea }), err
}
