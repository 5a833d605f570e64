// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errNoFile is the error of what is read more than once and is no regular file.
var errNoFile = errors.New(
	"it is a pipe, a device or a folder, and the file is read more than once; write it to a file")

// OpenRegular opens a regular file for reading. It fails for a pipe, which may take the place of a file at
// any time, and does not wait until something is written to it.
func OpenRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
