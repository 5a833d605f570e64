// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"cmp"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/pipelines/shapes/planar"
)

// CanopyCell is the smallest side of the cells of the canopy, in metres.
const CanopyCell = 0.75

const (
	// cells around those with points: smoothing gives heights to cells beside these, whose neighbours are
	// held
	canopyMargin = 2
	// of a top's height: a top that is less above the saddle to a higher one is merged with it
	minProminence = 0.1
	// smallest share of a superpoint in one crown with which it belongs to that crown entirely
	majority = 0.6
)

// crownRadius returns the radius in metres of the crown of a tree of the given height: half the crown
// width that Popescu and Wynne (2004) fitted to mixed woods. Tops within it are of the same tree.
func crownRadius(height float64) float64 { return (2.51503 + 0.00901*height*height) / 2 }

// canopy is the canopy height model: the smoothed height above the ground of the highest vegetation
// in each cell.
type canopy struct {
	grid
	side   float64   // metres
	height []float64 // metres; 0 without vegetation
}

// canopy returns the canopy height model of the points for which green is true, in cells of the size of the
// point spacing, at least CanopyCell.
func (p *Points) canopy(ground *terrain, s Settings, green func(i int) bool) (*canopy, error) {
	g, err := p.grid(p.stepsOf(max(CanopyCell, p.Spacing)), canopyMargin)
	if err != nil {
		return nil, err
	}
	c := &canopy{grid: g, side: math.Sqrt(g.area(p)), height: make([]float64, len(g.Label))}
	for i, at := range p.At {
		if !green(i) {
			continue
		}
		if h := p.Z[i] - ground.at(at); h >= s.MinHeight {
			k := c.index(at)
			c.height[k] = max(c.height[k], h)
		}
	}
	c.smooth()
	return c, nil
}

// around returns the indices of the eight neighbours of a cell that is in the raster but for the outermost
// cells.
//
// Claim: an index that leads to another cell than the neighbour leads to a cell without a height. Reason: a
// neighbour is not held where a run of cells ends, and within canopyMargin of an end there are no points. The
// index then leads to a cell where another run of the same band of rows ends.
func (c *canopy) around(k int) [8]int {
	s, n := c.Beside(k)
	return [8]int{s - 1, s, s + 1, k - 1, k + 1, n - 1, n, n + 1}
}

// smooth fills empty cells with at least five neighbours that are not empty, and then filters with
// the 3 × 3 binomial kernel (1 2 1)ᵀ(1 2 1), so that single returns are not tops.
func (c *canopy) smooth() {
	filled := slices.Clone(c.height)
	c.inner(func(k int) {
		sum, n := 0.0, 0
		for _, o := range c.around(k) {
			if c.height[o] > 0 {
				sum, n = sum+c.height[o], n+1
			}
		}
		if c.height[k] == 0 && n >= 5 {
			filled[k] = sum / float64(n)
		}
	})
	smooth := make([]float64, len(filled))
	c.inner(func(k int) {
		if filled[k] == 0 {
			return
		}
		sum, weight := 4*filled[k], 4.0
		for j, o := range c.around(k) {
			if w := float64([8]int{1, 2, 1, 2, 2, 1, 2, 1}[j]); filled[o] > 0 {
				sum, weight = sum+w*filled[o], weight+w
			}
		}
		smooth[k] = sum / weight
	})
	c.height = smooth
}

// inner visits the cells that have a value at each index of around, but not the outermost cells.
//
// Claim: it visits all cells that are at most one from a point. Reason: the eight neighbours of such a cell
// are within canopyMargin of the point, and so they are held. The other cells are left out where a neighbour
// to the south or the north is not held, or where the southern one is the first value of all or the northern
// one the last: beside that no cell is held, as at a corner of the area that has no points.
func (c *canopy) inner(visit func(k int)) {
	inside := planar.Grown(c.Area, image.Pt(-1, -1))
	last := len(c.height) - 1
	for _, run := range c.Runs() {
		for k := run.First; k < run.First+run.Len(); k++ {
			south, north := c.Beside(k)
			below := south > 0
			above := north >= 0 && north < last
			if below && above && run.Cell(k).In(inside) {
				visit(k)
			}
		}
	}
}

// flood returns the crown of each cell as the index of its top's cell, −1 for none. It visits the
// cells from the highest down: a cell without a visited neighbour is a top, another takes the crown
// of its highest neighbour.
func (c *canopy) flood() []int32 {
	crown := slices.Repeat([]int32{-1}, len(c.height))
	tops := arrays.NewForest(len(crown)) // the parent of a merged top is the higher one
	for _, k := range c.highestFirst() {
		best, most := int32(-1), 0.0 // crown and height of the highest neighbour
		for _, o := range c.around(int(k)) {
			if crown[o] < 0 {
				continue
			}
			top := int32(tops.Root(uint32(crown[o])))
			if best >= 0 && best != top {
				c.merge(tops, best, top, c.height[k])
			}
			if h := c.height[o]; best < 0 || h > most {
				best, most = top, h
			}
		}
		if best < 0 {
			best = k
		}
		crown[k] = best
	}
	for k := range crown {
		if crown[k] >= 0 {
			crown[k] = int32(tops.Root(uint32(crown[k])))
		}
	}
	return crown
}

// highestFirst returns the cells above the ground, the highest first.
func (c *canopy) highestFirst() (order []int32) {
	for k, h := range c.height {
		if h > 0 {
			order = append(order, int32(k))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.height[b], c.height[a]), cmp.Compare(a, b))
	})
	return order
}

// merge merges two crowns with a saddle at the given height if their tops are within the crown radius
// or the lower top is not prominent enough.
func (c *canopy) merge(tops arrays.Forest, a, b int32, height float64) {
	if a, b = int32(tops.Root(uint32(a))), int32(tops.Root(uint32(b))); a == b {
		return
	}
	if c.height[a] < c.height[b] || c.height[a] == c.height[b] && a > b {
		a, b = b, a
	}
	apart := c.At(int(a)).Sub(c.At(int(b)))
	near := math.Hypot(float64(apart.X), float64(apart.Y))*c.side < crownRadius(c.height[b])
	if near || c.height[b]-height < minProminence*c.height[b] {
		tops[b] = uint32(a)
	}
}

// trees returns the trees of the points for which green is true.
func (p *Points) trees(c *canopy, ground *terrain, s Settings, green func(i int) bool) []Object {
	crown := c.flood()
	of := make([]int32, len(p.At)) // crown of each point, −1 for none
	shares := make([]map[int32]int, len(p.Kind))
	for i, at := range p.At {
		if of[i] = -1; !green(i) {
			continue
		}
		of[i] = crown[c.index(at)]
		if owner := p.Owner[i]; shares[owner] == nil {
			shares[owner] = map[int32]int{}
		}
		shares[p.Owner[i]][of[i]]++
	}
	one := undivided(shares)
	all := p.gather(Vegetation, func(i int) int32 {
		if k := one[p.Owner[i]]; k >= 0 && green(i) {
			return k
		}
		return of[i]
	})
	for k := range all {
		p.measure(&all[k], ground)
		all[k].Area = c.area(p, all[k].Points)
	}
	small := func(o Object) bool { return o.Height < s.MinHeight || Diameter(o.Area) < s.MinCrown }
	return p.sorted(slices.DeleteFunc(all, small))
}

// undivided returns the crown of each superpoint with a majority of its points in one, −1 for the others.
func undivided(shares []map[int32]int) []int32 {
	one := make([]int32, len(shares))
	for s, share := range shares {
		one[s] = -1
		sum := 0
		for _, n := range share {
			sum += n
		}
		for k, n := range share {
			if float64(n) >= majority*float64(sum) { // for at most one crown, as majority > 1/2
				one[s] = k
			}
		}
	}
	return one
}

// area returns the area of the canopy's cells with points of a tree, in square metres.
func (c *canopy) area(p *Points, points []uint32) float64 {
	seen := map[int]bool{}
	for _, i := range points {
		seen[c.index(p.At[i])] = true
	}
	return float64(len(seen)) * c.grid.area(p)
}

// Diameter returns the diameter of a disc of the given area.
func Diameter(area float64) float64 { return 2 * math.Sqrt(area/math.Pi) }
