// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// suffixes are the endings of files that commands read or write.
func suffixes() []string {
	return []string{".bpf", ".csv", ".e57", ".fgb", ".geojson", ".gml", ".gpkg", ".html", ".jpg", ".json",
		".kml", ".las",
		".laz", ".md", ".parquet", ".pcd", ".pdf", ".ply", ".png", ".pts", ".safetensors", ".shp", ".sqlite",
		".stl", ".svg",
		".tif", ".tiff", ".txt", ".vpc", ".xyz", ".yaml", ".zip"}
}

// Folder registers a folder of outputs, makes it if its parent exists, and locks it: a second run on it
// fails. release unlocks it, and removes it if Folder made it and it is empty. The option --force does not
// affect outputs in it.
func (f *Files) Folder(path string) (release func(), err error) {
	path = filepath.Clean(path)
	made, err := makeFolder(path)
	if err != nil {
		return nil, err
	}
	undo := func() {
		if made {
			_ = os.Remove(path) // fails if it has files
		}
	}
	unlock, err := Lock(path, false)
	if err != nil {
		undo()
		return nil, err
	}
	if err := Sweep(path); err != nil {
		unlock()
		return nil, err
	}
	f.Inside(path)
	return func() { unlock(); undo() }, nil
}

// Inside registers a folder whose outputs are not affected by Force.
func (f *Files) Inside(path string) { f.folders = append(f.folders, locate(path)) }

// makeFolder makes a folder for outputs, unless it exists.
func makeFolder(path string) (made bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return false, nil
	case err == nil:
		return false, fmt.Errorf("%s is a file, and the output is a folder; name a folder", path)
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	case slices.Contains(suffixes(), strings.ToLower(filepath.Ext(path))):
		return false, fmt.Errorf("%s has the suffix of a file, and the output is a folder; name a folder",
			path)
	}
	if err := checkParent(path); err != nil {
		return false, err
	}
	if err := os.Mkdir(path, 0o777); err != nil {
		return false, fmt.Errorf("the folder %s cannot be made: %w; name one where you may write",
			path, cause(err))
	}
	return true, nil
}

// checkParent returns an error if the folder of a path does not exist. Commands make one level of folders at
// most, so that a mistyped path is not made.
func checkParent(path string) error {
	folder, _ := filepath.Split(path) // as written: .. after a link is not the folder of the link
	if folder == "" {
		return nil
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no folder %s; make it first, or correct the path",
			path, folder)
	}
	return nil
}

// folderLock is the name of the lock file in a folder of outputs.
const folderLock = ".superpoint.lock"

// Lock locks a folder, shared with others that lock it shared, or alone. It fails if another process has
// locked it. The system releases the lock when the process ends, however it ends. On file systems without
// locks it does nothing.
func Lock(folder string, shared bool) (release func(), err error) {
	path := filepath.Join(folder, folderLock)
	for {
		l, err := lock(path, shared)
		switch {
		case err == errGone:
			continue
		case err == errInUse:
			return nil, fmt.Errorf("%s %w", folder, err)
		case err != nil && !noLocks(err):
			return nil, fmt.Errorf("%s cannot be locked: %w; if no run uses the folder, remove %s", folder,
				cause(err), path)
		}
		return func() {
			removed := shared || os.Remove(path) == nil // others may hold a shared lock, too
			_ = l.Close()
			if !removed {
				_ = os.Remove(path) // Windows removes no open file
			}
		}, nil
	}
}

var (
	errInUse = errors.New("is in use by another run of superpoint; wait for its end, or name another folder")
	errGone  = errors.New("the previous holder of a lock has removed its file")
)

// lock locks a file, which it makes if there is none. A run of another user that was killed leaves a file
// that this user may only read: NFS locks a file alone only if it is open for writing, but other systems lock
// it all the same.
func lock(path string, shared bool) (*flock.Flock, error) {
	if shared {
		return lockFile(path, shared, os.O_CREATE|os.O_RDONLY)
	}
	l, err := lockFile(path, shared, os.O_CREATE|os.O_RDWR)
	if !errors.Is(err, fs.ErrPermission) {
		return l, err
	}
	if l, readable := lockFile(path, shared, os.O_RDONLY); readable == nil || readable == errInUse ||
		readable == errGone {
		return l, readable
	}
	return nil, err
}

// lockFile opens and locks a file.
func lockFile(path string, shared bool, how int) (*flock.Flock, error) {
	l := flock.New(path, flock.SetPermissions(0o666), flock.SetFlag(how))
	try := l.TryLock
	if shared {
		try = l.TryRLock
	}
	locked, err := try()
	if err == nil && !locked {
		err = errInUse
	}
	if err == nil {
		held, _ := l.Stat()
		if there, failed := os.Stat(path); failed != nil || !os.SameFile(held, there) {
			err = errGone
		}
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// noLocks reports whether a file system has no locks, or is one of a network without a lock service.
func noLocks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK)
}

// Prefix of the name of folders for temporary files, and name of a file in them that is locked as long as the
// owner process runs.
const (
	workPrefix = ".superpoint-work-"
	lockName   = "owner.lock"
)

// Workspace makes a folder for temporary files in parent; done removes it. It first removes folders of
// processes that were killed.
func Workspace(parent string) (folder string, done func(), err error) {
	_ = Sweep(parent) // only runs on a whole folder need that former ones are ended
	for {
		if folder, err = os.MkdirTemp(parent, workPrefix); err != nil {
			return "", func() {}, err
		}
		l, err := lock(filepath.Join(folder, lockName), false)
		switch taken := err == errInUse || err == errGone || errors.Is(err, fs.ErrNotExist); {
		case err == nil || noLocks(err):
			return folder, func() { discard(folder, l) }, nil
		case !taken: // by Sweep of another process, as it was not locked yet
			os.Remove(folder)
			return "", func() {}, err
		}
	}
}

// Within makes a new folder in a work folder, for one try of several, or copies of inputs.
func Within(work, prefix string) (folder string, err error) { return os.MkdirTemp(work, prefix) }

// IsTemporary reports whether a path is in a folder of Workspace.
func IsTemporary(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/"+workPrefix)
}

// Temporary makes such a folder among the temporary files of the system.
func Temporary() (folder string, done func(), err error) {
	if folder, done, err = Workspace(os.TempDir()); err != nil {
		err = fmt.Errorf(
			"temporary files cannot be written: %w; set TMPDIR to a folder that can be written to", err)
	}
	return folder, done, err
}

// discard removes a work folder, unless it has results of an unfinished set.
func discard(folder string, l *flock.Flock) {
	left, _, err := unfinished(folder)
	if left != nil || err != nil {
		_ = l.Close()
		return
	}
	removeTree(folder)
	_ = l.Close()
	removeTree(folder) // Windows removes no open file
}

// removeTree removes a folder with all that is in it. The file of the lock is the last: if the process is
// killed before, Sweep finds it, and knows that the folder's process has ended. Unlike os.RemoveAll it does
// not read the parent, which may be a folder that this user may write to and not list.
func removeTree(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.Name() != lockName {
			removeAll(filepath.Join(folder, e.Name()))
		}
	}
	removeAll(filepath.Join(folder, lockName))
	os.Remove(folder)
}

// removeAll is a variable for tests.
var removeAll = os.RemoveAll

// Sweep removes the folders of Workspace in parent whose process has ended, even by SIGKILL: the system
// releases a lock when its owner ends, however it ends. It first ends what such a process began to commit
// (see Set), and keeps the folder if that fails, with an error.
func Sweep(parent string) (failed error) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), workPrefix) {
			failed = cmp.Or(failed, sweep(filepath.Join(parent, e.Name())))
		}
	}
	return failed
}

// sweep removes one folder of Workspace if its process has ended.
func sweep(folder string) error {
	path := filepath.Join(folder, lockName)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		os.Remove(folder) // only if it is empty: its owner has not locked it yet, or ended before
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	l, err := lock(path, false)
	if err != nil {
		return nil // its process runs, or it is another user's
	}
	defer discard(folder, l)
	return finishSet(folder)
}

// Move moves a temporary file to the temporary name that File passes, which is on another disk if the output
// is a link.
func Move(from, to string) error {
	err := rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return create(context.Background(), func(w io.Writer) error { _, err := io.Copy(w, f); return err })(to)
}

// rename is a variable for tests.
var rename = os.Rename

// Alias links an input under another name, in a folder for temporary files, for
// libraries that cannot open its own name.
func Alias(input, name string) error { return os.Symlink(input, name) }
