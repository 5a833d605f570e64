package whole

import (
	"os"
	"path/filepath"
	"strconv"
)

// asItIs returns how to open what is written to as it is: devices, pipes, and
// files that this process was given open, such as /dev/stdout. It is nil for
// everything else.
func asItIs(path string) func() (*os.File, error) {
	if n, ok := descriptor(path); ok {
		return func() (*os.File, error) { return duplicate(n, path) }
	}
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
}

// descriptor tells whether a path is one of the files that this process has
// open: /dev/stdout, /dev/fd/3, /proc/self/fd/3. Opened by its name, a file would
// be written from its beginning, whatever is there.
func descriptor(path string) (n int, ok bool) {
	own, err := filepath.EvalSymlinks("/proc/self/fd")
	if err != nil {
		return 0, false
	}
	for range mostLinks {
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && folder == own {
			n, err := strconv.Atoi(filepath.Base(path))
			return n, err == nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return 0, false
		}
		path = from(path, to)
	}
	return 0, false
}
