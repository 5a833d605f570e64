package filter

import (
	"encoding/json"

	"superpoint/partition/metrics"
)

// record gathers what Metadata tells about all views so far.
type record struct {
	views, points, edges   int
	across                 int      // points joined across scan lines
	sizes                  []uint32 // of every superpoint
	seconds                map[string]float64
	energy                 float64
	regularization, lambda span // λ̃ and λ
	resolution             span // distance of seeds in metres
	minSize                int
	last                   settings
	truth                  *metrics.Counts
	classes                classCounts
}

// span is a range of values over the views.
type span struct{ lo, hi float64 }

func (s *span) add(v float64, first bool) {
	if first {
		*s = span{v, v}
		return
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
}

// MarshalJSON writes one number if all views agree, else a pair.
func (s span) MarshalJSON() ([]byte, error) {
	if s.lo == s.hi {
		return json.Marshal(s.lo)
	}
	return json.Marshal([2]float64{s.lo, s.hi})
}
