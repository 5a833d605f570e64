package embed

import (
	"math"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

const (
	Links      = 4 // neighbours that a point may step to, spread over the ranks of the nearest
	climbBlock = 1 << 12
	// logarithm of the odds of a step that rises as far as the last neighbour is away
	// (chosen in filter/compare/EVIDENCE.md)
	climbSlope = 2
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
// Σ_j w_ij (p_j − p_i + d_j). Every product is rounded before it is added, so that
// the result is the same on all processors. One core: about 0.4 µs a point of
// foliage for 24 steps, without the kernel 1.8 (go test -bench Climb ./embed).
func climb(run parallel.Run, cloud *neighbor.Cloud, next func(i uint32) [Links]uint32, degree []float32,
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
			paths[r] = newPath(cloud, next(rows[r]), rows[r], row)
		}
	})
	if err != nil {
		return nil, err
	}
	at, then := make([]place, n+1), make([]place, n+1)
	for range steps {
		if err := run.For(n, climbBlock, func(lo, hi int) { walk(paths, at, then, lo, hi) }); err != nil {
			return nil, err
		}
		at, then = then, at
	}
	drift := make([]float32, 3*len(degree))
	return drift, run.For(n, climbBlock, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			i := rows[r]
			for c, d := range at[r][:3] {
				drift[3*int(i)+c] = d * degree[i]
			}
		}
	})
}

// place is relative to a point in metres; the fourth is 0.
type place [4]float32

// path is what a walk may do at a point.
type path struct {
	to   [Links]uint32 // rows
	odds [Links]float32
	stay float32
	mean place // Σ_j w_ij (p_j − p_i)
}

// LinksOf returns the points that a walk may step to from one with some nearest
// neighbours; the last of both are the same.
func LinksOf(nearest []uint32) (links [Links]uint32) {
	for c := range links {
		links[c] = nearest[max(0, (c+1)*len(nearest)/Links-1)]
	}
	return links
}

func newPath(cloud *neighbor.Cloud, links [Links]uint32, i uint32, row []uint32) path {
	var p path
	var step [Links]place
	var odds [Links]float64
	x, y, z := cloud.Offset(i, links[Links-1])
	reach := math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y) + float64(z)*float64(z)) // products are exact
	sum := 1.0
	for c, j := range links {
		x, y, z := cloud.Offset(i, j)
		p.to[c], step[c], odds[c] = row[j], place{x, y, z}, 1
		if reach > 0 {
			odds[c] = arithmetic.Exp(climbSlope * float64(z) / reach)
		}
		sum += odds[c]
	}
	p.stay = float32(1 / sum)
	for c := range Links {
		p.odds[c] = float32(odds[c] / sum)
		for d, s := range step[c] {
			p.mean[d] += float32(p.odds[c] * s)
		}
	}
	return p
}

// plainWalk takes one step in the rows lo to hi−1: the displacements after it,
// given those after the steps so far.
func plainWalk(paths []path, at, next []place, lo, hi int) {
	for r := lo; r < hi; r++ {
		p := &paths[r]
		sum := p.mean
		for d := range sum {
			sum[d] += float32(p.stay * at[r][d])
		}
		for c, j := range p.to {
			to := &at[j]
			for d := range sum {
				sum[d] += float32(p.odds[c] * to[d])
			}
		}
		next[r] = sum
	}
}
