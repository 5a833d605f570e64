// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/pipelines/files/atomicfile"
)

// The files of a task appear together. A task makes them in a work folder, under the names that they have in
// the folder of the survey. When all are complete and flushed they are renamed to their places, and then its
// mark is. If the process is killed or the disk is full before, the work folder is removed, by the next run
// at the latest.
//
// Between the renames, a kill leaves files without their mark: the task runs again, and replaces them. That
// needs no journal, unlike results of different runs (atomicfile.Set): all files of one name of a plan have
// the same content.

// stagedFolder is the folder in the work folder of a task that stands for the folder of the survey.
const stagedFolder = "survey"

// staged returns the path at which the file of a task is made.
func (v *Survey) staged(path string) string { return filepath.Join(v.work, stagedFolder, v.name(path)) }

// name returns the path of a file in the folder of the survey.
func (v *Survey) name(path string) string {
	name, err := filepath.Rel(v.folder, path)
	if err != nil { // not of this folder
		return path
	}
	return name
}

// title returns the survey and the name of a file, for its seal.
func (v *Survey) title(path string) string { return v.sum + " " + filepath.ToSlash(v.name(path)) }

// stage makes a file of a task.
func (v *Survey) stage(path string, body func(to io.Writer) error) error {
	staged := v.staged(path)
	if err := os.MkdirAll(filepath.Dir(staged), 0o777); err != nil {
		return err
	}
	return atomicfile.Stage(staged, path, body)
}

// addFile adds a file to the mark: one that a task has made, or one at its place.
func (v *Survey) addFile(m *Mark, path string) error {
	info, err := os.Stat(v.staged(path))
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(path)
	}
	if err != nil {
		return err
	}
	m.Files[filepath.ToSlash(v.name(path))] = info.Size()
	return nil
}

// save makes a file of arrays and adds it to the mark.
func (v *Survey) save(m *Mark, path string, arrays []any) (sum uint32, err error) {
	return v.saveBlocks(m, path, 1, func(int) ([]any, []float64) { return arrays, nil })
}

// saveBlocks makes a file of blocks and adds it to the mark.
func (v *Survey) saveBlocks(m *Mark, path string, count int, block func(k int) ([]any, []float64)) (
	uint32, error) {
	sum, err := v.stageBlocks(path, count, block)
	if err == nil {
		err = v.addFile(m, path)
	}
	return sum, err
}

// stageBlocks makes a file of blocks, and returns its checksum.
func (v *Survey) stageBlocks(path string, count int, block func(k int) ([]any, []float64)) (
	sum uint32, err error) {
	err = v.stage(path, func(to io.Writer) (err error) {
		sum, err = writeBlocks(to, v.title(path), count, block)
		return err
	})
	return sum, err
}

// readBlocks reads blocks of a file of this survey, see readBlocks.
func (v *Survey) readBlocks(path string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	return readBlocks(path, v.title(path), numbers, want, arrays, see)
}

// readArrays reads a file of arrays of the same types.
func (v *Survey) readArrays(path string, arrays []any) error {
	every := func(int, []float64) bool { return true }
	return v.readBlocks(path, 0, every, arrays, func(int) error { return nil })
}

// placeFiles renames the files of a task to their places.
func (v *Survey) placeFiles() error {
	top := filepath.Join(v.work, stagedFolder)
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
		return atomicfile.Move(path, v.Path(name))
	})
}

// placeMark writes the mark of a task whose files are at their places.
func (v *Survey) placeMark(m *Mark) error {
	path := v.file(m.Step, m.Number, "json")
	made := filepath.Join(v.work, "mark-"+strconv.Itoa(m.Number))
	text, err := jsonOf(m)
	if err == nil {
		err = atomicfile.Stage(made, path, atomicfile.Bytes(text))
	}
	if err != nil {
		return err
	}
	atomicfile.FlushFolder(v.Path(m.Step)) // the files are on the disk before their mark
	if err := atomicfile.Move(made, path); err != nil {
		return err
	}
	atomicfile.FlushFolder(v.Path(m.Step))
	return nil
}
