// SPDX-License-Identifier: BSD-3-Clause

package compare

import "math"

// Options of a trial, which determine the meaning of its value.
const (
	BySize   = "target_size" // mean points of a superpoint
	ByPieces = "pieces"      // mean points of a connected component of a superpoint
	given    = "given"       // segments of the file
)

// A method is asked for a mean size, and for others until its components are as many
// as wanted, to within closeEnough or mostTries runs.
const (
	closeEnough = 0.02 // of the logarithm of the number of pieces
	mostTries   = 5
)

// miss is the logarithm of a number relative to that of a mean size.
func miss(number int64, size float64, points int) float64 {
	return math.Log(float64(number) * size / float64(points))
}

// searchPieces returns the attempt whose superpoints come nearest to size points on average, all counted, and the
// one whose connected components do. try runs the method with a wanted mean size of its superpoints.
func searchPieces(size float64, points int, try func(target float64) (*attempt, error)) (sized, best *attempt,
	err error) {
	nearer := func(best, a *attempt, of func(a *attempt) int64) *attempt {
		if best == nil || math.Abs(miss(of(a), size, points)) < math.Abs(miss(of(best), size, points)) {
			return a
		}
		return best
	}
	asked, slope := math.Log(size), 1.0 // more points a superpoint, fewer pieces: about in proportion
	var was, wasMiss float64
	for i := range mostTries {
		a, err := try(math.Exp(asked))
		if err != nil && best != nil { // a size that cannot be asked for
			break
		}
		if err != nil {
			return nil, nil, err
		}
		sized = nearer(sized, a, func(a *attempt) int64 { return a.Segments })
		best = nearer(best, a, func(a *attempt) int64 { return a.Pieces })
		missed := miss(a.Pieces, size, points)
		if math.Abs(missed) < closeEnough {
			break
		}
		if i > 0 && asked != was { // secant, kept between a third and three times the proportional step
			slope = math.Min(3, math.Max(1./3, -(asked-was)/(missed-wasMiss)))
			if math.IsNaN(slope) || missed == wasMiss {
				slope = 1
			}
		}
		was, wasMiss = asked, missed
		if asked = math.Max(0, asked+slope*missed); asked == was {
			break
		}
	}
	return sized, best, nil
}
