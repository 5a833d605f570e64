// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import "syscall"

// endsWithUs makes the kernel kill the child when its parent ends for any reason.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
