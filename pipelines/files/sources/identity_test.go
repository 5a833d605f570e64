package sources_test

import (
	"os"
	"path/filepath"
	"strings"
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
	for _, change := range []int{0, 1000, len(content) - 1} {
		if b := write("b", change); b == a {
			t.Errorf("a change of byte %d is not seen", change)
		}
	}
	must.OK(t, os.Symlink(at("a"), at("link")))
	if b, err := sources.Identity(at("link")); err != nil || b != a {
		t.Errorf("a link is %s and not %s: %v", b, a, err)
	}
	first := must.Get(sources.Signature(at("a")))(t)
	write("a", len(content)/2) // in the middle
	must.OK(t, os.Chtimes(at("a"), time.Time{}, time.Now().Add(time.Hour)))
	if second, err := sources.Signature(at("a")); err != nil || second == first || !strings.HasPrefix(second, a) {
		t.Errorf("a change in the middle leaves %s: %v", second, err)
	}
	if id, err := sources.Signature("https://example.org/ept.json"); err != nil || id != sources.Remote {
		t.Errorf("an address is %s: %v", id, err)
	}
}

func TestPipesAreNoSources(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.las")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, arg := range []string{pipe, filepath.Dir(pipe), filepath.Dir(pipe) + "/*.las"} {
		must.Fail(sources.Files([]string{arg}))(t, "pipe.las is a pipe")
	}
}
