//go:build !windows && !(cgo && unix)

package filter

import "os"

// libraryPath returns the path of the program.
func libraryPath() string {
	path, _ := os.Executable()
	return path
}
