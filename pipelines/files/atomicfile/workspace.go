// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Prefix of the name of folders for temporary files, and name of a file in them that is locked as long as the owner
// process runs.
const (
	workPrefix = ".superpoint-work-"
	lockName   = "owner.lock"
)

// Workspace makes a folder for temporary files in parent; done removes it. It first removes folders of processes that
// were killed.
func Workspace(parent string) (folder string, done func(), err error) {
	Sweep(parent)
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

func discard(folder string, l *flock.Flock) {
	os.RemoveAll(folder)
	_ = l.Close()
	os.RemoveAll(folder) // Windows removes no open file
}

// Sweep removes the folders of Workspace in parent whose process has ended, even by SIGKILL: the system releases a lock
// when its owner ends, however it ends.
func Sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), workPrefix) {
			continue
		}
		folder := filepath.Join(parent, e.Name())
		path := filepath.Join(folder, lockName)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			os.Remove(folder) // only if it is empty: its owner has not locked it yet, or ended before
		}
		if err == nil && info.Mode().IsRegular() {
			if l, err := lock(path, false); err == nil {
				discard(folder, l)
			}
		}
	}
}

// Move renames a temporary file to the temporary name that File passes.
func Move(from, to string) error { return os.Rename(from, to) }

// Alias links an input under another name, in a folder for temporary files, for
// libraries that cannot open its own name.
func Alias(input, name string) error { return os.Symlink(input, name) }
