// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"encoding/json"

	"superpoint/filter/land"
	"superpoint/filter/method"
	"superpoint/filter/option"
)

// add adds a level of a view.
func (r *levelRecord) add(l *method.Level) {
	first, at := r.sizes == nil, len(r.sizes)
	r.energy += l.Energy
	r.regularization.add(l.Regularization, first)
	r.lambda.add(l.Lambda, first)
	r.minSize = l.MinSize
	r.sizes = append(r.sizes, make([]uint32, l.Count)...)
	for _, c := range l.Component {
		r.sizes[at+int(c)]++
	}
}

// record accumulates the summary of all views so far.
type record struct {
	views, points, edges int
	across               int           // points joined across scan lines
	levels               []levelRecord // the finest first
	seconds              map[string]float64
	resolution           valueRange // distance of seeds in metres
	last                 option.Settings
	classes              land.Counts
}

// levelRecord accumulates a level of all views.
type levelRecord struct {
	sizes                  []uint32 // of every superpoint
	energy                 float64
	regularization, lambda valueRange // λ̃ and λ
	minSize                int
}

// valueRange is a range of values over the views.
type valueRange struct{ lo, hi float64 }

func (s *valueRange) add(v float64, first bool) {
	if first {
		*s = valueRange{v, v}
		return
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
}

// MarshalJSON writes one number if all views agree, else a pair.
func (s valueRange) MarshalJSON() ([]byte, error) {
	if s.lo == s.hi {
		return json.Marshal(s.lo)
	}
	return json.Marshal([2]float64{s.lo, s.hi})
}
