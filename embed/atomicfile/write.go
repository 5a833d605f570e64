// Package atomicfile is the one place that opens outputs. An output is never one of a
// command's inputs (Files), and is there whole or not at all: it is written in a
// temporary folder beside its place, flushed to the disk, and renamed when it is
// complete. After an error, a full disk or an interrupt what was there before is
// there still.
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
	"strconv"
)

// Write writes a file by body. Where path is a device, a pipe or the like it is
// written to as it is, because a rename would put a file in its place; a
// symbolic link keeps leading where it leads. An existing file keeps its
// permissions.
func Write(path string, body func(w io.Writer) error) error {
	return write(context.Background(), path, body)
}

// File is Write for a body that makes the file itself, as libraries do that take
// a name: it is given a temporary name, free to use, on the disk of path and with
// the same ending. The folder of that name is the body's own. It refuses devices and
// pipes: the rename would put a file in their place.
func File(path string, body func(temporary string) error) error {
	if asItIs(path) != nil {
		return fmt.Errorf("%s is a pipe or a device, and the output is a file; name a file", path)
	}
	path, err := target(path)
	if err != nil {
		return err
	}
	return replace(path, body)
}

func write(ctx context.Context, path string, body func(w io.Writer) error) error {
	if open := asItIs(path); open != nil {
		f, err := open()
		if err != nil {
			return err
		}
		return cmp.Or(body(writer{ctx, f}), f.Close())
	}
	path, err := target(path)
	if err != nil {
		return err
	}
	return replace(path, func(temporary string) error {
		f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		return cmp.Or(body(writer{ctx, f}), f.Close())
	})
}

// target follows links, also one that leads to nothing yet, and refuses folders.
func target(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder; name a file in it", path)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for range mostLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		path = from(path, to)
	}
	return "", fmt.Errorf("%s: too many links", path)
}

const mostLinks = 40 // as many as Linux follows

// from returns where a link leads.
func from(link, to string) string {
	if filepath.IsAbs(to) {
		return to
	}
	folder := filepath.Dir(link)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real // its .. is not the name's before it
	}
	return filepath.Join(folder, to)
}

// replace has body make a file and renames it to path.
func replace(path string, body func(temporary string) error) error {
	folder, done, err := Workspace(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	defer done()
	temporary := filepath.Join(folder, filepath.Base(path))
	if err := body(temporary); err != nil {
		return named(path, folder, err)
	}
	if err := keep(temporary, path); err != nil {
		return named(path, folder, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return named(path, folder, err)
	}
	flush(filepath.Dir(path), os.O_RDONLY) // the name, too; some systems cannot
	return nil
}

// keep flushes a file to the disk and gives it the permissions of the one that it
// will replace.
func keep(temporary, path string) error {
	if err := flush(temporary, os.O_RDWR); err != nil { // Windows flushes only what is open for writing
		return err
	}
	if info, err := os.Stat(path); err == nil {
		return os.Chmod(temporary, info.Mode().Perm())
	}
	return nil
}

func flush(path string, how int) error {
	f, err := os.OpenFile(path, how, 0)
	if err != nil {
		return err
	}
	return cmp.Or(f.Sync(), f.Close())
}

// named says path where an error of the system says a temporary name.
func named(path, folder string, err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) && filepath.Dir(failed.Path) == folder {
		return fmt.Errorf("%s cannot be written: %w", path, failed.Err)
	}
	var moved *os.LinkError
	if errors.As(err, &moved) {
		return fmt.Errorf("%s cannot be written: %w", path, moved.Err)
	}
	return err
}

// cause is what the system says, without a name.
func cause(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// writer ends when the user interrupts.
type writer struct {
	ctx context.Context
	to  io.Writer
}

func (w writer) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(b)
}

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

// descriptor reports whether a path is one of the files that this process has
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
