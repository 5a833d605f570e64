package embed

import (
	"math"

	"superpoint/partition/arithmetic"
)

// MinShare says how small superpoints may be where a mean size is wanted.
//
// Small things that differ much from what is around stay pieces of their own at any
// strength of the regularization, while things that differ less are merged with the
// ground. The larger the wanted size, the less such pieces are worth.
type MinShare struct {
	Share  float64 `yaml:"min_share,omitempty"`        // of a wanted size of up to 200 points; 0: a tenth of any
	Growth float64 `yaml:"min_share_growth,omitempty"` // exponent by which the share grows with larger sizes
}

const (
	shareSize = 200 // wanted size from which on the share grows, in points
	mostShare = 0.1 // that it grows to: what a model has that names none
)

// Of returns the smallest size in points where size points are wanted on average:
//
//	size · max(Share, min(0.1, Share · (max(size, 200)/200)^Growth))
//
// rounded, at least 1; 0, which leaves it to the solver, without a Share.
func (s MinShare) Of(size float64) int {
	if s.Share == 0 {
		return 0
	}
	grown := s.Share * arithmetic.Exp(s.Growth*arithmetic.Log(max(size/shareSize, 1)))
	return int(max(1, math.Round(size*max(s.Share, min(grown, mostShare)))))
}
