package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Prefix of the name of folders for temporary files, and name of a file in them that is
// locked as long as the owner process runs.
const (
	workPrefix = ".superpoint-work-"
	lockName   = "owner.lock"
)

// Folder creates a folder. undo removes it, and its parents that did not exist, unless they have files.
func Folder(path string) (undo func(), err error) {
	var made []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !os.IsNotExist(err) {
			break
		}
		made = append(made, at)
	}
	undo = func() {
		for _, at := range made {
			_ = os.Remove(at) // fails if it has files
		}
	}
	return undo, os.MkdirAll(path, 0o777)
}

// Workspace makes a folder for temporary files in parent; done removes it. It first
// removes folders of processes that were killed, even by SIGKILL: the system releases a
// lock when its owner ends, however it ends.
func Workspace(parent string) (folder string, done func(), err error) {
	sweep(parent)
	digits := make([]byte, 8)
	rand.Read(digits) // never fails
	folder = filepath.Join(parent, workPrefix+hex.EncodeToString(digits))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", func() {}, err
	}
	lock, err := os.OpenFile(filepath.Join(folder, lockName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		os.Remove(folder)
		return "", func() {}, err
	}
	hold(lock) // on systems without locks no folder is removed by others
	return folder, func() {
		os.RemoveAll(folder)
		lock.Close()
		os.Remove(lock.Name()) // on Windows, open files cannot be removed
		os.Remove(folder)
	}, nil
}

// young is the age below which a folder is not removed, as its owner may not have locked
// it yet.
const young = time.Minute

// sweep removes the folders in parent whose owner has ended.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), workPrefix) && abandoned(filepath.Join(parent, e.Name(), lockName)) {
			os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// Move renames a temporary file to the temporary name that File passes.
func Move(from, to string) error { return os.Rename(from, to) }

// Alias links an input under another name, in a folder for temporary files, for
// libraries that cannot open its own name.
func Alias(input, name string) error { return os.Symlink(input, name) }
