package census

import (
	"math"
	"slices"

	"superpoint/partition/parallel"
)

// Statistics returns mean and standard deviation (of the population) of a
// dimension over every superpoint. Values that are not numbers do not count; a
// superpoint without any has NaN.
func (g *Groups) Statistics(run parallel.Run, values []float64) (mean, deviation []float64, err error) {
	mean, deviation = make([]float64, g.Len()), make([]float64, g.Len())
	err = g.Each(run, func(k int, points []uint32) {
		n, sum := 0.0, 0.0
		for _, i := range points {
			if v := values[i]; !math.IsNaN(v) {
				n++
				sum += v
			}
		}
		mean[k] = sum / n // 0/0 is NaN
		square := 0.0
		for _, i := range points {
			if d := values[i] - mean[k]; !math.IsNaN(d) {
				square += d * d
			}
		}
		deviation[k] = math.Sqrt(square / n)
	})
	return mean, deviation, err
}

// Majority returns the most frequent value of a dimension in every superpoint,
// the smallest of equals, and the share of its points that have it.
func (g *Groups) Majority(run parallel.Run, values []float64) (class, share []float64, err error) {
	class, share = make([]float64, g.Len()), make([]float64, g.Len())
	scratch := make([][]float64, run.Workers())
	err = run.ForWorker(g.Len(), block, func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			own := scratch[worker][:0]
			for _, i := range g.Points(k) {
				own = append(own, values[i])
			}
			slices.Sort(own)
			most, best := 0, math.NaN()
			for i := 0; i < len(own); {
				j := i + 1
				for j < len(own) && own[j] == own[i] {
					j++
				}
				if j-i > most && !math.IsNaN(own[i]) {
					most, best = j-i, own[i]
				}
				i = j
			}
			class[k], share[k] = best, float64(most)/float64(len(own))
			scratch[worker] = own
		}
	})
	return class, share, err
}
