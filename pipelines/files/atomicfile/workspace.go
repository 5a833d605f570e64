// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Prefix of the name of folders for temporary files, bytes of the hexadecimal digits behind it, and name of a file in
// them that is locked as long as the owner process runs.
const (
	workPrefix = ".superpoint-work-"
	workBytes  = 8
	lockName   = "owner.lock"
)

// Workspace makes a folder for temporary files in parent; done removes it. It first removes folders of processes that
// were killed.
func Workspace(parent string) (folder string, done func(), err error) {
	Sweep(parent)
	for {
		digits := make([]byte, workBytes)
		rand.Read(digits) // never fails
		folder = filepath.Join(parent, workPrefix+hex.EncodeToString(digits))
		if err := os.Mkdir(folder, 0o777); err != nil {
			return "", func() {}, err
		}
		lock := flock.New(filepath.Join(folder, lockName), flock.SetFlag(os.O_CREATE|os.O_RDWR))
		locked, err := lock.TryLock()
		if err == nil && (!locked || !isFileOf(lock)) || errors.Is(err, fs.ErrNotExist) {
			_ = lock.Close() // Sweep of another process took the folder, which was not locked yet
			continue
		}
		if err != nil && !noLocks(err) {
			os.Remove(folder)
			return "", func() {}, err
		}
		return folder, func() {
			os.RemoveAll(folder)
			_ = lock.Close()
			os.RemoveAll(folder) // Windows removes no open file
		}, nil
	}
}

// Sweep removes the folders of Workspace in parent whose process has ended, even by SIGKILL: the system releases a lock
// when its owner ends, however it ends.
func Sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, is := strings.CutPrefix(e.Name(), workPrefix)
		if _, err := hex.DecodeString(digits); !is || !e.IsDir() || err != nil || len(digits) != 2*workBytes {
			continue
		}
		folder := filepath.Join(parent, e.Name())
		lock := flock.New(filepath.Join(folder, lockName), flock.SetFlag(os.O_RDWR))
		info, err := os.Lstat(lock.Path())
		if errors.Is(err, fs.ErrNotExist) {
			os.Remove(folder) // only if it is empty: its owner has not locked it yet, or ended before
		}
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if locked, _ := lock.TryLock(); locked {
			os.RemoveAll(folder)
			_ = lock.Close()
			os.RemoveAll(folder) // Windows removes no open file
		}
	}
}

// Move renames a temporary file to the temporary name that File passes.
func Move(from, to string) error { return os.Rename(from, to) }

// Alias links an input under another name, in a folder for temporary files, for
// libraries that cannot open its own name.
func Alias(input, name string) error { return os.Symlink(input, name) }
