// SPDX-License-Identifier: BSD-3-Clause

package softcluster

import (
	"math"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// association is the result of the soft clustering, with the intermediate values
// that backward uses.
type association[T Number] struct {
	Q       []T // q_pc of the last iteration, laid out by layout
	Centers []T // S of the last iteration, centres × dim

	layout   *layout
	features []T
	dim      int
	q        [][]T // q of every iteration
	s        [][]T // S before the first and after every iteration
	mass     [][]T // Σ_p q_pc of every iteration
}

// associate computes the soft clustering of points × dim features. With keep it stores the
// associations of all iterations for backward.
func associate[T Number](run parallel.Run, l *layout, features []T, dim, iterations int,
	keep bool) *association[T] {
	a := &association[T]{layout: l, features: features, dim: dim}
	s := a.means(run)
	a.s = append(a.s, s)
	progress := run.Progress
	run = run.Quiet()
	var q []T
	for t := range iterations {
		if q == nil || keep {
			q = make([]T, l.Associations())
		}
		a.associations(run, s, q)
		next, mass := a.weightedMeans(run, s, q)
		s = next
		if keep {
			a.q = append(a.q, q)
			a.s = append(a.s, s)
			a.mass = append(a.mass, mass)
		}
		progress(float64(t+1) / float64(iterations))
	}
	a.Q, a.Centers = q, s
	return a
}

// means returns the initial centres.
func (a *association[T]) means(run parallel.Run) []T {
	l, dim := a.layout, a.dim
	s := make([]T, l.Count()*dim)
	l.centres(run, func(c int) {
		row := s[c*dim : (c+1)*dim]
		for _, p := range l.of(c) {
			for k, v := range a.features[int(p)*dim : (int(p)+1)*dim] {
				row[k] += v
			}
		}
		for k := range row {
			row[k] /= T(len(l.of(c)))
		}
	})
	return s
}

// associations sets q to the associations of every point with centres s. The
// least distance is subtracted from the exponents, so that exp does not underflow
// for all centres of a point.
func (a *association[T]) associations(run parallel.Run, s, q []T) {
	dim := a.dim
	a.layout.points(run, func(p int, near []uint32, row int) {
		f, out := a.features[p*dim:(p+1)*dim], q[row:row+len(near)]
		least := T(math.Inf(1))
		for i, c := range near {
			out[i] = arithmetic.SquaredDistance(f, s[int(c)*dim:(int(c)+1)*dim])
			least = min(least, out[i])
		}
		var sum T
		for i, d := range out {
			out[i] = T(math.Exp(float64(least - d)))
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
	})
}

// weightedMeans returns the new centres and the sums of their weights. A centre
// whose weights are all rounded to 0 is not changed.
func (a *association[T]) weightedMeans(run parallel.Run, s, q []T) (next, mass []T) {
	l, dim := a.layout, a.dim
	next = make([]T, len(s))
	mass = make([]T, l.Count())
	l.centres(run, func(d int) {
		row := next[d*dim : (d+1)*dim]
		sum := T(0)
		l.around(d, func(p, at int) {
			w := q[at]
			sum += w
			for k, v := range a.features[p*dim : (p+1)*dim] {
				row[k] += w * v
			}
		})
		mass[d] = sum
		if sum == 0 {
			copy(row, s[d*dim:(d+1)*dim])
			return
		}
		for k := range row {
			row[k] /= sum
		}
	})
	return next, mass
}

// hard returns the centre of each point's largest association, the lowest on ties.
func hard[T Number](run parallel.Run, l *layout, q []T) []uint32 {
	centre := make([]uint32, l.Points())
	l.points(run, func(p int, near []uint32, row int) {
		best := 0
		for i, v := range q[row : row+len(near)] {
			if v > q[row+best] {
				best = i
			}
		}
		centre[p] = near[best]
	})
	return centre
}
