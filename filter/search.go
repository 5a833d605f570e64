package filter

import (
	"fmt"
	"math"

	"superpoint/partition"
	"superpoint/partition/parallel"
)

// search finds the parameter x, a regularization strength or a resolution, at
// which superpoints have a wanted mean size. The number of superpoints falls as
// x grows, nearly as a power of x, so log counts are interpolated over log x
// between two bounds (regula falsi), and halved when that stalls.
type search struct {
	log    Log
	target float64 // wanted mean points per superpoint
	points int
	start  float64 // first x
	what   string  // name of x, for messages
}

// Bounds of a search: solves, relative error of the size that ends it, and the
// largest factor by which x leaves its start.
const (
	searchSolves    = 16
	searchTolerance = 0.02
	searchSpan      = 1e6
)

// trial is one x and what it gave; x is 0 before the first.
type trial struct {
	x   float64
	off float64 // log of the mean size over the target
}

// find returns the nearest result and its x.
func (s *search) find(run parallel.Run, solve func(run parallel.Run, x float64) (*partition.Result, error)) (*partition.Result, float64, error) {
	var below, above, best trial // too small, too large superpoints
	var kept *partition.Result
	x := s.start
	for i := range searchSolves {
		part := run
		if run.Report != nil {
			part.Report = func(f float64) { run.Report((float64(i) + f) / searchSolves) }
		}
		result, err := solve(part, x)
		if err != nil {
			return nil, 0, err
		}
		t := trial{x, math.Log(float64(s.points) / float64(result.Count) / s.target)}
		if kept == nil || math.Abs(t.off) < math.Abs(best.off) {
			best, kept = t, result
		}
		if math.Abs(t.off) < searchTolerance {
			break
		}
		if t.off < 0 {
			below = t
		} else {
			above = t
		}
		x = s.next(below, above, i)
		if x < s.start/searchSpan || x > s.start*searchSpan {
			break
		}
	}
	if math.Abs(best.off) > math.Log(1.25) {
		s.log(LogWarning, fmt.Sprintf("target_size %v: the nearest possible mean size is %.4g points (%s %.4g)",
			s.target, float64(s.points)/float64(kept.Count), s.what, best.x))
	}
	return kept, best.x, nil
}

// next returns the x to try: four times farther while one side is open, else
// between the two bounds; 0 when they are too close to go on.
func (s *search) next(below, above trial, solves int) float64 {
	const stride, halvings = 4, 3
	switch {
	case above.x == 0:
		return below.x * stride
	case below.x == 0:
		return above.x / stride
	}
	lo, hi := math.Log(below.x), math.Log(above.x)
	if hi-lo < 1e-4 {
		return 0 // no closer than this
	}
	share := below.off / (below.off - above.off)
	if solves%halvings == halvings-1 {
		share = 0.5
	}
	return math.Exp(lo + (hi-lo)*min(max(share, 0.05), 0.95))
}
