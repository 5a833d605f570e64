// SPDX-License-Identifier: BSD-3-Clause

package sources_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"superpoint/pipelines/files/sources"
	"superpoint/testdata/must"
)

// TestUnreadableVirtual: a virtual point cloud that cannot be read is an error of the disk, not of its text.
// The memory of a process is a file that can be opened, and not be read at its beginning.
func TestUnreadableVirtual(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "survey.vpc")
	must.OK(t, os.Symlink("/proc/self/mem", path))
	_, err := sources.Files([]string{path}, nil)
	must.Hold(t, errors.Is(err, syscall.EIO), "error %v, want %v", err, syscall.EIO)
	must.Says(t, err, path, "the name of the file")
}
