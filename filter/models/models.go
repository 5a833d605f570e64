// Package models finds what turns points into embeddings: built-in models, model
// files, the hand-crafted features of Geom-graph (Guinard and Landrieu 2017), and
// values of the points themselves.
package models

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/filter/naming"
)

// Geometric is the name of the hand-crafted features.
const Geometric = "geometric"

// Model is what turns points into embeddings, and the settings that go with it.
type Model struct {
	Name      string
	Sum       string   // first digits of the SHA-256 of the file; "" for hand-crafted features
	Neighbors int      // k of the embedded neighbourhood
	Fixed     bool     // k was fixed in training
	Needs     []string // dimensions it reads beside X, Y and Z
	Settings  embed.Partition
	Embedder  embed.Embedder
	Card      *embed.Card // nil for hand-crafted features
}

// DefaultKNN is the paper's number of neighbours (appendix, table of parameters).
const DefaultKNN = 20

// Load returns the model an option names: hand-crafted features, a
// built-in model, or a model file. available is used by `auto` only.
func Load(name string, knn int, available []string) (*Model, error) {
	switch name {
	case Geometric:
		return newGeometric(knn)
	case "auto":
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
	return name != "" && name != "auto" && name != Geometric && !slices.Contains(embed.Builtins(), name)
}

// About says in a line what the model is for.
func (m *Model) About() string {
	if m.Card == nil {
		return "hand-crafted features"
	}
	return m.Card.Description
}

// Spaced tells whether the model reads clouds scaled to a reference spacing.
func (m *Model) Spaced() bool { return m.Card != nil && m.Card.Inputs.Spacing > 0 }

// maxIsFile is the size, in bytes, above which a file is not read: the
// paper's network takes 60 kB.
const maxIsFile = 64 << 20

// Read reads a model file.
func Read(path string) (*embed.Model, error) {
	known := append([]string{"auto", Geometric}, embed.Builtins()...)
	// opened first and looked at then: what has the name may change in between. An
	// open that waits for the other end of a pipe would never come back.
	file, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("option model: %q is neither a built-in model nor a file%s; give a path, or one of %s",
			path, naming.DidYouMean(path, known), strings.Join(known, ", "))
	case err != nil:
		return nil, fmt.Errorf("option model: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("option model: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("option model: %q is a folder; give a model file made by `superpoint train`", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("option model: %q is a pipe or a device; give a model file made by `superpoint train`", path)
	case info.Size() > maxIsFile:
		return nil, fmt.Errorf("option model: %q has %d bytes, which no model has; give a model file made by `superpoint train`", path, info.Size())
	}
	content, err := io.ReadAll(io.LimitReader(file, maxIsFile)) // it may grow while it is read
	if err != nil {
		return nil, fmt.Errorf("option model: %w", err)
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

// CardText returns the card of a model, a YAML text, and its hash: what it
// reads, its network, its settings, and where its weights come from.
func CardText(name string) (string, error) {
	m, err := Load(name, DefaultKNN, nil)
	if err != nil {
		return "", err
	}
	if m.Card == nil {
		return "name: " + m.Name + "\ndescription: hand-crafted features of Geom-graph, no learning\ndimensions: [X, Y, Z]\n", nil
	}
	text, err := m.Card.YAML()
	return string(text) + "file_sha256: " + m.Sum + "… # first 16 digits\n", err
}
