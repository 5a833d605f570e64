package models

import (
	"slices"

	"superpoint/embed"
)

// Values of the option model that name no learned model.
const (
	Auto      = "auto"      // the best built-in model whose dimensions are there
	Geometric = "geometric" // hand-crafted features
)

// Model is what turns points into embeddings, and the settings that go with it.
type Model struct {
	Name      string
	Sum       string   // first digits of the SHA-256 of the file; "" for hand-crafted features
	Neighbors int      // k of the embedded neighbourhood
	Fixed     bool     // k was fixed in training
	Needs     []string // dimensions it reads beside X, Y and Z
	Wants     []string // dimensions that it reads where they are there
	Settings  embed.Partition
	Embedder  embed.Embedder
	Card      *embed.Card // nil for hand-crafted features
}

// DefaultKNN is the paper's number of neighbours (appendix, table of parameters).
const DefaultKNN = 20

// About says in a line what the model is for.
func (m *Model) About() string {
	if m.Card == nil {
		return "hand-crafted features"
	}
	return m.Card.Description
}

// Reads returns the dimensions that it reads beside X, Y and Z of a view that has
// those that there are.
func (m *Model) Reads(available []string) []string {
	names := slices.Clone(m.Needs)
	for _, name := range m.Wants {
		if slices.Contains(available, name) {
			names = append(names, name)
		}
	}
	return names
}

// Spaced tells whether the model reads clouds scaled to a reference spacing.
func (m *Model) Spaced() bool { return m.Card != nil && m.Card.Inputs.Spacing > 0 }
