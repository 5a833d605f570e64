// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	files "embed"
	"math"
	"math/rand/v2"
	"strings"

	"superpoint/embed/modelfile"
)

// Model is a card and the tensors it describes. A model file is one
// safetensors file whose metadata holds the card as YAML.
//
// sum is the checksum of the whole file, so that a result can name the model that made it (Sum).
type Model struct {
	Card   *Card
	values modelfile.Values
	sum    string
}

// NewModel returns a model of the card's shape with all weights 0, gammas and
// variances 1.
//
// Gammas and variances of 1 make normalisation the identity, except for ε.
func NewModel(card *Card) (*Model, error) {
	if err := card.Validate(); err != nil {
		return nil, err
	}
	m := &Model{Card: card, values: modelfile.Values{Floats: map[string][]float32{},
		Integers: map[string][]int32{}}}
	for _, t := range card.floats() {
		v := make([]float32, t.Size())
		if strings.HasSuffix(t.Name, ".gamma") || strings.HasSuffix(t.Name, ".variance") {
			for i := range v {
				v[i] = 1
			}
		}
		m.values.Floats[t.Name] = v
	}
	return m, nil
}

// Tensor returns a tensor's values, row major, to read or to train; nil if the
// card's network has no float tensor of that name.
//
// It is no copy: training writes to it.
func (m *Model) Tensor(name string) []float32 { return m.values.Floats[name] }

// Weights are the tensors of one layer; all but the first two are nil without
// normalisation, Mean and Variance also without batch normalisation.
type Weights struct {
	Layer
	Weight, Bias, Gamma, Beta, Mean, Variance []float32
}

// Weights returns a layer's tensors.
//
// A tensor that the layer does not have is a nil slice.
func (m *Model) Weights(l Layer) Weights {
	t := func(part string) []float32 { return m.values.Floats[l.Name+part] }
	return Weights{l, t(".weight"), t(".bias"), t(".gamma"), t(".beta"), t(".mean"), t(".variance")}
}

// Sum returns the first 16 hexadecimal digits of the SHA-256 of the file the
// model was loaded from or saved to last, or "".
func (m *Model) Sum() string { return m.sum }

// Randomize sets every tensor to reproducible values of a trained network's
// size: weights and biases as before training (He et al. 2015,
// doi:10.1109/ICCV.2015.123), statistics as of a mildly spread input. Tests and
// benchmarks use it; training begins with its own.
//
// Tensors are set in storage order by one generator, so that a seed has the same model in every run.
func (m *Model) Randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for _, l := range m.Card.Layers().All() {
		w := m.Weights(l)
		// With this deviation a ReLU layer keeps the mean square of its inputs (He et al., equation 10).
		spread := math.Sqrt(2 / float64(l.In))
		for i := range w.Weight {
			w.Weight[i] = float32(r.NormFloat64() * spread)
		}
		for i := range l.Out {
			w.Bias[i] = float32(r.NormFloat64() * 0.1)
			if l.Norm {
				w.Gamma[i] = float32(0.8 + 0.4*r.Float64())
				if r.IntN(8) == 0 {
					w.Gamma[i] = -w.Gamma[i] // training may turn a sign
				}
				w.Beta[i] = float32(r.NormFloat64() * 0.1)
			}
			if l.Batch() {
				w.Mean[i] = float32(r.NormFloat64() * 0.1)
				w.Variance[i] = float32(0.5 + r.Float64())
			}
		}
	}
}

// The models that come with the library, one file each.
//
//go:embed models/*.safetensors
var models files.FS

// Data names the sources of the clouds that the built-in models and classifiers learned from, with their
// licences.
//
//go:embed models/DATA.txt
var Data string

var builtins = modelfile.Folder{Kind: "model", Files: models}
