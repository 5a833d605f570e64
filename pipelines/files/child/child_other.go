//go:build !linux

package child

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }
