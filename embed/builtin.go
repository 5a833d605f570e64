package embed

import (
	files "embed"
	"fmt"
	"strings"

	"superpoint/embed/builtin"
)

// The models that come with the library, one file each.
//
//go:embed models
var models files.FS

var shelf = builtin.Shelf{Kind: "model", Files: models}

// Builtins returns the names of the built-in models, sorted.
func Builtins() []string { return shelf.Names() }

// Builtin returns a built-in model by name.
func Builtin(name string) (*Model, error) { return builtin.Load(shelf, name, Load) }

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
			strings.Join(dimensions, ", "), shelf.List())
	}
	return best, nil
}
