//go:build !linux

package child

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }

// activity is not known.
func activity(int) (done string, known bool) { return "", false }
