package classes

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// The classifiers that come with the library, one file each.
//
//go:embed models
var models embed.FS

const (
	modelFolder = "models"
	modelSuffix = ".safetensors"
)

// Builtins returns the names of the built-in classifiers, sorted. A classifier's
// name is its file's.
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

// Builtin returns a built-in classifier by name.
func Builtin(name string) (*Model, error) {
	if !slices.Contains(Builtins(), name) {
		return nil, fmt.Errorf("no built-in classes %q; there are %s", name, strings.Join(Builtins(), ", "))
	}
	file, err := models.ReadFile(path.Join(modelFolder, name+modelSuffix))
	if err != nil {
		return nil, fmt.Errorf("built-in classes %q: %w", name, err)
	}
	return Load(file)
}
