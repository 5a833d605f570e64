// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"os"
	"testing"

	"superpoint/pipelines/files/filestate"
	"superpoint/testdata/must"
)

// TestIdentity: a file whose stamp is unchanged is not read; one that changed has its new content.
func TestIdentity(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "a", "before")
	stamp := must.Get(filestate.Stamp(path))(t)
	known := Identity{Content: "of the record", Stamp: stamp}
	must.Equal(t, must.Get(known.Now(path))(t), "of the record", "content by the stamp")
	must.OK(t, os.WriteFile(path, []byte("after"), 0o666))
	must.Equal(t, must.Get(known.Now(path))(t), must.Get(hash(path))(t), "content of a changed file")
}
