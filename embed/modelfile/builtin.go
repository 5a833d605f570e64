// SPDX-License-Identifier: BSD-3-Clause

package modelfile

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	folder = "models"
	suffix = ".safetensors"
)

// Folder has a folder "models" of the model files that are compiled into the library. A model's name is its
// file's.
type Folder struct {
	Kind  string // what its files are, for errors: "model"
	Files fs.FS
}

// Names returns the names of the models, sorted.
func (s Folder) Names() []string {
	entries, err := fs.ReadDir(s.Files, folder)
	if err != nil {
		panic(err) // the folder is compiled in
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// List returns the names separated by commas.
func (s Folder) List() string { return strings.Join(s.Names(), ", ") }

// Load reads the file of a model and calls load with it. It returns an error if there is no model of that
// name.
func Load[M any](s Folder, name string, load func(file []byte) (*M, error)) (*M, error) {
	if !slices.Contains(s.Names(), name) {
		return nil, fmt.Errorf("no built-in %s %q; there are %s", s.Kind, name, s.List())
	}
	file, err := fs.ReadFile(s.Files, path.Join(folder, name+suffix))
	if err != nil {
		return nil, fmt.Errorf("built-in %s %q: %w", s.Kind, name, err)
	}
	return load(file)
}
