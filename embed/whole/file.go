package whole

import (
	"os"
	"path/filepath"
)

// File is Write for a body that makes the file itself, as libraries do that take
// a name: it is given a temporary name, free to use, in the folder of path and
// with the same ending.
func File(path string, body func(temporary string) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".superpoint-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	temporary := filepath.Join(folder, filepath.Base(path))
	if err := body(temporary); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
