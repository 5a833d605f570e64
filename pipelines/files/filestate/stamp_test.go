// SPDX-License-Identifier: BSD-3-Clause

package filestate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// TestStamp: a change within one step of the clock, and one whose time is set back, change the stamp.
func TestStamp(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no time that programs cannot set")
	}
	path := filepath.Join(t.TempDir(), "a")
	must.OK(t, os.WriteFile(path, []byte("content"), 0o666))
	for k := range 20 {
		first := must.Get(Stamp(path))(t)
		modified := must.Get(os.Stat(path))(t).ModTime()
		must.OK(t, os.WriteFile(path, fmt.Appendf(nil, "%7d", k), 0o666))
		must.OK(t, os.Chtimes(path, time.Time{}, modified))
		second := must.Get(Stamp(path))(t)
		must.Hold(t, second != first, "change %d leaves the stamp %s", k, second)
	}
}
