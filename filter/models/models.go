// SPDX-License-Identifier: BSD-3-Clause

// Package models loads models that compute embeddings: built-in models, model files, and the
// hand-crafted features of Geom-graph (Guinard and Landrieu 2017).
package models

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/embed/geometric"
	"superpoint/embed/lpe"
	"superpoint/filter/naming"
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
	if embed.IsBuiltin(name) {
		return embed.Builtin(name)
	}
	return Read(name)
}

// IsFile reports whether the value of the option model is a file.
func IsFile(name string) bool {
	return name != "" && name != Auto && name != Geometric && !embed.IsBuiltin(name)
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
	needs := slices.DeleteFunc(m.Card.Requires(), func(d string) bool {
		return d == "X" ||
			d == "Y" || d == "Z"
	})
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
		return "name: " + m.Name +
			"\ndescription: hand-crafted features of Geom-graph, no learning\ndimensions: [X, Y, " +
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

// maxFile is the largest size of a model file in bytes; the paper's network has 60 kB.
const maxFile = 64 << 20

// file reads the file that an option names.
func file(option, path string, known []string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf(
			"option %s: %q is neither a built-in model nor a file%s; give a path, or one of %s",
			option, path, naming.DidYouMean(path, known), strings.Join(known, ", "))
	case err != nil:
		return nil, fmt.Errorf("option %s: %w", option, err)
	case info.IsDir():
		return nil, fmt.Errorf("option %s: %q is a folder; give a model file made by `superpoint train`",
			option, path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf(
			"option %s: %q is a pipe or a device; give a model file made by `superpoint train`", option,
			path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf(
			"option %s: %q has %d bytes, which no model has; give a model file made by `superpoint "+
				"train`", option, path, info.Size())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		err = fmt.Errorf("option %s: %w", option, err)
	}
	return content, err
}

// Identify returns, by option of the stage, the checksum of each built-in model that may be used, and the
// options that name files, so that other processes can check that they use the same.
func Identify(options map[string]string) (builtin map[string]string, files []string, err error) {
	builtin = map[string]string{}
	for option, find := range map[string]func(name string) (sum string, is bool, err error){
		"model": builtinModel, "classes": builtinClasses} {
		sum, is, err := find(options[option])
		switch {
		case err != nil:
			return nil, nil, err
		case !is:
			files = append(files, option)
		case sum != "":
			builtin[option] = sum
		}
	}
	return builtin, files, nil
}

// builtinModel returns the checksums of the built-in models that a value of the option model may choose; is
// is false for files.
func builtinModel(name string) (sum string, is bool, err error) {
	names := []string{name}
	switch {
	case IsFile(name):
		return "", false, nil
	case name == Geometric:
		return "", true, nil
	case name == "" || name == Auto:
		names = embed.Builtins()
	}
	for _, name := range names {
		m, err := embed.Builtin(name)
		if err != nil {
			return "", true, err
		}
		sum += m.Sum()
	}
	return sum, true, nil
}

func builtinClasses(name string) (sum string, is bool, err error) {
	if name == "" || isClassesFile(name) {
		return "", name == "", nil
	}
	m, err := classes.Builtin(name)
	if err != nil {
		return "", true, err
	}
	return m.Sum(), true, nil
}

// Classes loads the classifier that an option names: a built-in one or a file.
func Classes(option, name string) (*classes.Model, error) {
	if !isClassesFile(name) {
		return classes.Builtin(name)
	}
	content, err := file(option, name, classes.Builtins())
	if err != nil {
		return nil, err
	}
	m, err := classes.Load(content)
	if err != nil {
		return nil, fmt.Errorf("option %s: %q: %w", option, name, err)
	}
	return m, nil
}

// isClassesFile reports whether the value of the option classes is a file.
func isClassesFile(name string) bool { return name != "" && !slices.Contains(classes.Builtins(), name) }

// ClassesCardText returns the card of a classifier as YAML: classes, inputs, network, training.
func ClassesCardText(name string) (string, error) {
	m, err := Classes("classes", name)
	if err != nil {
		return "", err
	}
	text, err := m.Card.YAML()
	return string(text), err
}

// CardOf returns the card of a model, also of hand-crafted features; nil without a model.
func CardOf(m *Model) *embed.Card {
	if m == nil {
		return nil
	}
	if by, ok := m.Embedder.(interface{ Card() *embed.Card }); ok && m.Card == nil {
		return by.Card()
	}
	return m.Card
}

// Embedding identifies the embedding that the model computes by the hash of its weights, because a card may
// change. It is empty without a learned model.
func (m *Model) Embedding() classes.Embedding {
	if m == nil || m.Card == nil {
		return classes.Embedding{}
	}
	weights := m.Card.Weights
	return classes.Embedding{Model: m.Name, Sum: weights[:min(16, len(weights))], Dim: m.Embedder.Dim()}
}

// Dim returns the number of columns of the embedding; 0 without a model.
func (m *Model) Dim() int {
	if m == nil {
		return 0
	}
	return m.Embedder.Dim()
}

// Reach returns the distance in metres, along x and y, within which the embedding of a point reads other
// points of a cloud with the given spacing; 0 if it reads neighbors only.
func (m *Model) Reach(spacing float64) float64 {
	const slack = 1e-3 // positions are rounded
	reach := CardOf(m).Halo()
	if reach == 0 {
		return 0
	}
	if m.Spaced() { // the model scales the cloud
		reach *= spacing / m.Card.Inputs.Spacing
	}
	return reach + slack
}
