package embed

import (
	"math"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

const (
	climbLinks = 4   // neighbours that a point may step to, spread over the ranks of the nearest
	climbSlope = 2.0 // logarithm of the odds of a step that rises as far as the last neighbour is away
	climbBlock = 1 << 12
)

// climb returns where random walks from every point of foliage are on average
// after some steps, relative to the point, in metres: |V| × 3, times the degree
// of foliage. A step stays or goes to one of a few neighbours, the more readily
// the higher it is, so that points of one crown gather below its top and the gap
// between two crowns widens; a walk ends on a surface. It is the ascent to the
// mode of mean shift, in which crowns are told apart by height (Ferraz et al. 2012,
// doi:10.1016/j.rse.2012.01.020), with the neighbours in place of a kernel.
//
// With the displacement d of a point and the steps' weights w, d_i becomes
// Σ_j w_ij (p_j − p_i + d_j). Every product is rounded before it is added, so
// that the result is the same on all processors.
func climb(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, k int, degree []float32,
	steps int) ([]float32, error) {
	var rows []uint32
	row := make([]uint32, len(degree)) // of a point in rows; surfaces share one more, which stays 0
	for i, d := range degree {
		if d > 0 {
			row[i] = uint32(len(rows))
			rows = append(rows, uint32(i))
		}
	}
	n := len(rows)
	for i, d := range degree {
		if d == 0 {
			row[i] = uint32(n)
		}
	}
	paths := make([]path, n)
	err := run.For(n, climbBlock, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			paths[r] = newPath(cloud, lists.Of(int(rows[r]))[:k], rows[r], row)
		}
	})
	if err != nil {
		return nil, err
	}
	at, next := make([][3]float32, n+1), make([][3]float32, n+1)
	for range steps {
		err := run.For(n, climbBlock, func(lo, hi int) {
			for r := lo; r < hi; r++ {
				next[r] = paths[r].step(at, at[r])
			}
		})
		if err != nil {
			return nil, err
		}
		at, next = next, at
	}
	drift := make([]float32, 3*len(degree))
	return drift, run.For(n, climbBlock, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			i := rows[r]
			for c, d := range at[r] {
				drift[3*int(i)+c] = d * degree[i]
			}
		}
	})
}

// path is what a walk may do at a point.
type path struct {
	to   [climbLinks]uint32 // rows
	odds [climbLinks]float32
	stay float32
	mean [3]float32 // Σ_j w_ij (p_j − p_i)
}

func newPath(cloud *neighbor.Cloud, nearest []uint32, i uint32, row []uint32) path {
	var p path
	var step [climbLinks][3]float32
	var odds [climbLinks]float64
	x, y, z := cloud.Offset(i, nearest[len(nearest)-1])
	reach := math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z)) // products are exact
	sum := 1.0
	for c := range climbLinks {
		j := nearest[max(0, (c+1)*len(nearest)/climbLinks-1)]
		x, y, z := cloud.Offset(i, j)
		p.to[c], step[c], odds[c] = row[j], [3]float32{x, y, z}, 1
		if reach > 0 {
			odds[c] = arithmetic.Exp(climbSlope * float64(z) / reach)
		}
		sum += odds[c]
	}
	p.stay = float32(1 / sum)
	for c := range climbLinks {
		p.odds[c] = float32(odds[c] / sum)
		for d, s := range step[c] {
			p.mean[d] += float32(p.odds[c] * s)
		}
	}
	return p
}

// step returns the displacement after one more step, given those after the steps
// so far.
func (p *path) step(at [][3]float32, here [3]float32) [3]float32 {
	next := p.mean
	for d := range next {
		next[d] += float32(p.stay * here[d])
	}
	for c, j := range p.to {
		to := &at[j]
		for d := range next {
			next[d] += float32(p.odds[c] * to[d])
		}
	}
	return next
}
