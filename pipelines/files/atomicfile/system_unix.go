//go:build unix

// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"os"
	"syscall"
)

// errNoLocks is the error of a network file system without a lock service.
const errNoLocks = syscall.ENOLCK

// duplicate returns a file of a copy of descriptor n.
func duplicate(n int, name string) (*os.File, error) {
	d, err := syscall.Dup(n)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(d), name), nil
}
