//go:build !linux

// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }

// activity is not known.
func activity(int) (done string, known bool) { return "", false }
