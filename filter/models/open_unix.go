//go:build unix

package models

import "syscall"

// nonblocking opens a pipe without waiting for who writes to it.
const nonblocking = syscall.O_NONBLOCK
