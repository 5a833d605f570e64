// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	must.OK(t, Write(path, text("one")))
	broken := errors.New("broken")
	if err := Write(path, func(w io.Writer) error { io.WriteString(w, "tw"); return broken }); err != broken {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("%q, %v after an error", got, err)
	}
	link := filepath.Join(folder, "link")
	must.OK(t, os.Symlink("a", link))
	must.OK(t, Write(link, text("three")))
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "three" {
		t.Errorf("%q through a link", got)
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("files left behind: %v", left)
	}
	if Write(folder, text("x")) == nil || Write(filepath.Join(folder, "none", "a"), text("x")) == nil {
		t.Error("a folder was written to")
	}
}

func TestDevicesStay(t *testing.T) {
	for _, device := range []string{"/dev/null", "/dev/full"} {
		if info, err := os.Stat(device); err != nil || info.Mode().IsRegular() {
			t.Skip(device + " is no device here")
		}
		must.Fail(0, Write(device, text("x")))(t, device, "name a file")
		if info, err := os.Stat(device); err != nil || info.Mode().IsRegular() {
			t.Fatalf("%s is now %v, %v", device, info.Mode(), err)
		}
	}
}

func TestFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.gpkg")
	write := func(text string, err error) func(string) error {
		return func(temporary string) error {
			if filepath.Ext(temporary) != ".gpkg" {
				t.Errorf("temporary name %s", temporary)
			}
			if e := os.WriteFile(temporary, []byte(text), 0o644); e != nil {
				return e
			}
			return err
		}
	}
	must.OK(t, file(path, write("one", nil), nil))
	broken := errors.New("broken")
	if err := file(path, write("two", broken), nil); err != broken {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one" {
		t.Errorf("%q, %v after an error", got, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v left over", left, err)
	}
	must.Fail(0, file("/dev/null", write("", nil), nil))(t, "name a file")
	must.Fail(file(filepath.Join(folder, "none", "a"), write("", nil), nil))(t) // a missing folder
}

// TestFullDisk fills a disk by a body that does not notice it, as GDAL.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk).Run(); err != nil {
		t.Skipf("no tmpfs can be mounted here (that needs root): %v", err)
	}
	defer exec.Command("umount", disk).Run()
	path := filepath.Join(disk, "a.gml")
	for size, fits := range map[int]bool{1 << 10: true, 1 << 20: false} {
		err := file(path, func(temporary string) error {
			_ = os.WriteFile(temporary, make([]byte, size), 0o666)
			return nil
		}, nil)
		if info, there := os.Stat(path); (err == nil) != fits || there == nil && info.Size() != 1<<10 {
			t.Errorf("%d bytes on a disk of 64 kB: %v", size, err)
		}
	}
}

// TestPermissionsAndFlush tests that an output has the permissions of the file that it replaces, and that it is flushed
// before it is renamed, and its folder afterwards.
func TestPermissionsAndFlush(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	var flushed []string
	real := sync
	defer func() { sync = real }()
	sync = func(at string, how int) error {
		content, _ := os.ReadFile(path)
		flushed = append(flushed, filepath.Base(at)+" while a is "+string(content))
		return real(at, how)
	}
	must.OK(t, Write(path, text("one")))
	must.OK(t, os.Chmod(path, 0o640))
	flushed = nil
	must.OK(t, Write(path, text("two")))
	if info := must.Get(os.Stat(path))(t); info.Mode().Perm() != 0o640 {
		t.Errorf("the file has permissions %v", info.Mode())
	}
	want := []string{"a while a is one", filepath.Base(folder) + " while a is two"}
	if !slices.Equal(flushed, want) {
		t.Errorf("flushed %q, not %q", flushed, want)
	}
	sync = func(string, int) error { return errors.New("no space left") }
	must.Fail(0, Write(path, text("three")))(t, "no space left")
	if got, _ := os.ReadFile(path); string(got) != "two" {
		t.Errorf("%q was not flushed", got)
	}
}
