// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"fmt"
	"io/fs"
	"syscall"
)

// changed returns the time of the last change of a file's attributes.
func changed(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("-%d", stat.Ctim.Nano())
}
