// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"math"

	"superpoint/filter"
	"superpoint/partition/metrics"
)

// Options of a trial, which determine the meaning of its value.
const (
	byStrength = "regularization" // λ̃
	BySize     = "target_size"    // mean points of a superpoint
	ByPieces   = "pieces"         // mean points of a connected component of a superpoint
	given      = "given"          // segments of the file
)

// A method is asked for a mean size, and for others until its components are as many
// as wanted, to within closeEnough or mostTries runs.
const (
	closeEnough = 0.02 // of the logarithm of the number of pieces
	mostTries   = 5
)

// attempt is one run at a mean size.
type attempt struct {
	filter *filter.Filter // nil for segments of the file
	report metrics.Report
	miss   float64 // ln(pieces / wanted pieces)
}

// searchPieces returns the attempt whose superpoints come nearest to size points on average, all counted, and the
// one whose connected components do. try runs the method with a wanted mean size of its superpoints.
func searchPieces(size float64, points int, try func(target float64) (*attempt, error)) (sized, best *attempt,
	err error) {
	asked, slope := math.Log(size), 1.0 // more points a superpoint, fewer pieces: about in proportion
	var was, wasMiss float64
	for i := range mostTries {
		a, err := try(math.Exp(asked))
		if err != nil {
			if best != nil { // a size that cannot be asked for
				return sized, best, nil
			}
			return nil, nil, err
		}
		miss := func(a *attempt) float64 { return math.Log(float64(a.report.Counts.Segments) * size / float64(points)) }
		if sized == nil || math.Abs(miss(a)) < math.Abs(miss(sized)) {
			sized = a
		}
		a.miss = math.Log(float64(a.report.Counts.Pieces) * size / float64(points))
		if best == nil || math.Abs(a.miss) < math.Abs(best.miss) {
			best = a
		}
		if math.Abs(a.miss) < closeEnough {
			break
		}
		if i > 0 && asked != was { // secant, kept between a third and three times the proportional step
			slope = math.Min(3, math.Max(1./3, -(asked-was)/(a.miss-wasMiss)))
			if math.IsNaN(slope) || a.miss == wasMiss {
				slope = 1
			}
		}
		was, wasMiss = asked, a.miss
		asked = math.Max(0, asked+slope*a.miss)
		if asked == was {
			break
		}
	}
	return sized, best, nil
}
