// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"iter"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/planar"
)

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
		south, _ := g.Beside(k)
		// in the raster: it has a margin
		for _, n := range [4]int{k - 1, south - 1, south, south + 1} {
			if owner[n] != 0 {
				sets.Join(uint32(o-1), uint32(owner[n]-1))
			}
		}
	}
	all := p.gather(Building, func(i int) int32 { return int32(sets.Root(uint32(p.Owner[i]))) })
	for k := range all {
		p.measure(&all[k], ground)
	}
	all = slices.DeleteFunc(all, func(o Object) bool {
		return o.Height < s.MinHeight ||
			len(o.Points) < p.fewest(s)
	})
	return p.outlines(run, g, p.sorted(all), s)
}

// fewest returns the smallest number of points of a building: of fewer where there is less than one in a
// square metre, but not below sparsest.
func (p *Points) fewest(s Settings) int {
	const sparsest = 4
	expected := float64(s.MinPoints) / (p.Spacing * p.Spacing)
	return min(s.MinPoints, max(sparsest, int(expected)))
}

// gather returns one object for each set of points of a kind with the same number, in the order of their
// first points; points with numbers below 0 are left out.
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

// outlines computes the polygons of buildings and their tops, and leaves out buildings whose area or height
// is then below MinArea or MinHeight.
func (p *Points) outlines(run parallel.Run, g *grid, all []Object, s Settings) ([]Object, error) {
	for k := range all {
		for _, i := range all[k].Points {
			g.Add(planar.CellOf(p.At[i], g.steps), p.Z[i], int32(k+1))
		}
	}
	p.fillBorders(g)
	regions, err := planar.Partition(run, g.View, len(all), gap/2, false)
	if err != nil {
		return nil, err
	}
	square := p.Step[0] * p.Step[1]
	side := float64(p.Cell.Y) * p.Step[1]
	least := detail{edge: s.MinEdge / side, hole: s.MinHole / g.area(p)}
	made := make([]walled, len(all))
	err = run.ForEach(len(all), 1, func(k int) {
		if len(regions[k]) > 0 { // else it is entirely below another building
			made[k].parts = newParts(regions[k], p.Cell, least)
			made[k].build(fitted)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := separate(run, made); err != nil {
		return nil, err
	}
	err = run.ForEach(len(all), 1, func(k int) {
		all[k].Outline = made[k].polygons
		for _, polygon := range all[k].Outline {
			all[k].Area += float64(polygon.Area2()) / 2 * square
		}
		p.setTop(&all[k], p.topAt(&all[k], g.origin()))
	})
	return slices.DeleteFunc(all, func(o Object) bool {
		return o.Area < s.MinArea || o.Height < s.MinHeight
	}), err
}

// footprints finds the footprint at a position.
type footprints struct {
	origin, side image.Point           // lattice steps
	near         map[image.Point][]int // buildings by cell of that side that their bounds overlap
	all          []Object
}

func newFootprints(p *Points, origin image.Point, all []Object) *footprints {
	f := &footprints{origin, p.stepsOf(2 * crownless), map[image.Point][]int{}, all}
	for k := range all {
		area := planar.Grown(all[k].Bounds(origin), image.Pt(1, 1)) // positions on the walls are inside it
		for cell := range f.cellsOf(area) {
			f.near[cell] = append(f.near[cell], k)
		}
	}
	return f
}

// cellsOf returns the cells that an area overlaps, the positions at its upper borders included.
func (f *footprints) cellsOf(area image.Rectangle) iter.Seq[image.Point] {
	return func(yield func(image.Point) bool) {
		low := planar.CellOf(area.Min, f.side)
		high := planar.CellOf(area.Max, f.side)
		for y := low.Y; y <= high.Y; y++ {
			for x := low.X; x <= high.X; x++ {
				if !yield(image.Pt(x, y)) {
					return
				}
			}
		}
	}
}

// inside reports whether a position is in a footprint.
func (f *footprints) inside(at image.Point) bool {
	return slices.ContainsFunc(f.near[planar.CellOf(at, f.side)], func(k int) bool {
		return isIn(f.all[k].Outline, at.Sub(f.origin))
	})
}
