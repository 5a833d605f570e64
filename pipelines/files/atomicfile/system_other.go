//go:build !unix

// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"os"
)

// errNoLocks is no error of this system.
var errNoLocks = errors.New("no locks")

func duplicate(_ int, name string) (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) }
