// Package models finds what turns points into embeddings: built-in models, model
// files, the hand-crafted features of Geom-graph (Guinard and Landrieu 2017), and
// values of the points themselves.
package models

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/embed/lpe"
)

// Load returns the model an option names: hand-crafted features, a
// built-in model, or a model file. available is used by `auto` only.
func Load(name string, knn int, available []string) (*Model, error) {
	switch name {
	case Geometric:
		return newGeometric(knn)
	case Auto:
		dimensions := append([]string{"X", "Y", "Z"}, available...)
		if len(embed.Builtins()) == 0 {
			return newGeometric(knn)
		}
		m, err := embed.Auto(dimensions)
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

// Find returns the learned model that an option names: a built-in one or a file.
func Find(name string) (*embed.Model, error) {
	if slices.Contains(embed.Builtins(), name) {
		return embed.Builtin(name)
	}
	return Read(name)
}

// IsFile tells whether the option model, as given, names a file.
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
		Needs: needs, Wants: m.Card.Inputs.Optional, Settings: m.Card.Partition, Embedder: e, Card: m.Card,
	}, nil
}

// CardText returns the card of a model, a YAML text, and its hash: what it
// reads, its network, its settings, and where its weights come from.
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
