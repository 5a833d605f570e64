// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// endsWithUs makes the kernel kill the child when its parent ends for any reason.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// activity returns a text that changes when a process, or one that it started, uses the processor or reads or writes
// bytes. It is not known for a stopped process.
func activity(pid int) (done string, known bool) {
	folder := fmt.Sprint("/proc/", pid)
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return "", false
	}
	// The fields behind the name, which is in parentheses, are state, …, utime (12th), stime.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 || fields[0] == "T" {
		return "", false
	}
	moved, _ := os.ReadFile(filepath.Join(folder, "io"))
	done = strings.Join(fields[11:13], " ") + string(moved)
	lists, _ := filepath.Glob(filepath.Join(folder, "task/*/children"))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(children)) {
			var id int
			if _, err := fmt.Sscan(child, &id); err == nil {
				more, _ := activity(id)
				done += more
			}
		}
	}
	return done, true
}
