// SPDX-License-Identifier: BSD-3-Clause

// Package models loads models that compute embeddings: built-in models, model files, and the
// hand-crafted features of Geom-graph (Guinard and Landrieu 2017).
package models

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/embed/geometric"
	"superpoint/embed/lpe"
)

// Load returns the model that the option model names: hand-crafted features, a built-in model, or
// a model file. Only `auto` depends on available.
func Load(name string, knn int, available []string) (*Model, error) {
	switch name {
	case Geometric:
		return newGeometric(knn)
	case Auto:
		m, err := embed.Auto(append([]string{"X", "Y", "Z"}, available...))
		if err != nil {
			return nil, fmt.Errorf("option model: %w", err)
		}
		return newLearned(m)
	}
	m, err := Find(name)
	if err != nil {
		return nil, err
	}
	return newLearned(m)
}

// Find returns the learned model that the option model names: a built-in one or a file.
func Find(name string) (*embed.Model, error) {
	if slices.Contains(embed.Builtins(), name) {
		return embed.Builtin(name)
	}
	return Read(name)
}

// IsFile reports whether the value of the option model is a file.
func IsFile(name string) bool {
	return name != "" && name != Auto && name != Geometric && !slices.Contains(embed.Builtins(), name)
}

// Read reads a model file.
func Read(path string) (*embed.Model, error) {
	content, err := file("model", path, append([]string{Auto, Geometric}, embed.Builtins()...))
	if err != nil {
		return nil, err
	}
	m, err := embed.Load(content)
	if err != nil {
		return nil, fmt.Errorf("option model: %q: %w", path, err)
	}
	return m, nil
}

func newLearned(m *embed.Model) (*Model, error) {
	e, err := lpe.New(m)
	if err != nil {
		return nil, fmt.Errorf("option model: %q: %w", m.Card.Name, err)
	}
	needs := slices.DeleteFunc(m.Card.Requires(), func(d string) bool { return d == "X" || d == "Y" || d == "Z" })
	return &Model{
		Name: m.Card.Name, Sum: m.Sum(), Neighbors: m.Card.Inputs.Neighbors, Fixed: true,
		Needs: needs, Settings: m.Card.Partition, Embedder: e, Card: m.Card,
	}, nil
}

// CardText returns the card of a model as YAML (inputs, network, settings, training) and its hash.
func CardText(name string) (string, error) {
	m, err := Load(name, DefaultKNN, nil)
	if err != nil {
		return "", err
	}
	if m.Card == nil {
		return "name: " + m.Name + "\ndescription: hand-crafted features of Geom-graph, no learning\ndimensions: [X, Y, " +
			"Z]\n", nil
	}
	text, err := m.Card.YAML()
	return string(text) + "file_sha256: " + m.Sum + "… # first 16 digits\n", err
}

// Values of the option model that are not learned models.
const (
	Auto      = "auto"      // the best built-in model whose dimensions are available
	Geometric = "geometric" // hand-crafted features
)

// Model computes embeddings and has the default settings of their partition.
type Model struct {
	Name      string
	Sum       string   // first digits of the SHA-256 of the file; "" for hand-crafted features
	Neighbors int      // number of neighbours that an embedding reads
	Fixed     bool     // k was fixed in training
	Needs     []string // dimensions that it requires, without X, Y and Z
	Settings  embed.Partition
	Embedder  embed.Embedder
	Card      *embed.Card // nil for hand-crafted features
}

// DefaultKNN is the paper's number of neighbours (appendix, table of parameters).
const DefaultKNN = 20

// Spaced reports whether the model reads clouds scaled to a reference spacing.
func (m *Model) Spaced() bool { return m.Card != nil && m.Card.Inputs.Spacing > 0 }

// geometricSpacingWeight is α times the point spacing for hand-crafted features. It gives the
// paper's 0.02 per metre for aerial lidar of 7 points/m². In rooms with a spacing of a centimetre
// it halves the undersegmentation error.
const geometricSpacingWeight = 0.008

// newGeometric returns the hand-crafted features of Geom-graph for knn neighbours.
func newGeometric(knn int) (*Model, error) {
	e, err := geometric.New(knn)
	if err != nil {
		return nil, fmt.Errorf("option knn: %w", err)
	}
	settings := e.Partition()
	settings.SpacingWeight = geometricSpacingWeight
	return &Model{Name: Geometric, Neighbors: knn, Settings: settings, Embedder: e}, nil
}
