//go:build !(cgo && unix)

// SPDX-License-Identifier: BSD-3-Clause

package filter

import "os"

// libraryPath returns the path of the program.
func libraryPath() string {
	path, _ := os.Executable()
	return path
}
