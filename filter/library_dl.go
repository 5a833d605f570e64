//go:build cgo && unix

// SPDX-License-Identifier: BSD-3-Clause

package filter

/*
#define _GNU_SOURCE
#include <dlfcn.h>

static void here(void) {}

// Returns the file that this function was loaded from, or null.
static const char *library(void) {
	Dl_info info;
	return dladdr((void *)here, &info) ? info.dli_fname : 0;
}
*/
import "C"

import (
	"os"
	"path/filepath"
)

// libraryPath returns the path of the library or program that has this package.
func libraryPath() string {
	if name := C.library(); name != nil {
		if path := C.GoString(name); filepath.IsAbs(path) {
			return path
		}
	}
	path, _ := os.Executable()
	return path
}
