// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"path/filepath"
	"testing"

	"superpoint/pipelines/files/generated"
	"superpoint/testdata/must"
)

// TestFilesAreUpToDate renders every file again.
func TestFilesAreUpToDate(t *testing.T) {
	top := filepath.Join("..", "..")
	all := must.Get(files(top))(t)
	for path := range must.Get(generated.Changed(top, all))(t) {
		t.Errorf("%s differs from the tables of package filter: run go generate ./filter", path)
	}
}
