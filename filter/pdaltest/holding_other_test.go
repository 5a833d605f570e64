//go:build !linux

// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"testing"

	"superpoint/testdata/must"
)

// holdingPipe returns a pipe: only Linux has those that hold one write.
func holdingPipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	must.OK(t, err)
	return reader, writer
}
