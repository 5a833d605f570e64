package train

import "superpoint/embed/train/backprop"

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

// remeasure is the number of batches that the statistics of averaged weights
// are measured on.
const remeasure = 16

// current returns the weights to validate and their normalisation statistics:
// the running ones, or for averaged weights, which no batch was normalised
// with, those of some batches of their own.
func (t *trainer) current() (params []float32, statistics *backprop.Statistics, err error) {
	st := t.state
	if t.o.Recipe.Optimise.Average == 0 {
		return st.Params, &st.Statistics, nil
	}
	var s backprop.Statistics
	for i := range remeasure {
		b, err := t.batcher.make(t.run, 1<<40+i)
		if err != nil {
			return nil, nil, err
		}
		if _, err := t.net.Forward(t.run, st.Average, &b.Batch); err != nil {
			return nil, nil, err
		}
		t.net.Update(&s, 0)
	}
	return st.Average, &s, nil
}
