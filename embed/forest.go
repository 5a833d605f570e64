package embed

import "math"

// A forest is a cloud that is foliage and nothing else, single trees that somebody cut
// free: there the crowns are the objects, and what tells them apart is where their
// points are.

// Mean degree of foliage between which a cloud comes to be a forest: clouds that have
// ground, roofs or walls have at most 0.85 of it, cut trees 0.966 and more
// (filter/compare/EVIDENCE.md, of all labelled clouds of train and val).
const mixedShare, forestShare = 0.88, 0.96

// SumDegree adds up degrees of foliage in whole numbers, so that the sum over a
// survey is that over its tiles.
func SumDegree(degree []float32) (sum int64) {
	for _, d := range degree {
		sum += int64(math.Round(float64(d) * degreeSteps))
	}
	return sum
}

// degreeSteps is the number of steps to 1 of a degree in a sum: with 2³⁵ points it
// does not overflow.
const degreeSteps = 1 << 27

// ForestOf returns how much a cloud is a forest, 0 to 1, by the sum of its points'
// degrees.
func ForestOf(sum int64, points int) float32 {
	return ramp(float32(float64(sum)/degreeSteps/float64(max(1, points))), mixedShare, forestShare)
}

// ramp rises from 0 at lo to 1 at hi.
func ramp(x, lo, hi float32) float32 {
	return max(0, min(1, (x-lo)/(hi-lo)))
}
