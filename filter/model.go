package filter

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/embed/lpe"
)

// geometricModel is the name of the hand-crafted features.
const geometricModel = "geometric"

// model is what turns points into embeddings, and the settings that go with it.
type model struct {
	name      string
	sum       string   // first digits of the SHA-256 of the file; "" for hand-crafted features
	neighbors int      // k of the embedded neighbourhood
	fixed     bool     // k was fixed in training
	needs     []string // dimensions it reads beside X, Y and Z
	settings  embed.Partition
	embedder  embed.Embedder
	card      *embed.Card // nil for hand-crafted features
}

// loadModel returns the model an option names: hand-crafted features, a
// built-in model, or a model file. available is used by `auto` only.
func loadModel(name string, knn int, available []string) (*model, error) {
	switch name {
	case geometricModel:
		return newGeometricModel(knn)
	case "auto":
		dimensions := append([]string{"X", "Y", "Z"}, available...)
		if len(embed.Builtins()) == 0 {
			return newGeometricModel(knn)
		}
		m, err := embed.Auto(dimensions)
		if err != nil {
			return nil, fmt.Errorf("option model: %w", err)
		}
		return newLearnedModel(m)
	}
	if slices.Contains(embed.Builtins(), name) {
		m, err := embed.Builtin(name)
		if err != nil {
			return nil, fmt.Errorf("option model: %w", err)
		}
		return newLearnedModel(m)
	}
	m, err := readModel(name)
	if err != nil {
		return nil, err
	}
	return newLearnedModel(m)
}

// ModelFile tells whether the option model, as given, names a file.
func ModelFile(name string) bool {
	return name != "" && name != "auto" && name != geometricModel && !slices.Contains(embed.Builtins(), name)
}

// about says in a line what the model is for.
func (m *model) about() string {
	if m.card == nil {
		return "hand-crafted features"
	}
	return m.card.Description
}

// spaced tells whether the model reads clouds scaled to a reference spacing.
func (m *model) spaced() bool { return m.card != nil && m.card.Inputs.Spacing > 0 }

// maxModelFile is the size, in bytes, above which a file is not read: the
// paper's network takes 60 kB.
const maxModelFile = 64 << 20

func readModel(path string) (*embed.Model, error) {
	known := append([]string{"auto", geometricModel}, embed.Builtins()...)
	// opened first and looked at then: what has the name may change in between. An
	// open that waits for the other end of a pipe would never come back.
	file, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("option model: %q is neither a built-in model nor a file%s; give a path, or one of %s",
			path, didYouMean(path, known), strings.Join(known, ", "))
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
	case info.Size() > maxModelFile:
		return nil, fmt.Errorf("option model: %q has %d bytes, which no model has; give a model file made by `superpoint train`", path, info.Size())
	}
	content, err := io.ReadAll(io.LimitReader(file, maxModelFile)) // it may grow while it is read
	if err != nil {
		return nil, fmt.Errorf("option model: %w", err)
	}
	m, err := embed.Load(content)
	if err != nil {
		return nil, fmt.Errorf("option model: %q: %w", path, err)
	}
	return m, nil
}

func newLearnedModel(m *embed.Model) (*model, error) {
	e, err := lpe.New(m)
	if err != nil {
		return nil, fmt.Errorf("option model: %q: %w", m.Card.Name, err)
	}
	needs := slices.DeleteFunc(m.Card.Requires(), func(d string) bool { return d == "X" || d == "Y" || d == "Z" })
	return &model{
		name: m.Card.Name, sum: m.Sum(), neighbors: m.Card.Inputs.Neighbors, fixed: true,
		needs: needs, settings: m.Card.Partition, embedder: e, card: m.Card,
	}, nil
}

// ModelCard returns the card of a model, a YAML text, and its hash: what it
// reads, its network, its settings, and where its weights come from.
func ModelCard(name string) (string, error) {
	m, err := loadModel(name, defaultKNN, nil)
	if err != nil {
		return "", err
	}
	if m.card == nil {
		return "name: " + m.name + "\ndescription: hand-crafted features of Geom-graph, no learning\ndimensions: [X, Y, Z]\n", nil
	}
	text, err := m.card.YAML()
	return string(text) + "file_sha256: " + m.sum + "… # first 16 digits\n", err
}
