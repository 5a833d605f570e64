package objects

import (
	"math"
	"slices"

	"superpoint/filter/planar"
	"superpoint/partition/arithmetic"
)

// groundCell is the side of the ground's cells in metres: wide enough that a few
// points a square metre fill most of them.
const groundCell = 2.0

// crownless is the side of cells that no crown fills, metres.
const crownless = 16.0

// terrain is the height of the ground in coarse cells.
type terrain struct {
	column, row   int64 // of the first
	width, height int
	shrink        int64 // cells of the points in one of these
	z             []float64
}

// ground returns the mean height of ground points in cells of groundCell; cells
// without some take it from the nearest that have some, by halving (the
// "pull-push" of Gortler et al. 1996, doi:10.1145/237170.237200). Without points of
// the ground it is the lowest point of wider cells, which a crown does not fill.
func (p *Points) ground() (*terrain, error) {
	v, err := p.view(0)
	if err != nil {
		return nil, err
	}
	side, lowest := groundCell, !slices.Contains(p.Kind, Ground)
	if lowest {
		side = crownless
	}
	t := &terrain{shrink: max(1, int64(math.Round(side/p.Side)))}
	t.column, t.row = arithmetic.FloorDiv(v.Column, t.shrink), arithmetic.FloorDiv(v.Row, t.shrink)
	t.width = int(arithmetic.FloorDiv(v.Column+int64(v.Width)-1, t.shrink)-t.column) + 1
	t.height = int(arithmetic.FloorDiv(v.Row+int64(v.Height)-1, t.shrink)-t.row) + 1
	sum, count := make([]float64, t.width*t.height), make([]float64, t.width*t.height)
	for i, c := range p.Cell {
		if p.Owner[i] < 0 {
			continue
		}
		switch k := t.place(c); {
		case p.of(i) == Ground:
			sum[k] += p.Z[i]
			count[k]++
		case lowest && (count[k] == 0 || p.Z[i] < sum[k]):
			sum[k], count[k] = p.Z[i], 1
		}
	}
	t.z = fill(sum, count, t.width, t.height)
	return t, nil
}

func (t *terrain) place(c planar.Cell) int {
	return int(arithmetic.FloorDiv(c.Row, t.shrink)-t.row)*t.width + int(arithmetic.FloorDiv(c.Column, t.shrink)-t.column)
}

// at returns the ground's height at a cell of the points.
func (t *terrain) at(c planar.Cell) float64 { return t.z[t.place(c)] }

// fill returns means; where nothing was counted, those of the cells of twice the
// side.
func fill(sum, count []float64, width, height int) []float64 {
	mean := make([]float64, len(sum))
	if len(sum) == 1 {
		mean[0] = sum[0] / math.Max(count[0], 1)
		return mean
	}
	w, h := (width+1)/2, (height+1)/2
	above, many := make([]float64, w*h), make([]float64, w*h)
	for i, c := range count {
		k := i/width/2*w + i%width/2
		if c > 0 { // cells count alike, however many points they have
			above[k] += sum[i] / c
			many[k]++
		}
	}
	coarse := fill(above, many, w, h)
	for i, c := range count {
		if mean[i] = coarse[i/width/2*w+i%width/2]; c > 0 {
			mean[i] = sum[i] / c
		}
	}
	return mean
}
