//go:build unix

package models

import "syscall"

// nonblocking opens a pipe without waiting for a writer.
const nonblocking = syscall.O_NONBLOCK
