// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"os"
	"reflect"
	"unsafe"

	"golang.org/x/sys/windows"
)

// libraryPath returns the path of the library or program that has this package.
func libraryPath() string {
	here, library := reflect.ValueOf(libraryPath).Pointer(), windows.Handle(0)
	const longest = 1 << 15 // UTF-16 units of a path
	name := make([]uint16, longest)
	err := windows.GetModuleHandleEx(windows.GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS|
		windows.GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, *(**uint16)(unsafe.Pointer(&here)), &library)
	if err == nil {
		if n, err := windows.GetModuleFileName(library, &name[0], longest); err == nil {
			return windows.UTF16ToString(name[:n])
		}
	}
	path, _ := os.Executable()
	return path
}
