// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// The outputs of the sets in these tests: one is replaced, one is new, one is removed, one is a link to
// another folder.
var (
	setNames  = []string{"replaced", "new", "removed", "link"}
	formerSet = map[string]string{"replaced": "former", "removed": "former", "link": "former"}
	laterSet  = map[string]string{"replaced": "later", "new": "later", "link": "later"}
)

// newSet returns a folder with the former outputs, and the set that replaces them, whose files are made.
func newSet(t *testing.T) (folder string, s *Set) {
	t.Helper()
	withoutFlush(t)
	parent := t.TempDir()
	folder = filepath.Join(parent, "results")
	must.OK(t, os.Mkdir(folder, 0o777))
	must.OK(t, os.Mkdir(filepath.Join(parent, "elsewhere"), 0o777))
	must.OK(t, os.Symlink("../elsewhere/target", filepath.Join(folder, "link")))
	for name, content := range formerSet {
		o := must.Get(new(Files).Output(filepath.Join(folder, name)))(t)
		must.OK(t, o.Write(text(content)))
	}
	return folder, setOf(t, folder)
}

// withoutFlush makes a test faster: what is flushed is of no matter unless the computer fails.
func withoutFlush(t *testing.T) {
	real := sync
	t.Cleanup(func() { sync = real })
	sync = func(string, int) error { return nil }
}

// setOf returns a set for the outputs in a folder, whose files are made.
func setOf(t *testing.T, folder string) *Set {
	t.Helper()
	files := &Files{}
	release := must.Get(files.Folder(folder))(t)
	t.Cleanup(release)
	var outputs []*Output
	for _, name := range setNames {
		outputs = append(outputs, must.Get(files.Output(filepath.Join(folder, name)))(t))
	}
	s := must.Get(NewSet(folder, outputs...))(t)
	for name, content := range laterSet {
		must.OK(t, os.WriteFile(filepath.Join(s.Work, name), []byte(content), 0o666))
	}
	return s
}

// setIn returns the outputs of a set that are in a folder. All must be as superpoint wrote them.
func setIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range setNames {
		path := filepath.Join(folder, name)
		content, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		must.OK(t, err)
		must.OK(t, Unchanged(must.Get(target(path))(t)))
		found[name] = string(content)
	}
	return found
}

// checkNothingLeft fails if a folder has other files than outputs, their records, and a lock.
func checkNothingLeft(t *testing.T, folder string) {
	t.Helper()
	for _, e := range must.Get(os.ReadDir(folder))(t) {
		must.Hold(t, !strings.HasPrefix(e.Name(), workPrefix), "%s is left", e.Name())
	}
}

// onRename calls do before each rename of a set, with its number from 0, and returns how many there were.
func onRename(t *testing.T, do func(k int, from, to string) error) (count *int) {
	count = new(int)
	real := rename
	t.Cleanup(func() { rename = real })
	rename = func(from, to string) error {
		err := do(*count, from, to)
		*count++
		if err != nil {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
		return os.Rename(from, to)
	}
	return count
}

func nothing(int, string, string) error { return nil }

// renamesOfCommit returns the number of renames of a commit that succeeds.
func renamesOfCommit(t *testing.T) int {
	t.Helper()
	folder, s := newSet(t)
	count := onRename(t, nothing)
	must.OK(t, s.Commit())
	s.Close()
	must.Equal(t, setIn(t, folder), laterSet, "outputs")
	checkNothingLeft(t, folder)
	must.Hold(t, *count >= 12, "only %d renames", *count)
	return *count
}

// TestSetWithFailingRename: if any rename of a commit fails, the former outputs are there, all of them.
func TestSetWithFailingRename(t *testing.T) {
	for failing := range renamesOfCommit(t) {
		t.Run(fmt.Sprint("rename ", failing), func(t *testing.T) {
			folder, s := newSet(t)
			onRename(t, func(k int, _, _ string) error {
				if k == failing {
					return syscall.EACCES
				}
				return nil
			})
			must.Fail(0, s.Commit())(t, "permission denied")
			s.Close()
			must.Equal(t, setIn(t, folder), formerSet, "outputs")
			checkNothingLeft(t, folder)
		})
	}
}

// TestSetInBrokenFolder: if all renames from one on fail, also those that undo, the next run finds the former
// outputs or the later ones, all of one run.
func TestSetInBrokenFolder(t *testing.T) {
	for broken := range renamesOfCommit(t) {
		t.Run(fmt.Sprint("from rename ", broken), func(t *testing.T) {
			folder, s := newSet(t)
			stays := true
			onRename(t, func(k int, _, _ string) error {
				if stays && k >= broken {
					return syscall.EIO
				}
				return nil
			})
			must.Fail(0, s.Commit())(t, "input/output error")
			s.Close()
			stays = false
			must.OK(t, Sweep(folder))
			found := setIn(t, folder)
			isFormer := maps.Equal(found, formerSet)
			if !isFormer {
				must.Equal(t, found, laterSet, "outputs of two runs: found")
			}
			checkNothingLeft(t, folder)
		})
	}
}

// TestSetOfKilledRun: a commit is ended before each of its renames. The next run finds the former outputs
// before the list is committed, and the later ones after it. If that run is killed, too, the one after it
// finds them.
func TestSetOfKilledRun(t *testing.T) {
	type killed struct{}
	kill := func(do func()) {
		defer func() {
			if v := recover(); v != nil && v != (killed{}) {
				panic(v)
			}
		}()
		do()
	}
	count := renamesOfCommit(t)
	for last := range count {
		for again := 0; again <= count; again += 3 {
			t.Run(fmt.Sprintf("before rename %d, and %d of the next run", last, again), func(t *testing.T) {
				folder, s := newSet(t)
				at, committed := last, false
				onRename(t, func(k int, _, to string) error {
					if k == at {
						panic(killed{})
					}
					committed = committed || filepath.Base(to) == listCommitted
					return nil
				})
				kill(func() { _ = s.Commit() })
				s.Close() // releases the lock of the work folder, as the end of the process does
				at = last + again
				kill(func() { _ = Sweep(folder) })
				at = -1
				releaseLocks(t, folder)
				must.OK(t, Sweep(folder))
				want := formerSet
				if committed {
					want = laterSet
				}
				must.Equal(t, setIn(t, folder), want, "outputs")
				checkNothingLeft(t, folder)
			})
		}
	}
}

// releaseLocks replaces the locks in work folders, which a panic in this process has not released.
func releaseLocks(t *testing.T, folder string) {
	t.Helper()
	locks := must.Get(filepath.Glob(filepath.Join(folder, workPrefix+"*", lockName)))(t)
	for _, path := range locks {
		must.OK(t, os.Remove(path))
		must.OK(t, os.WriteFile(path, nil, 0o666))
	}
}

// TestSetIsNotForeign: an output that somebody made or changed, at any moment, stays, and so do all others.
func TestSetIsNotForeign(t *testing.T) {
	edit := func(t *testing.T, path string) {
		t.Helper()
		must.OK(t, os.WriteFile(path, []byte("edited"), 0o666))
	}
	t.Run("changed before", func(t *testing.T) {
		folder, s := newSet(t)
		edit(t, filepath.Join(folder, "removed"))
		must.Fail(0, s.Commit())(t, "removed is not replaced", "changed after")
		must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, "replaced")))(t)), "former",
			"another output")
	})
	t.Run("made before", func(t *testing.T) {
		folder, s := newSet(t)
		edit(t, filepath.Join(folder, "new"))
		must.Fail(0, s.Commit())(t, "new is not replaced")
		must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, "replaced")))(t)), "former",
			"another output")
	})
	t.Run("changed while others move aside", func(t *testing.T) {
		folder, s := newSet(t)
		path := filepath.Join(folder, "removed")
		onRename(t, func(_ int, from, _ string) error {
			if from == filepath.Join(folder, "replaced") {
				edit(t, path)
			}
			return nil
		})
		must.Fail(0, s.Commit())(t, "removed is not replaced", "changed after")
		must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "edited", "the changed file")
		must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(folder, "replaced")))(t)), "former",
			"another output")
	})
	t.Run("made while the others get their places", func(t *testing.T) {
		folder, s := newSet(t)
		path := filepath.Join(folder, "replaced")
		onRename(t, func(_ int, _, to string) error {
			if filepath.Base(to) == listCommitted {
				edit(t, path)
			}
			return nil
		})
		must.Fail(0, s.Commit())(t, path, "is in the way")
		s.Close()
		must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "edited", "the file in the way")
		must.Fail(new(Files).Folder(folder))(t, "in use")
		must.Fail(0, Sweep(folder))(t, path, "is in the way", "move it away")
		must.OK(t, os.Remove(path))
		must.OK(t, Sweep(folder))
		must.Equal(t, setIn(t, folder), formerSet, "outputs")
		checkNothingLeft(t, folder)
	})
}

// TestSetOnFullDisk: a disk without room, by an error and by a real one, changes nothing.
func TestSetOnFullDisk(t *testing.T) {
	t.Run("error", func(t *testing.T) {
		folder, s := newSet(t)
		real := sync
		defer func() { sync = real }()
		sync = func(path string, how int) error {
			if strings.HasSuffix(path, "link") {
				return &os.PathError{Op: "sync", Path: path, Err: syscall.ENOSPC}
			}
			return real(path, how)
		}
		must.Fail(0, s.Commit())(t, "no space left")
		s.Close()
		must.Equal(t, setIn(t, folder), formerSet, "outputs")
		checkNothingLeft(t, folder)
	})
	t.Run("disk", func(t *testing.T) {
		disk := t.TempDir()
		if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk).Run(); err != nil {
			t.Skipf("no tmpfs can be mounted here (that needs root): %v", err)
		}
		defer exec.Command("umount", disk).Run()
		path := filepath.Join(disk, "a")
		o := must.Get(new(Files).Output(path))(t)
		must.OK(t, o.Write(text("former")))
		s := must.Get(NewSet(disk, o))(t)
		_ = os.WriteFile(filepath.Join(s.Work, "a"), make([]byte, 1<<20), 0o666)
		must.Fail(0, s.Commit())(t, "no space left")
		s.Close()
		must.Equal(t, string(must.Get(os.ReadFile(path))(t)), "former", "the output")
		must.OK(t, Unchanged(path))
	})
}

// TestSetOfAnotherFolder: the list of a work folder that somebody made renames no file elsewhere.
func TestSetOfAnotherFolder(t *testing.T) {
	for _, name := range []string{"../stolen", "/etc/stolen", "..", "a/b", ""} {
		folder := t.TempDir()
		l := &list{Names: [][]byte{[]byte(name)}, work: filepath.Join(folder, workPrefix+"1")}
		must.OK(t, os.MkdirAll(l.path(formerFolder), 0o777))
		must.OK(t, os.WriteFile(filepath.Join(l.work, lockName), nil, 0o666))
		must.OK(t, l.write())
		must.Fail(0, Sweep(folder))(t, "another folder")
	}
}

// TestSetOfAnotherUser: what another user's run left is not touched, and the error says so.
func TestSetOfAnotherUser(t *testing.T) {
	folder, s := newSet(t)
	must.OK(t, os.MkdirAll(filepath.Join(s.Work, setFolder), 0o777))
	must.OK(t, (&list{Names: [][]byte{[]byte("new")}, work: s.Work}).write())
	if err := os.Chown(filepath.Join(s.Work, setFolder), 12345, -1); err != nil {
		t.Skipf("files cannot be given to another user here (that needs root): %v", err)
	}
	s.Close()
	must.Fail(0, Sweep(folder))(t, "another user")
	must.Equal(t, setIn(t, folder), formerSet, "outputs")
}

// TestSetOfLinkToAnotherDisk: a file that cannot be renamed to its place is refused before any work.
func TestSetOfLinkToAnotherDisk(t *testing.T) {
	folder, s := newSet(t)
	onRename(t, func(_ int, _, to string) error {
		if strings.Contains(to, "elsewhere") {
			return syscall.EXDEV
		}
		return nil
	})
	must.Fail(NewSet(folder, s.outputs...))(t, "link", "remove the link")
}

// TestKilledSet kills a process at many moments while it replaces sets of outputs.
func TestKilledSet(t *testing.T) {
	folder := t.TempDir()
	names := []string{"set-a", "set-b", "set-c"}
	for k := range 20 {
		kill := start(t, folder, "set")
		time.Sleep(time.Duration(k) * 300 * time.Microsecond)
		kill()
		release, err := new(Files).Folder(folder)
		must.Need(t, err == nil, "after %d: %v", k, err)
		release()
		contents := map[string]bool{}
		for _, name := range names {
			contents[string(must.Get(os.ReadFile(filepath.Join(folder, name)))(t))] = true
			must.OK(t, Unchanged(filepath.Join(folder, name)))
		}
		must.Need(t, len(contents) == 1, "after %d: files of %d runs", k, len(contents))
		checkNothingLeft(t, folder)
	}
}

// writeSets replaces a set of three outputs until the process is killed.
func writeSets(t *testing.T, folder string) {
	files := &Files{}
	must.Get(files.Folder(folder))(t)
	var outputs []*Output
	for _, name := range []string{"set-a", "set-b", "set-c"} {
		outputs = append(outputs, must.Get(files.Output(filepath.Join(folder, name)))(t))
	}
	for k := 0; ; k++ {
		s := must.Get(NewSet(folder, outputs...))(t)
		for _, o := range outputs {
			path := filepath.Join(s.Work, filepath.Base(o.Path()))
			must.OK(t, os.WriteFile(path, []byte(fmt.Sprint("run ", os.Getpid(), k)), 0o666))
		}
		must.OK(t, s.Commit())
		s.Close()
		fmt.Println("ready")
	}
}
