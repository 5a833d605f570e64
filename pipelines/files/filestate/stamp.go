// SPDX-License-Identifier: BSD-3-Clause

package filestate

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Stamp returns a text that changes whenever the content of a file does: its size, and the times of its last
// modification and, on Linux, of the last change of its inode, which programs cannot set. It costs no
// reading, but an equal content can have another stamp.
func Stamp(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if settle(info) {
		if info, err = os.Stat(path); err != nil {
			return "", err
		}
	}
	return stampOf(info), nil
}

func stampOf(info fs.FileInfo) string {
	text := fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
	if at, known := changed(info); known {
		text += fmt.Sprintf("-%d", at.UnixNano())
	}
	return text
}

// clockStep is longer than the steps of the clock that file systems take times from (1 to 10 ms on Linux).
// Two changes within a step have the same time.
const clockStep = 20 * time.Millisecond

// settle waits until the clock has moved on since a file was changed, so that the next change has another
// time. It reports whether it waited.
func settle(info fs.FileInfo) bool {
	last := info.ModTime()
	if at, known := changed(info); known && at.After(last) {
		last = at
	}
	age := time.Since(last)
	if age < 0 || age >= clockStep { // below 0: the clock of another computer
		return false
	}
	time.Sleep(clockStep - age)
	return true
}
