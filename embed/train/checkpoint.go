package train

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"

	"superpoint/embed/train/backprop"
	"superpoint/embed/whole"
)

// state is everything that training needs to go on: with it a resumed run ends
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
	Stale   int     // validations since the best
	Seconds float64 // training time so far
}

// epoch is one line of the loss curve.
type epoch struct {
	Loss       float64 // mean over the epoch's steps
	Score      float64 // of the validation, NaN if there was none
	Rate       float64
	Components float64 // mean number of components per step
}

// save replaces the checkpoint: a kill leaves either the old or the new one.
func (s *state) save(to *whole.Output) error {
	return to.Write(func(w io.Writer) error { return gob.NewEncoder(w).Encode(s) })
}

func loadState(file string) (*state, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var s state
	if err := gob.NewDecoder(f).Decode(&s); err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w; delete it to begin anew", file, err)
	}
	return &s, nil
}
