package objects

import (
	"math"
	"slices"

	"superpoint/filter/planar"
)

const (
	groundCell = 2.0  // metres, side of the ground's cells: a few points a square metre fill most of them
	crownless  = 16.0 // metres, side of cells that no crown fills
	fine       = 1e4  // steps of a height to the metre, so that sums do not depend on the order of points
)

// terrain is the height of the ground in coarse cells, in steps of fine.
type terrain struct {
	grid
	z []int64
}

// ground returns the mean height of ground points in cells of groundCell; cells
// without some take it from the nearest that have some, by halving (the
// "pull-push" of Gortler et al. 1996, doi:10.1145/237170.237200). Without points of
// the ground it is the lowest point of wider cells, which a crown does not fill.
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
	for k, z := range fill(mean, count, t.Width, t.Height) {
		t.z[k] = int64(math.Round(z))
	}
	return t, nil
}

// at returns the ground's height at a place on the lattice, metres.
func (t *terrain) at(place planar.Cell) float64 { return float64(t.z[t.index(place)]) / fine }

// fill returns values; where nothing was counted, those of the cells of twice the side.
func fill(mean []float64, count []int64, width, height int) []float64 {
	if len(mean) == 1 {
		return mean
	}
	w, h := (width+1)/2, (height+1)/2
	above, many := make([]float64, w*h), make([]int64, w*h)
	for i, c := range count {
		if c > 0 { // cells count alike, however many points they have
			k := i/width/2*w + i%width/2
			above[k] += mean[i]
			many[k]++
		}
	}
	for k, n := range many {
		above[k] /= float64(max(1, n))
	}
	coarse := fill(above, many, w, h)
	filled := slices.Clone(mean)
	for i, c := range count {
		if c == 0 {
			filled[i] = coarse[i/width/2*w+i%width/2]
		}
	}
	return filled
}
