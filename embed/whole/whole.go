// Package whole writes files that are there whole or not at all: under a
// temporary name in the same folder, and renamed when they are complete.
package whole

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file by body. Where path is a device, a pipe or the like it is
// written to as it is, because a rename would put a file in its place; a
// symbolic link keeps leading where it leads.
func Write(path string, body func(w io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return inPlace(path, body)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".superpoint-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := body(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func inPlace(path string, body func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := body(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
