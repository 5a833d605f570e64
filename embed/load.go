// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/modelfile"
)

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
//
// It is for choosing among models (Auto): no weights are read, and no checksum computed.
func cardOf(file []byte) (*Card, error) {
	f, err := modelfile.Parse(file, Format)
	if err != nil {
		return nil, err
	}
	// A line that begins with training: is the key of the card, since nested lines are indented.
	card, _, _ := bytes.Cut(f.Card, []byte("\ntraining:"))
	return ParseCard(card)
}

// load reads a model from a file.
//
// Checks go from the outside in: the container, the card, the names and sizes of tensors that the card calls
// for, the checksum of the weights, and then the bounds of the integer network. So the error is about the
// first thing that is wrong, and no array is read whose size is not known to be right.
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
	// They come last, because bounds depend on both the card and the tensors.
	for _, w := range m.Integers() {
		if err := w.validate(card); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// usable returns an error for NaN, infinities and values that training does not produce.
// A variance may be large, because it is only divided by.
//
// Negated comparisons, because NaN fails each of them.
func usable(name string, i int, v float32) error {
	// A negative variance has no square root; other tensors may be negative.
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
//
// Dimensions and checksum follow from the rest, so that they cannot contradict it. The card is validated as
// Load does: what is saved can be loaded.
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

// Builtins returns the names of the built-in models, sorted.
func Builtins() []string { return builtins.Names() }

// replaced are former names of built-in models, with the model that each one means now.
var replaced = map[string]string{"indoor": "any"}

// IsBuiltin reports whether a built-in model has a name, or had it.
func IsBuiltin(name string) bool {
	return slices.Contains(Builtins(), name) || replaced[name] != ""
}

// Builtin returns a built-in model by name.
//
// The file is parsed at each call; callers may change the model.
func Builtin(name string) (*Model, error) {
	return modelfile.Load(builtins, cmp.Or(replaced[name], name), Load)
}

// Auto returns the built-in model of the highest rank that requires only the given
// dimensions; of models of equal rank, the first by name.
//
// A rank of 0 is never chosen, as best begins with it. Names are sorted, and a later one has to have a higher
// rank.
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
