// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"bytes"
	files "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"superpoint/embed/modelfile"
)

// Model is a card and the tensors it describes. A model file is one
// safetensors file whose metadata holds the card as YAML.
type Model struct {
	Card   *Card
	values modelfile.Values
	sum    string
}

// NewModel returns a model of the card's shape with all weights 0, gammas and
// variances 1.
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
func (m *Model) Tensor(name string) []float32 { return m.values.Floats[name] }

// Weights are the tensors of one layer; all but the first two are nil without
// normalisation, Mean and Variance also without batch normalisation.
type Weights struct {
	Layer
	Weight, Bias, Gamma, Beta, Mean, Variance []float32
}

// Weights returns a layer's tensors.
func (m *Model) Weights(l Layer) Weights {
	t := func(part string) []float32 { return m.values.Floats[l.Name+part] }
	return Weights{l, t(".weight"), t(".bias"), t(".gamma"), t(".beta"), t(".mean"), t(".variance")}
}

// Sum returns the first 16 hexadecimal digits of the SHA-256 of the file the
// model was loaded from or saved to last, or "".
func (m *Model) Sum() string { return m.sum }

// Load reads a model file. Sizes, names, shapes, the checksum and every value
// are checked before anything is used.
func Load(file []byte) (*Model, error) {
	m, err := load(file)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	return m, nil
}

// cardOf returns the card of a model file without its training, two thirds of the text.
func cardOf(file []byte) (*Card, error) {
	f, err := modelfile.Parse(file, Format)
	if err != nil {
		return nil, err
	}
	card, _, _ := bytes.Cut(f.Card, []byte("\ntraining:"))
	return ParseCard(card)
}

func load(file []byte) (*Model, error) {
	f, err := modelfile.Parse(file, Format)
	if errors.Is(err, modelfile.ErrNoCard) {
		return nil, errors.New(
			"a safetensors file without a superpoint model card; use one made by \"superpoint train\"")
	}
	if err != nil {
		return nil, err
	}
	card, err := ParseCard(f.Card)
	if err != nil {
		return nil, err
	}
	m := &Model{Card: card, sum: modelfile.Sum(file)}
	var sum string
	if m.values, sum, err = f.Tensors(card.tensors(), usable); err != nil {
		return nil, err
	}
	if card.Weights != "" && sum != card.Weights {
		return nil, &CardError{"weights_sha256", card.Weights, "but the weights have " + sum +
			": the file was changed or damaged; get it again"}
	}
	for _, w := range m.Integers() {
		if err := w.validate(card); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// usable returns an error for NaN, infinities and values that training does not produce.
// A variance may be large, because it is only divided by.
func usable(name string, i int, v float32) error {
	variance := strings.HasSuffix(name, ".variance")
	limit := float32(modelfile.Largest)
	if variance {
		limit = math.MaxFloat32
	}
	if !(v >= -limit && v <= limit) || variance && v < 0 {
		return modelfile.Bad(name, i, v)
	}
	return nil
}

// Save returns the model as a file that Load reads. It fills in the card's
// dimensions and checksum.
func (m *Model) Save() ([]byte, error) {
	file, err := modelfile.Make(m.Card.tensors(), m.values, usable, func(sum string) ([]byte, error) {
		m.Card.Dimensions = m.Card.Requires()
		m.Card.Weights = sum
		if err := m.Card.Validate(); err != nil {
			return nil, err
		}
		return m.Card.YAML()
	})
	if err != nil {
		return nil, fmt.Errorf("saving model %q: %w", m.Card.Name, err)
	}
	m.sum = modelfile.Sum(file)
	return file, nil
}

// Randomize sets every tensor to reproducible values of a trained network's
// size: weights and biases as before training (He et al. 2015,
// doi:10.1109/ICCV.2015.123), statistics as of a mildly spread input. Tests and
// benchmarks use it; training begins with its own.
func (m *Model) Randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for _, l := range m.Card.Layers().All() {
		w := m.Weights(l)
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

// Builtins returns the names of the built-in models, sorted.
func Builtins() []string { return builtins.Names() }

// Builtin returns a built-in model by name.
func Builtin(name string) (*Model, error) { return modelfile.Load(builtins, name, Load) }

// Auto returns the built-in model of the highest rank that requires only the given
// dimensions; of models of equal rank, the first by name.
func Auto(dimensions []string) (*Model, error) {
	best, rank := "", 0
	for _, name := range Builtins() {
		card, err := modelfile.Load(builtins, name, cardOf)
		if err != nil {
			return nil, err
		}
		if card.Rank > rank && len(card.Missing(dimensions)) == 0 {
			best, rank = name, card.Rank
		}
	}
	if best == "" {
		return nil, fmt.Errorf(
			"no built-in model reads only %s; name one (%s), give a model file, or use \"geometric\"",
			strings.Join(dimensions, ", "), builtins.List())
	}
	return Builtin(best)
}
