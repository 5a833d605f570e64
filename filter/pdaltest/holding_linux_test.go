// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"syscall"
	"testing"

	"superpoint/testdata/must"
)

// holdingPipe returns a pipe that holds one write: the next one waits until that is read (O_DIRECT, pipe(2)).
// So a process that writes lines of progress is not beyond the line that was read last, however late it is
// read.
func holdingPipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	var ends [2]int
	must.OK(t, syscall.Pipe2(ends[:], syscall.O_CLOEXEC|syscall.O_DIRECT))
	page := uintptr(os.Getpagesize())
	size, _, failure := syscall.Syscall(syscall.SYS_FCNTL, uintptr(ends[1]), syscall.F_SETPIPE_SZ, page)
	must.Equal(t, failure, syscall.Errno(0), "error of fcntl")
	must.Equal(t, size, page, "size of the pipe")
	return os.NewFile(uintptr(ends[0]), "reader"), os.NewFile(uintptr(ends[1]), "writer")
}
