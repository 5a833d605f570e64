// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"superpoint/embed/modelfile"
)

// Model is a classifier: a card and its tensors. A file of it is one safetensors
// file whose metadata holds the card as YAML under the key card.
type Model struct {
	Card    *Card
	tensors map[string][]float32
	sum     string
	skipped []string // names of rules that are not applied
}

// Tensor describes one tensor of a model.
type Tensor = modelfile.Tensor

// Names of tensors: mean and deviation by which features are standardised.
const (
	MeanTensor      = "mean"
	DeviationTensor = "deviation"
)

// IsWeight reports whether a tensor has weights or biases, not statistics of features.
func IsWeight(tensor string) bool {
	return tensor != MeanTensor && tensor != DeviationTensor
}

// Tensors lists the tensors of a card in file order: statistics of features, then weights
// (in × out) and biases. The inputs of the first layer are the features and, for each, 1 if
// it is absent. The networks have the inputs of the first layer and the outputs of the last
// one in common; in rounds, each network reads only its own units, and the weights of the
// networks follow one another.
func (c *Card) Tensors() []Tensor {
	f := len(FeatureNames(c.Embedding.Dim))
	w := c.hidden()
	one := c.Width
	all := []Tensor{{Name: MeanTensor, Shape: []int{f}}, {Name: DeviationTensor, Shape: []int{f}},
		{Name: "in.weight", Shape: []int{2 * f, w}}, {Name: "in.bias", Shape: []int{w}}}
	for r := range c.Rounds {
		all = append(all, Tensor{Name: fmt.Sprintf("round.%d.weight", r), Shape: []int{3 * w, one}},
			Tensor{Name: fmt.Sprintf("round.%d.bias", r), Shape: []int{w}})
	}
	return append(all, Tensor{Name: "out.weight", Shape: []int{2 * w, len(c.Classes)}},
		Tensor{Name: "out.bias", Shape: []int{len(c.Classes)}})
}

// New returns a model of the card's shape. Deviations are 1, everything else is 0.
func New(card *Card) (*Model, error) {
	if err := card.Validate(); err != nil {
		return nil, err
	}
	m := &Model{Card: card, tensors: map[string][]float32{}}
	for _, t := range card.Tensors() {
		values := make([]float32, t.Size())
		if t.Name == DeviationTensor {
			for i := range values {
				values[i] = 1
			}
		}
		m.tensors[t.Name] = values
	}
	return m, nil
}

// Tensor returns a tensor's values, row major, to read or to train.
func (m *Model) Tensor(name string) []float32 { return m.tensors[name] }

// Sum returns the first 16 hexadecimal digits of the SHA-256 of the file the
// model was loaded from or saved to last, or "".
func (m *Model) Sum() string { return m.sum }

// Load reads a model file. Sizes, names, shapes, the checksum and every value are
// checked before anything is used.
func Load(file []byte) (*Model, error) {
	m, err := load(file)
	if err != nil {
		return nil, fmt.Errorf("classes: %w", err)
	}
	return m, nil
}

func load(file []byte) (*Model, error) {
	f, err := modelfile.Parse(file, Format)
	if errors.Is(err, modelfile.ErrNoCard) {
		return nil, fmt.Errorf("%w; use one made by \"superpoint train --classes\"", err)
	}
	if err != nil {
		return nil, err
	}
	card, err := parseCard(f.Card)
	if err != nil {
		return nil, err
	}
	m := &Model{Card: card, sum: modelfile.Sum(file)}
	values, sum, err := f.Tensors(card.Tensors(), check)
	if err != nil {
		return nil, err
	}
	m.tensors = values.Floats
	if sum != card.Weights {
		return nil, fmt.Errorf(
			"the card says that the weights have the SHA-256 %q, but it is %s: the file was changed or "+
				"damaged; get it again", card.Weights, sum)
	}
	return m, nil
}

// check returns an error for values that training does not produce.
func check(name string, i int, v float32) error {
	if !(v >= -modelfile.Largest && v <= modelfile.Largest) || name == DeviationTensor && !(v > 0) {
		return modelfile.Bad(name, i, v)
	}
	return nil
}

// Save returns the model as a file that Load reads. It fills in the card's
// features and checksum.
func (m *Model) Save() ([]byte, error) {
	values := modelfile.Values{Floats: m.tensors}
	file, err := modelfile.Make(m.Card.Tensors(), values, check, func(sum string) ([]byte, error) {
		m.Card.Features, m.Card.Weights = FeatureNames(m.Card.Embedding.Dim), sum
		if err := m.Card.Validate(); err != nil {
			return nil, err
		}
		return m.Card.YAML()
	})
	if err != nil {
		return nil, fmt.Errorf("saving classes %q: %w", m.Card.Name, err)
	}
	m.sum = modelfile.Sum(file)
	return file, nil
}

// The classifiers that come with the library, one file each.
//
//go:embed models/*.safetensors
var models embed.FS

var builtins = modelfile.Folder{Kind: "classes", Files: models}

// Builtins returns the names of the built-in classifiers, sorted.
func Builtins() []string { return builtins.Names() }

// Builtin returns a built-in classifier by name.
func Builtin(name string) (*Model, error) { return modelfile.Load(builtins, name, Load) }

// Settings are the settings of training, see package classtrain.
type Settings struct {
	// 0: by the size of the data, and fewer if the loss of what is left out falls no longer
	Steps int     `yaml:"steps"`
	Batch int     `yaml:"batch"` // superpoints per step
	Part  int     `yaml:"part"`  // superpoints of a part: a connected patch of a cloud; a batch has several
	Rate  float64 `yaml:"rate"`  // learning rate of Adam, decreasing to 0 along half a cosine
	Decay float64 `yaml:"decay"` // L2 regularisation
	Noise float64 `yaml:"noise"` // standard deviation added to standardised features
	Drop  float64 `yaml:"drop"`  // probability that a part lacks echoes, and that it lacks the embedding
	// label smoothing: share of each label that is spread over all classes
	Smooth float64 `yaml:"smooth"`
	Seed   uint64  `yaml:"seed"`
	// number of networks, each trained with its own seed and without some of the surveys, and averaged;
	// 0 = 1, trained on all
	Networks int `yaml:"networks"`
}

// DefaultSettings returns the settings of the built-in classifier.
func DefaultSettings() Settings {
	return Settings{Batch: 512, Part: 256, Rate: 3e-3, Decay: 1e-5, Noise: 0.15,
		Drop: 0.15, Seed: 1}
}

// Sample is a cloud with superpoints and labels, for training.
type Sample struct {
	Name     string
	Survey   string // a network may leave out all samples of a survey
	Kind     string // group of clouds whose accuracy is reported; "" = for training only
	Features *Features
	Graph    *Graph
	Label    []float32         // superpoints × sets: number of points whose label means that set of classes
	Levels   [Levels][]float32 // the same for points of each level, for figures; nil if none is known
	Weight   float64           // how often it is used, relative to other samples of its size; 0 = 1
	Always   bool              // whether every network learns it, so that confidence is not measured on it
}

// Set is the classes that a label may mean, as indices in Card.Classes.
type Set []int

// CheckSamples returns an error if there are no samples, if every network learns all of them, if a set has
// no classes or unknown ones, or if the labels of a sample differ in length from superpoints × sets.
func CheckSamples(samples []*Sample, sets []Set, classCount int) error {
	if len(samples) == 0 {
		return errors.New("no samples to train on")
	}
	if !slices.ContainsFunc(samples, func(s *Sample) bool { return !s.Always }) {
		return errors.New("every network learns all files, and confidence is measured on those that one " +
			"has not learned; take always from a rule of labels")
	}
	for _, set := range sets {
		if len(set) == 0 || slices.Min(set) < 0 || slices.Max(set) >= classCount {
			return fmt.Errorf("set %v is not of the %d classes", set, classCount)
		}
	}
	for _, s := range samples {
		if len(s.Label) != s.Features.Len()*len(sets) {
			return fmt.Errorf("%s: %d labels for %d superpoints and %d sets of classes", s.Name, len(s.Label),
				s.Features.Len(), len(sets))
		}
	}
	return nil
}
