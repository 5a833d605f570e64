// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
)

// widened returns a model of a card with the weights of another one, which may lack
// channels: those begin without influence. Widths must be the same.
func widened(base *embed.Model, card *embed.Card) (*embed.Model, error) {
	m, err := embed.NewModel(card)
	if err != nil {
		return nil, err
	}
	from := base.Card.Layers().All()
	for i, l := range card.Layers().All() {
		if i >= len(from) || from[i].Name != l.Name || from[i].Out != l.Out {
			return nil, fmt.Errorf("model %q has other layers than the recipe; take its network over into the recipe",
				base.Card.Name)
		}
		to, old := m.Weights(l), base.Weights(from[i])
		copy(to.Bias, old.Bias)
		copy(to.Gamma, old.Gamma)
		copy(to.Beta, old.Beta)
		copy(to.Mean, old.Mean)
		copy(to.Variance, old.Variance)
		was, is := inputsOf(base.Card, from[i]), inputsOf(card, l)
		for place, name := range was {
			at := slices.Index(is, name)
			if at < 0 {
				return nil, fmt.Errorf("model %q reads %s, which the recipe does not; add it to the inputs", base.Card.Name,
					name)
			}
			for o := range l.Out {
				to.Weight[o*l.In+at] = old.Weight[o*from[i].In+place]
			}
		}
	}
	return m, nil
}

// inputsOf names what a layer reads: channels, or values of the layer before.
func inputsOf(card *embed.Card, l embed.Layer) []string {
	var names []string
	for i := range l.In {
		names = append(names, fmt.Sprint("value ", i))
	}
	switch {
	case l.Name == "lpe.conv.0":
		copy(names, card.Inputs.Neighbor)
	case strings.HasPrefix(l.Name, "lpe.fc.0"):
		copy(names[l.In-len(card.Inputs.Point):], card.Inputs.Point)
	}
	return names
}

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
