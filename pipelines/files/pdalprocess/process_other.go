//go:build !linux

// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }
