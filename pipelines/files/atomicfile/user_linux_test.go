// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"superpoint/testdata/must"
)

// asNobody runs body with the rights to files of the user nobody, which only root can do. Other goroutines
// keep theirs.
func asNobody(t *testing.T, body func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("files are read as another user by root only")
	}
	const nobody = 65534
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	setUser := func(id uintptr) { _, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, id, 0, 0) }
	setUser(nobody)
	defer setUser(0)
	body()
}

// openFolder makes a folder in which everybody may write.
func openFolder(t *testing.T, mode fs.FileMode) string {
	t.Helper()
	root := t.TempDir()
	for folder := root; folder != os.TempDir(); folder = filepath.Dir(folder) {
		must.OK(t, os.Chmod(folder, 0o755))
	}
	folder := filepath.Join(root, "team")
	must.OK(t, os.Mkdir(folder, 0o777))
	must.OK(t, os.Chmod(folder, mode))
	return folder
}

// TestFolderThatCannotBeListed: temporary files are removed from a folder in which a user may write and not
// read.
func TestFolderThatCannotBeListed(t *testing.T) {
	folder := openFolder(t, 0o333)
	asNobody(t, func() {
		must.Fail(os.ReadDir(folder))(t, "permission denied")
		work, done, err := Workspace(folder)
		must.OK(t, err)
		must.OK(t, os.MkdirAll(filepath.Join(work, "a", "b"), 0o777))
		must.OK(t, os.WriteFile(filepath.Join(work, "a", "b", "file"), nil, 0o666))
		done()
		o := must.Get(new(Files).Output(filepath.Join(folder, "out.csv")))(t)
		must.OK(t, o.Write(text("result")))
	})
	var names []string
	for _, e := range must.Get(os.ReadDir(folder))(t) {
		names = append(names, e.Name())
	}
	must.Equal(t, names, []string{".out.csv.superpoint", "out.csv"}, "files in the folder")
}

// TestLockOfAnotherUser: the lock file of a user whose run was killed does not keep others from the folder,
// and that of a run does.
func TestLockOfAnotherUser(t *testing.T) {
	folder := openFolder(t, 0o777)
	path := filepath.Join(folder, folderLock)
	must.OK(t, os.WriteFile(path, nil, 0o644))
	asNobody(t, func() {
		must.Fail(os.OpenFile(path, os.O_RDWR, 0))(t, "permission denied")
		release := must.Get(Lock(folder, false))(t)
		must.Fail(Lock(folder, false))(t, "in use by another run")
		release()
	})
	must.OK(t, os.WriteFile(path, nil, 0o644))
	release := must.Get(Lock(folder, false))(t)
	asNobody(t, func() { must.Fail(Lock(folder, false))(t, "in use by another run") })
	release()
	must.OK(t, os.WriteFile(path, nil, 0o600))
	asNobody(t, func() {
		must.Fail(Lock(folder, false))(t, "permission denied", "if no run uses the folder, remove "+path)
	})
}

// TestModesOfOutputs: new files have the permissions that the umask says, whatever a library gave them; a
// file that is replaced keeps its own, and folders are as open as files.
func TestModesOfOutputs(t *testing.T) {
	for _, mask := range []int{0o002, 0o022, 0o027, 0o077} {
		func() {
			defer syscall.Umask(syscall.Umask(mask))
			folder := filepath.Join(t.TempDir(), "results")
			files := new(Files)
			release := must.Get(files.Folder(folder))(t)
			defer release()
			narrow := must.Get(files.Output(filepath.Join(folder, "a.gpkg")))(t)
			must.OK(t,
				narrow.File(func(temporary string) error { return os.WriteFile(temporary, nil, 0o600) }))
			plain := must.Get(files.Output(filepath.Join(folder, "b.csv")))(t)
			must.OK(t, plain.Write(text("b")))
			for name, full := range map[string]fs.FileMode{"": 0o777, "a.gpkg": 0o666, "b.csv": 0o666,
				".b.csv.superpoint": 0o666} {
				want := full &^ fs.FileMode(mask)
				got := must.Get(os.Stat(filepath.Join(folder, name)))(t).Mode().Perm()
				must.Hold(t, got == want, "umask %03o: %q has the permissions %03o, not %03o", mask,
					name, got, want)
			}
			must.OK(t, os.Chmod(filepath.Join(folder, "b.csv"), 0o604))
			must.OK(t, plain.Write(text("c")))
			kept := must.Get(os.Stat(filepath.Join(folder, "b.csv")))(t).Mode().Perm()
			must.Hold(t, kept == 0o604, "umask %03o: permissions %03o of a file that is replaced", mask, kept)
		}()
	}
}
