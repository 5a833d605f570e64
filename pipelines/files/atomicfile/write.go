// SPDX-License-Identifier: BSD-3-Clause

// Package atomicfile opens the outputs of all commands. An output is never one of the command's inputs
// (Files), and never incomplete: it is written in a temporary folder beside its path, flushed to the disk,
// and renamed when it is complete. After an error, a full disk or an interrupt, the previous file is
// unchanged. A file that superpoint did not write, or that was changed since, is not replaced (see record). A
// point cloud is replaced by point clouds only. Outputs that belong together appear together (Set).
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
	"strings"
)

// Write writes a file of the program itself by body, without a record. A symbolic link is kept: its target is
// written. The new file has the permissions of the one that it replaces. Devices and pipes are refused,
// because the rename would replace them by a file.
func Write(path string, body func(w io.Writer) error) error {
	return file(path, create(context.Background(), body), nil)
}

// Stage makes a file in a work folder by body, and flushes it. place is the path to which it will be renamed:
// errors name it.
func Stage(path, place string, body func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		err = errors.Join(cmp.Or(body(f), f.Sync()), f.Close())
	}
	var failed *fs.PathError
	if errors.As(err, &failed) && failed.Path == path {
		return fmt.Errorf("%s cannot be written: %w", place, cause(err))
	}
	return err
}

// FlushFolder flushes the entries of a folder, which is not possible on all systems.
func FlushFolder(folder string) { _ = sync(folder, os.O_RDONLY) }

// Bytes returns the body of a file with some content.
func Bytes(content []byte) func(w io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(content); return err }
}

// create returns a function that creates a file by body, which fails once ctx is cancelled.
func create(ctx context.Context, body func(w io.Writer) error) func(temporary string) error {
	return func(temporary string) error {
		f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		return cmp.Or(body(writer{ctx, f}), f.Close())
	}
}

// file is Write for a body that creates the file itself, as libraries do that take a path: temporary is an
// unused path on the same disk and with the same extension, in a folder that has no other files. It fails if
// the disk is full after body. An output gets a record.
func file(path string, body func(temporary string) error, of *Output) error {
	path, err := target(path)
	if err != nil {
		return err
	}
	folder, done, err := Workspace(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	defer done()
	temporary := filepath.Join(folder, filepath.Base(path))
	err = body(temporary)
	if err = cmp.Or(Room(folder), err); err == nil {
		err = replace(path, temporary, of)
	}
	var failed *fs.PathError
	var moved *os.LinkError
	if errors.As(err, &failed) && strings.HasPrefix(failed.Path, folder) || errors.As(err, &moved) {
		return fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	return err
}

// Room fails if the disk of a folder is full. GDAL and PDAL may write part of a file then, and report no
// error.
func Room(folder string) error {
	probe := filepath.Join(folder, "room")
	defer os.Remove(probe)
	return os.WriteFile(probe, make([]byte, 4096), 0o600)
}

// target returns the path that links lead to, even if there is no file yet. It returns an
// error for folders, devices and pipes.
func target(path string) (string, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder; name a file in it", path)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is a pipe or a device, and the output is a file; name a file", path)
	}
	const mostLinks = 40 // as many as Linux follows
	for range mostLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			folder := filepath.Dir(path)
			if real, err := filepath.EvalSymlinks(folder); err == nil {
				folder = real // .. in the target is the parent of the real folder
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// complete prepares a temporary file for the place of path: it flushes it to the disk, and gives it the
// permissions of the file there.
func complete(temporary, path string) error {
	if isCloud(path) && !isCloud(temporary) {
		return fmt.Errorf("%s is a point cloud, and the output is none; name another output", path)
	}
	if err := sync(temporary, os.O_RDWR); err != nil { // Windows flushes only files open for writing
		return err
	}
	mode, err := newMode(filepath.Dir(temporary))
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return os.Chmod(temporary, mode)
}

// newMode returns the permissions of new files in a folder, by the umask: libraries, such as SQLite for
// GeoPackages, give other ones.
func newMode(folder string) (fs.FileMode, error) {
	probe := filepath.Join(folder, ".mode")
	f, err := os.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	defer os.Remove(probe)
	info, err := f.Stat()
	if err := cmp.Or(err, f.Close()); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// replace renames a complete temporary file to path, with a record if it is an output.
func replace(path, temporary string, of *Output) error {
	if err := complete(temporary, path); err != nil {
		return err
	}
	if of != nil {
		if err := of.ready(); err != nil {
			return err
		}
		if err := of.record(temporary, path); err != nil {
			return err
		}
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	if of != nil {
		of.done = true
	}
	_ = sync(filepath.Dir(path), os.O_RDONLY) // the folder's entry, too; not possible on all systems
	return nil
}

// isCloud reports whether a file is LAS, LAZ or COPC.
func isCloud(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "LASF"
}

// sync flushes a file or folder to the disk; a variable for tests.
var sync = func(path string, how int) error {
	f, err := os.OpenFile(path, how, 0)
	if err != nil {
		return err
	}
	return cmp.Or(f.Sync(), f.Close())
}

// cause returns an error of the system without its paths.
func cause(err error) error {
	var failed *fs.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &failed):
		return failed.Err
	case errors.As(err, &moved):
		return moved.Err
	}
	return err
}

// writer returns the context's error once that is cancelled.
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
