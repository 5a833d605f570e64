// SPDX-License-Identifier: BSD-3-Clause

package roof

import (
	"image"
	"math"
)

// planes are the planes of a roof, in the order in which they were accepted.
type planes []*plane

const (
	fewCells  = 6    // of a superpoint that proposes a plane, and of a plane
	leastArea = 2.0  // square metres of a plane
	planar    = 0.75 // share of cells near its plane of a superpoint that proposes no other
	patchSide = 3.0  // metres of the patches that propose planes
	reach     = 2    // cells on each side that are the neighbours of a cell
	company   = 0.4  // least share of a cell's neighbours that are in its plane
)

// search is the state of the search for planes.
type search struct {
	cells []Cell
	side  float64
	grid  grid
	of    []int // plane of each cell, −1 for none
	found planes
}

// grid finds cells by their position.
type grid struct {
	min   image.Point
	width int
	cell  []int32 // number of the cell at each position, −1 for none
	mark  []int32 // of each position, for dense
	marks int32
}

// newGrid returns the grid of cells, with a margin of reach.
func newGrid(cells []Cell) grid {
	box := image.Rectangle{Min: cells[0].At, Max: cells[0].At}
	for _, c := range cells {
		box = box.Union(image.Rectangle{Min: c.At, Max: c.At.Add(image.Pt(1, 1))})
	}
	box = box.Inset(-reach)
	g := grid{min: box.Min, width: box.Dx(), cell: make([]int32, box.Dx()*box.Dy()),
		mark: make([]int32, box.Dx()*box.Dy())}
	for i := range g.cell {
		g.cell[i] = -1
	}
	for i, c := range cells {
		g.cell[g.index(c.At)] = int32(i)
	}
	return g
}

// index returns the index of a position.
func (g *grid) index(at image.Point) int { return (at.Y-g.min.Y)*g.width + at.X - g.min.X }

// find returns the planes of a roof.
func find(cells []Cell, side float64) planes {
	s := &search{cells: cells, side: side, grid: newGrid(cells), of: make([]int, len(cells))}
	for i := range cells {
		s.of[i] = -1
	}
	s.accept(s.proposals())
	var left []Cell
	for i, c := range cells {
		if s.of[i] < 0 {
			left = append(left, c)
		}
	}
	s.accept(patches(left))
	return s.found
}

// proposals returns the planes of superpoints.
func (s *search) proposals() (all []plane) {
	index := map[int32]int{}
	var groups [][]Cell
	for _, c := range s.cells {
		k, known := index[c.Superpoint]
		if !known {
			k = len(groups)
			index[c.Superpoint] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	for _, group := range groups {
		if len(group) < fewCells {
			continue
		}
		p, ok := robust(group)
		if ok {
			all = append(all, p)
		}
		if !ok || p.share(group) < planar {
			all = append(all, patches(group)...)
		}
	}
	return all
}

// share returns the share of cells near a plane.
func (p *plane) share(cells []Cell) float64 {
	count := 0
	for _, c := range cells {
		if p.distance(c) <= near {
			count++
		}
	}
	return float64(count) / float64(len(cells))
}

// patches returns the planes of square patches of cells.
func patches(cells []Cell) (all []plane) {
	index := map[image.Point]int{}
	var groups [][]Cell
	for _, c := range cells {
		at := image.Pt(int(math.Floor(c.X/patchSide)), int(math.Floor(c.Y/patchSide)))
		k, known := index[at]
		if !known {
			k = len(groups)
			index[at] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	for _, group := range groups {
		if len(group) < fewCells {
			continue
		}
		if p, ok := robust(group); ok {
			all = append(all, p)
		}
	}
	return all
}

// accept accepts proposals while they have enough cells of their own. The number of cells of a proposal only
// falls while others are accepted, so most counts need not be renewed.
func (s *search) accept(proposed []plane) {
	least := max(fewCells, int(leastArea/(s.side*s.side)))
	counts := make([]int, len(proposed))
	for k := range proposed {
		counts[k] = len(s.free(&proposed[k]))
	}
	for {
		best := s.best(proposed, counts)
		if best < 0 || counts[best] < least {
			return
		}
		p := proposed[best]
		counts[best] = 0
		if taken := s.refine(&p); len(taken) >= least {
			s.take(p, taken)
		}
	}
}

// best returns the proposal with most cells, and renews the counts of those that had more; −1 without any.
func (s *search) best(proposed []plane, counts []int) int {
	for renewed := -1; ; {
		best := -1
		for k, count := range counts {
			if best < 0 || count > counts[best] {
				best = k
			}
		}
		if best < 0 || best == renewed || counts[best] == 0 {
			return best
		}
		counts[best] = len(s.free(&proposed[best]))
		renewed = best
	}
}

// free returns the cells near a plane that are in no other.
func (s *search) free(p *plane) (cells []int) {
	limit := near * math.Sqrt(1+p.a*p.a+p.b*p.b)
	for i := range s.cells {
		c := &s.cells[i]
		if s.of[i] < 0 && math.Abs(p.at(c.X, c.Y)-c.Z) <= limit {
			cells = append(cells, i)
		}
	}
	return cells
}

// refine fits a plane to its cells twice, and returns them.
func (s *search) refine(p *plane) (cells []int) {
	for range 2 {
		cells = s.dense(s.free(p))
		some := make([]Cell, len(cells))
		for k, i := range cells {
			some[k] = s.cells[i]
		}
		if len(some) < 3 {
			return nil
		}
		better, ok := fit(some)
		if !ok {
			return nil
		}
		*p = better
	}
	return s.dense(s.free(p))
}

// dense returns the cells that have enough neighbours among them. It leaves out the lines in which a plane
// crosses others.
func (s *search) dense(cells []int) (kept []int) {
	g := &s.grid
	g.marks++
	for _, i := range cells {
		g.mark[g.index(s.cells[i].At)] = g.marks
	}
	for _, i := range cells {
		middle := g.index(s.cells[i].At)
		var all, same int
		for dy := -reach; dy <= reach; dy++ {
			row := middle + dy*g.width
			for k := row - reach; k <= row+reach; k++ {
				if g.cell[k] >= 0 {
					all++
				}
				if g.mark[k] == g.marks {
					same++
				}
			}
		}
		if float64(same) >= company*float64(all) {
			kept = append(kept, i)
		}
	}
	return kept
}

// take gives cells to a plane.
func (s *search) take(p plane, cells []int) {
	p.side = s.side
	for _, i := range cells {
		s.of[i] = len(s.found)
		p.cells = append(p.cells, s.cells[i])
	}
	s.found = append(s.found, &p)
}

// cells returns the number of cells of some planes.
func (all planes) cells(of func(p *plane) bool) (count int) {
	for _, p := range all {
		if of(p) {
			count += len(p.cells)
		}
	}
	return count
}

// largest returns the largest of some planes, nil if there is none.
func (all planes) largest(of func(p *plane) bool) (best *plane) {
	for _, p := range all {
		if of(p) && (best == nil || len(p.cells) > len(best.cells)) {
			best = p
		}
	}
	return best
}
