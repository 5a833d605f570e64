//go:build unix

package atomicfile

import (
	"os"
	"syscall"
	"time"
)

// hold locks a file until it is closed or the process ends.
func hold(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// abandoned reports whether a file exists, is the user's own, is older than young, and is
// not locked.
func abandoned(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < young {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid() && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// duplicate returns a file of a copy of descriptor n.
func duplicate(n int, name string) (*os.File, error) {
	d, err := syscall.Dup(n)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(d), name), nil
}
