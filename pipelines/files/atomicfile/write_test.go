// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

func text(s string) func(io.Writer) error { return Bytes([]byte(s)) }

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.gpkg")
	must.OK(t, file(path, func(temporary string) error {
		must.Hold(t, filepath.Ext(temporary) == ".gpkg", "temporary name %s", temporary)
		return os.WriteFile(temporary, []byte("one"), 0o644)
	}, nil))
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error { io.WriteString(w, "tw"); return broken })
	must.Hold(t, err == broken, "%v", err)
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "one", "the file after an error")
	link := filepath.Join(folder, "link")
	must.OK(t, os.Symlink("a.gpkg", link))
	must.OK(t, Write(link, text("three")))
	info, err := os.Lstat(link)
	must.Need(t, err == nil, "the link is gone: %v", err)
	must.Hold(t, info.Mode()&os.ModeSymlink != 0, "the link is gone: info.Mode()&os.ModeSymlink is 0")
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "three", "the file behind a link")
	left, _ := os.ReadDir(folder)
	must.Hold(t, len(left) == 2, "files left behind: %v", left)
	must.Hold(t, Write(folder, text("x")) != nil,
		`a folder was written to: no error of Write(folder, text("x"))`)
	must.Hold(t, Write(filepath.Join(folder, "none", "a"), text("x")) != nil,
		`a folder was written to: no error of Write(filepath.Join(folder, "none", "a"), text("x"))`)
}

func TestDevicesStay(t *testing.T) {
	for _, device := range []string{"/dev/null", "/dev/full"} {
		if info, err := os.Stat(device); err != nil || info.Mode().IsRegular() {
			t.Skip(device + " is no device here")
		}
		must.Fail(0, Write(device, text("x")))(t, device, "name a file")
		info, err := os.Stat(device)
		must.Need(t, err == nil, "%s: %v", device, err)
		must.Need(t, !info.Mode().IsRegular(),
			"%s is now a regular file: %v", device, info.Mode())
	}
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
		info, there := os.Stat(path)
		must.Equal(t, err == nil, fits,
			"%d bytes on a disk of 64 kB: err == nil, for error %v", size, err)
		if there == nil {
			must.Equal(t, info.Size(), 1<<10, "%d bytes on a disk of 64 kB: info.Size()", size)
		}
	}
}

// TestPermissionsAndFlush tests that an output has the permissions of the file that it replaces, and that it
// is flushed before it is renamed, and its folder afterwards.
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
	must.Equal(t, must.Get(os.Stat(path))(t).Mode().Perm(), 0o640, "permissions")
	must.Equal(t, flushed, []string{"a while a is one", filepath.Base(folder) + " while a is two"}, "flushed")
	sync = func(string, int) error { return errors.New("no space left") }
	must.Fail(0, Write(path, text("three")))(t, "no space left")
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "two", "the file")
}

// TestChild is not a test: it is what other tests run in a process that they kill.
func TestChild(t *testing.T) {
	folder, write := os.Getenv("SUPERPOINT_TEST_FOLDER"), os.Getenv("SUPERPOINT_TEST_WRITE")
	if folder == "" {
		return
	}
	if write == "" {
		_, _, err := Workspace(folder)
		must.OK(t, err)
		must.Get(Lock(folder, false))(t)
		fmt.Println("ready")
		time.Sleep(time.Hour) // until it is killed
	}
	if write == "set" {
		writeSets(t, folder)
	}
	for k := 0; ; k++ { // outputs of 1 MB, until the process is killed
		o := must.Get(new(Files).Output(filepath.Join(folder, write)))(t)
		must.OK(t, o.Write(text(strings.Repeat(strconv.Itoa(k%10), 1<<20))))
		fmt.Println("ready")
	}
}

// start runs TestChild until it is ready; kill ends it by SIGKILL.
func start(t *testing.T, folder, write string) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "TestChild$")
	c.Env = append(os.Environ(), "SUPERPOINT_TEST_FOLDER="+folder, "SUPERPOINT_TEST_WRITE="+write)
	out := must.Get(c.StdoutPipe())(t)
	must.OK(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must.Need(t, line == "ready\n", "%q, %v", line, err)
	go io.Copy(io.Discard, out)
	return func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// TestKilledOwner kills a process that has a lock and a folder for temporary files.
func TestKilledOwner(t *testing.T) {
	folder := t.TempDir()
	for name, file := range map[string]string{".superpoint-cafe": lockName, "superpoint-work-1": lockName,
		workPrefix + "1": "file"} {
		path := filepath.Join(folder, name) // no name, or no lock, of Workspace
		must.OK(t, os.Mkdir(path, 0o777))
		must.OK(t, os.WriteFile(filepath.Join(path, file), nil, 0o666))
	}
	count := func() int { return len(must.Get(os.ReadDir(folder))(t)) }
	kill := start(t, folder, "")
	must.Fail(Lock(folder, false))(t, "in use by another run")
	must.Fail(Lock(folder, true))(t, "in use by another run")
	Sweep(folder)
	must.Hold(t, count() == 5, "the folder of a running process was removed")
	kill()
	release := must.Get(Lock(folder, false))(t)
	_, done, err := Workspace(folder)
	must.OK(t, err)
	must.Hold(t, count() == 5, "the folder of a killed process stays")
	done()
	release()
	must.Hold(t, count() == 3, "%v are left", must.Get(os.ReadDir(folder))(t))
}

// TestKilledRemoval: a process that is killed before it has removed all files of its work folder, whichever
// is next, leaves a folder that the next sweep removes.
func TestKilledRemoval(t *testing.T) {
	names := []string{"a.las", lockName, "plan.json", "z.las"} // files before and after the lock by name
	t.Cleanup(func() { removeAll = os.RemoveAll })
	for removed := range len(names) + 1 {
		parent := t.TempDir()
		folder := filepath.Join(parent, workPrefix+"1")
		must.OK(t, os.Mkdir(folder, 0o777))
		for _, name := range names {
			must.OK(t, os.WriteFile(filepath.Join(folder, name), nil, 0o666))
		}
		left := removed
		removeAll = func(path string) error {
			if left == 0 {
				return errors.New("killed")
			}
			left--
			return os.RemoveAll(path)
		}
		removeTree(folder)
		removeAll = os.RemoveAll
		must.OK(t, Sweep(parent))
		must.Equal(t, len(must.Get(os.ReadDir(parent))(t)), 0, "folders that stay after %d files are removed",
			removed)
	}
}

// TestKilledWriter kills a process at many moments while it replaces its output. There is a complete output
// each time, which the next run recognises as its own.
func TestKilledWriter(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.csv")
	for k := range 30 {
		kill := start(t, folder, "a.csv")
		time.Sleep(time.Duration(k) * 400 * time.Microsecond)
		kill()
		got := string(must.Get(os.ReadFile(path))(t))
		must.Need(t, len(got) == 1<<20, "after %d: bytes: got %v, want %v", k, len(got), 1<<20)
		must.Need(t, strings.Count(got, got[:1]) == len(got),
			"after %d: strings.Count(got, got[:1]) is %v, want %v", k, strings.Count(got, got[:1]), len(got))
		o, err := new(Files).Output(path)
		must.Need(t, err == nil, "after %d: %v", k, err)
		must.OK(t, o.Write(text("done")))
		must.Equal(t, len(must.Get(os.ReadDir(folder))(t)), 2, "files left after %d", k)
	}
	o, temporary := must.Get(new(Files).Output(path))(t), filepath.Join(t.TempDir(), "a.csv")
	must.OK(t, os.WriteFile(temporary, []byte("new"), 0o666))
	must.OK(t, o.record(temporary, path)) // the moment before the rename
	must.OK(t, Unchanged(path))
	must.OK(t, os.Rename(temporary, path))
	must.OK(t, Unchanged(path))
}

// TestSharedLocks: processes share a folder, or one has it alone; on release the lock file of the latter
// goes.
func TestSharedLocks(t *testing.T) {
	folder := t.TempDir()
	one, two := must.Get(Lock(folder, true))(t), must.Get(Lock(folder, true))(t)
	must.Fail(Lock(folder, false))(t, folder)
	one()
	must.Fail(Lock(folder, false))(t, folder)
	two()
	must.Get(Lock(folder, false))(t)()
	must.Equal(t, len(must.Get(os.ReadDir(folder))(t)), 0, "files left")
}

// TestMoveToAnotherDisk: what cannot be renamed is copied.
func TestMoveToAnotherDisk(t *testing.T) {
	defer func(old func(from, to string) error) { rename = old }(rename)
	from, to := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	must.OK(t, os.WriteFile(from, []byte("results"), 0o666))
	rename = func(string, string) error { return &os.LinkError{Err: syscall.EACCES} }
	must.Fail(Move(from, to))(t, "permission denied")
	rename = func(string, string) error { return &os.LinkError{Err: syscall.EXDEV} }
	must.OK(t, Move(from, to))
	must.Hold(t, string(must.Get(os.ReadFile(to))(t)) == "results", "it is not copied")
}
