// SPDX-License-Identifier: BSD-3-Clause

package filestate

import (
	"io/fs"
	"syscall"
	"time"
)

// ChangeTimes reports that files have the time of the last change of their inode.
const ChangeTimes = true

// changed returns that time.
func changed(info fs.FileInfo) (at time.Time, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(0, stat.Ctim.Nano()), true
}

// inode returns the number of a file.
func inode(info fs.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return stat.Ino
}
