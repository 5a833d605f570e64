package classes

import (
	"embed"

	"superpoint/embed/builtin"
)

// The classifiers that come with the library, one file each.
//
//go:embed models
var models embed.FS

var shelf = builtin.Shelf{Kind: "classes", Files: models}

// Builtins returns the names of the built-in classifiers, sorted.
func Builtins() []string { return shelf.Names() }

// Builtin returns a built-in classifier by name.
func Builtin(name string) (*Model, error) { return builtin.Load(shelf, name, Load) }
