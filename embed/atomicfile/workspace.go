package atomicfile

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folders for temporary files are called so, and hold a file that is locked as
// long as their owner runs.
const (
	workPrefix = ".superpoint-work-"
	lockName   = "owner.lock"
)

// Workspace makes a folder for temporary files in parent; done removes it. What
// processes left there that were killed, even by SIGKILL, the next one removes:
// the system gives up a lock when its owner ends, however it ends.
func Workspace(parent string) (folder string, done func(), err error) {
	sweep(parent)
	digits := make([]byte, 8)
	rand.Read(digits) // never fails
	folder = filepath.Join(parent, workPrefix+hex.EncodeToString(digits))
	if err := os.Mkdir(folder, 0o777); err != nil {
		return "", nil, err
	}
	lock, err := os.OpenFile(filepath.Join(folder, lockName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		os.Remove(folder)
		return "", nil, err
	}
	hold(lock) // where the system has no locks nothing is ever swept
	return folder, func() {
		os.RemoveAll(folder)
		lock.Close()
		os.Remove(lock.Name()) // Windows removes no file that is open
		os.Remove(folder)
	}, nil
}

// young is how long a folder is left alone, as its owner may not have locked it yet.
const young = time.Minute

// sweep removes the folders in parent whose owner is gone.
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

// Move gives a temporary file the temporary name that File has asked for.
func Move(from, to string) error { return os.Rename(from, to) }

// Alias gives an input another name, in a folder for temporary files, for
// libraries that cannot take its own.
func Alias(input, name string) error { return os.Symlink(input, name) }
