// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"slices"

	"superpoint/pipelines/shapes/planar"
)

const (
	groundCell = 2.0  // metres, side of the ground's cells: a density of a few points/m² fills most of them
	crownless  = 16.0 // metres, side of cells larger than any crown
	fine       = 1e4  // height steps per metre: sums of integers do not depend on the order of points
)

// terrain is the height of the ground in coarse cells, in steps of fine.
type terrain struct {
	grid
	z []int64
}

// ground returns the mean height of ground points in cells of groundCell. Empty cells are filled
// from coarser levels (the "pull-push" of Gortler et al. 1996, doi:10.1145/237170.237200). Without
// ground points it is the lowest point of cells of size crownless.
func (p *Points) ground() (*terrain, error) {
	side, lowest := groundCell, !slices.Contains(p.Kind, Ground)
	if lowest {
		side = crownless
	}
	g, err := p.grid(p.stepsOf(side), 0)
	if err != nil {
		return nil, err
	}
	t := &terrain{g, make([]int64, len(g.Label))}
	sum, count := make([]int64, len(t.z)), make([]int64, len(t.z))
	for i, at := range p.At {
		if p.Owner[i] < 0 {
			continue
		}
		z := int64(math.Round(p.Z[i] * fine))
		switch k := t.index(at); {
		case p.of(i) == Ground:
			sum[k] += z
			count[k]++
		case lowest && (count[k] == 0 || z < sum[k]):
			sum[k], count[k] = z, 1
		}
	}
	mean := make([]float64, len(sum))
	for k, n := range count {
		mean[k] = float64(sum[k]) / float64(max(1, n))
	}
	filled, err := fill(mean, count, t.Blocks)
	if err != nil {
		return nil, err
	}
	for k, z := range filled {
		t.z[k] = int64(math.Round(z))
	}
	return t, nil
}

// at returns the ground's height at a lattice position, in metres.
func (t *terrain) at(place image.Point) float64 { return float64(t.z[t.index(place)]) / fine }

// fill returns the means. A cell where count is 0 gets the mean of the cell of twice the side around it;
// these larger cells are filled in the same way, and at most 2 × 2 cells by the mean of all. The larger cells
// are aligned to even cells of the plane, so they do not depend on the first cell of the raster.
func fill(mean []float64, count []int64, cells *planar.Blocks) ([]float64, error) {
	filled := slices.Clone(mean)
	if cells.Area.Dx() <= 2 && cells.Area.Dy() <= 2 {
		ofAll := meanOf(mean, count)
		for i, c := range count {
			if c == 0 {
				filled[i] = ofAll
			}
		}
		return filled, nil
	}
	larger, err := doubled(cells)
	if err != nil {
		return nil, err
	}
	above := indicesIn(larger, cells)
	coarse, many := make([]float64, larger.Len()), make([]int64, larger.Len())
	for i, c := range count {
		if c > 0 { // cells have equal weight, independent of their number of points
			coarse[above[i]] += mean[i]
			many[above[i]]++
		}
	}
	for k, n := range many {
		coarse[k] /= float64(max(1, n))
	}
	if coarse, err = fill(coarse, many, larger); err != nil {
		return nil, err
	}
	for i, c := range count {
		if c == 0 {
			filled[i] = coarse[above[i]]
		}
	}
	return filled, nil
}

// meanOf returns the mean of the means whose count is not 0; 0 without one.
func meanOf(mean []float64, count []int64) float64 {
	sum := 0.0
	many := 0
	for i, c := range count {
		if c > 0 {
			sum += mean[i]
			many++
		}
	}
	return sum / float64(max(1, many))
}

// doubled returns the cells of twice the side around cells.
func doubled(cells *planar.Blocks) (*planar.Blocks, error) {
	larger := new(planar.Occupied)
	for _, r := range cells.Rectangles() {
		last := r.Max.Sub(image.Pt(1, 1))
		larger.AddAll(image.Rect(r.Min.X>>1, r.Min.Y>>1, last.X>>1+1, last.Y>>1+1))
	}
	return larger.Blocks(0)
}

// indicesIn returns the index of the cell of twice the side around each cell.
func indicesIn(larger, cells *planar.Blocks) []int32 {
	above := make([]int32, cells.Len())
	for _, run := range cells.Runs() {
		for k := run.First; k < run.First+run.Len(); k++ {
			cell := run.Cell(k)
			above[k] = int32(larger.Index(image.Pt(cell.X>>1, cell.Y>>1)))
		}
	}
	return above
}

// measure sets Peak, Ground, Height and Superpoints of an object from its points. Its top is the peak.
func (p *Points) measure(o *Object, ground *terrain) {
	seen := map[int32]bool{}
	sum := int64(0)
	o.Peak = o.Points[0]
	for _, i := range o.Points {
		seen[p.Owner[i]] = true
		sum += ground.z[ground.index(p.At[i])]
		if p.before(i, o.Peak) {
			o.Peak = i
		}
	}
	o.Superpoints, o.Ground = len(seen), float64(sum)/fine/float64(len(o.Points))
	p.setTop(o, o.Peak)
}

// setTop sets the top of an object, and its height.
func (p *Points) setTop(o *Object, top uint32) {
	o.Top = top
	o.Height = p.Z[top] - o.Ground
}
