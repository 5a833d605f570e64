// SPDX-License-Identifier: BSD-3-Clause

package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Tree has files of a folder, and of folders in it, that get their places together. They are made in a work
// folder under the names that they have in the folder, and are renamed when all are complete and flushed.
//
// Between the renames, a kill leaves some of them at their places. That needs no journal, unlike a Set,
// because all files of one name must have the same content, whichever process made them: a file that is
// written after them, such as the mark of a task, says that they are complete.
type Tree struct {
	Folder string // of the places
	Work   string // folder of Workspace in which they are made
}

// treeFolder is the folder in Work that stands for Folder.
const treeFolder = "tree"

// Path returns the path at which the file of a name is made.
func (t Tree) Path(name string) string { return filepath.Join(t.Work, treeFolder, name) }

// New returns the path at which the file of a name is made, in a folder that exists.
func (t Tree) New(name string) (string, error) {
	path := t.Path(name)
	return path, os.MkdirAll(filepath.Dir(path), 0o777)
}

// Make makes a file by body, and flushes it.
func (t Tree) Make(name string, body func(to io.Writer) error) error {
	path, err := t.New(name)
	if err != nil {
		return err
	}
	return Stage(path, filepath.Join(t.Folder, name), body)
}

// Size returns the size of a file: of one that is made, else of the one at its place.
func (t Tree) Size(name string) (int64, error) {
	info, err := os.Stat(t.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(filepath.Join(t.Folder, name))
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Place gives all files that are made their places.
func (t Tree) Place() error {
	top := t.Path("")
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // no files
		}
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		to := filepath.Join(t.Folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return Move(path, to)
	})
}

// PlaceLast gives one more file its place, when all others are on the disk in theirs.
func (t Tree) PlaceLast(name string, content []byte) error {
	place := filepath.Join(t.Folder, name)
	made := filepath.Join(t.Work, "last-"+filepath.Base(name))
	if err := Stage(made, place, Bytes(content)); err != nil {
		return err
	}
	FlushFolder(filepath.Dir(place))
	if err := Move(made, place); err != nil {
		return err
	}
	FlushFolder(filepath.Dir(place))
	return nil
}
