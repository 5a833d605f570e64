package embed

import (
	files "embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// The models that come with the library, one file each.
//
//go:embed models
var models files.FS

const (
	modelFolder = "models"
	modelSuffix = ".safetensors"
)

// Builtins returns the names of the built-in models, sorted. A model's name is
// its file's.
func Builtins() []string {
	entries, err := models.ReadDir(modelFolder)
	if err != nil {
		panic(err) // the folder is compiled in
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), modelSuffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// Builtin returns a built-in model by name.
func Builtin(name string) (*Model, error) {
	if !slices.Contains(Builtins(), name) {
		return nil, fmt.Errorf("no built-in model %q; there are %s", name, list(Builtins()))
	}
	file, err := models.ReadFile(path.Join(modelFolder, name+modelSuffix))
	if err != nil {
		return nil, fmt.Errorf("built-in model %q: %w", name, err)
	}
	return Load(file)
}

// Auto returns the built-in model of the highest rank that reads none but the
// given dimensions; between equals the first by name.
func Auto(dimensions []string) (*Model, error) {
	var best *Model
	for _, name := range Builtins() {
		m, err := Builtin(name)
		if err != nil {
			return nil, err
		}
		if m.Card.Rank > 0 && len(m.Card.Missing(dimensions)) == 0 && (best == nil || m.Card.Rank > best.Card.Rank) {
			best = m
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no built-in model reads only %s; name one (%s), give a model file, or use \"geometric\"",
			strings.Join(dimensions, ", "), list(Builtins()))
	}
	return best, nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
