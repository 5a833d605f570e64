// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"errors"
	"fmt"
	"path/filepath"
)

// fault is a promise that a file of the map breaks.
type fault struct {
	file string // its name
	why  error
}

func (f *fault) Error() string { return f.file + ": " + f.why.Error() }
func (f *fault) Unwrap() error { return f.why }

// broken returns the error of a promise that a file does not keep.
func broken(file, format string, values ...any) error {
	return &fault{file, fmt.Errorf(format, values...)}
}

// inFolder returns an error whose file, if it is a fault, is named by its path in a folder.
func inFolder(err error, folder string) error {
	var f *fault
	if errors.As(err, &f) {
		return &fault{filepath.Join(folder, f.file), f.why}
	}
	return err
}
