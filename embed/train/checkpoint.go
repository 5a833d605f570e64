// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"strings"

	"superpoint/embed/train/backprop"
)

// state is everything that training needs to continue: with it a resumed run ends
// with the same weights, bit for bit, as one that was never interrupted.
type state struct {
	Recipe     string // the recipe's YAML and the inputs, to refuse a checkpoint of another run
	Epoch      int    // epochs done
	Params     []float32
	Average    []float32 // of Params over the last steps
	Optimiser  adam
	Statistics backprop.Statistics
	History    []epoch
	Best       struct {
		Epoch      int // 0 while there is none
		Score      float64
		Params     []float32
		Statistics backprop.Statistics
	}
	Seconds float64 // training time so far
}

// epoch is one line of the loss curve.
type epoch struct {
	Loss       float64 // mean over the epoch's steps
	Score      float64 // of the validation, NaN if there was none
	Rate       float64
	Components float64 // mean number of components per step
}

// table returns the loss curve as CSV.
func (s *state) table() string {
	var csv strings.Builder
	csv.WriteString("epoch,loss,score,rate,components\n")
	for i, e := range s.History {
		score := ""
		if !math.IsNaN(e.Score) {
			score = fmt.Sprintf("%.5f", e.Score)
		}
		fmt.Fprintf(&csv, "%d,%.6f,%s,%.3g,%.1f\n", i+1, e.Loss, score, e.Rate, e.Components)
	}
	return csv.String()
}

// save writes the checkpoint.
func (s *state) save(to Output) error {
	return to(func(w io.Writer) error { return gob.NewEncoder(w).Encode(s) })
}

// loadState reads a checkpoint of a run with the key recipe.
func loadState(r io.Reader, recipe string) (*state, error) {
	var s state
	if err := gob.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if s.Recipe != recipe {
		return nil, ErrCheckpoint
	}
	return &s, nil
}

// average moves the average of the weights (Polyak and Juditsky 1992,
// doi:10.1137/0330046, in its exponential form) towards the weights. The
// gradient of single batches is so noisy that the average of the last few
// hundred steps scores better than any of them. keep is the share of the past;
// early on it is smaller, so that the start is forgotten.
func (s *state) average(keep float64) {
	if keep == 0 {
		return
	}
	if s.Average == nil {
		s.Average = make([]float32, len(s.Params))
	}
	steps := float64(s.Optimiser.Steps)
	share := float32(max(1-keep, 10/(9+steps)))
	for i, p := range s.Params {
		s.Average[i] += share * (p - s.Average[i])
	}
}
