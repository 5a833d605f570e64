// SPDX-License-Identifier: BSD-3-Clause

package sources_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"superpoint/pipelines/files/sources"
	"superpoint/testdata/must"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	content := make([]byte, 1<<20)
	write := func(name string, change int) string {
		t.Helper()
		changed := append([]byte(nil), content...)
		if change >= 0 {
			changed[change]++
		}
		must.OK(t, os.WriteFile(at(name), changed, 0o666))
		return must.Get(sources.Identity(at(name)))(t)
	}
	a := write("a", -1)
	if b := write("b", -1); b != a {
		t.Errorf("a copy is %s and not %s", b, a)
	}
	for _, change := range []int{0, 1000, len(content) / 2, len(content) - 1} {
		if b := write("b", change); b == a {
			t.Errorf("a change of byte %d is not seen", change)
		}
	}
	must.OK(t, os.Symlink(at("a"), at("link")))
	if b, err := sources.Identity(at("link")); err != nil || b != a {
		t.Errorf("a link is %s and not %s: %v", b, a, err)
	}
	first, info := must.Get(sources.Stamp(at("a")))(t), must.Get(os.Stat(at("a")))(t)
	write("a", len(content)/2)
	must.OK(t, os.Chtimes(at("a"), time.Time{}, info.ModTime()))
	if second, err := sources.Stamp(at("a")); runtime.GOOS == "linux" && (err != nil || second == first) {
		t.Errorf("a change in the middle, whose time was set back, leaves the stamp %s: %v", second, err)
	}
	if b := must.Get(sources.Identity(at("a")))(t); runtime.GOOS == "linux" && b == a {
		t.Error("that change leaves the identity")
	}
}

func TestPipesAreNoSources(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.las")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, arg := range []string{pipe, filepath.Dir(pipe), filepath.Dir(pipe) + "/*.las"} {
		must.Fail(sources.Files([]string{arg}, nil))(t, "pipe.las is a pipe")
	}
}
