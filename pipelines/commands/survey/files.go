// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"io"
	"path/filepath"

	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/job"
)

// The files of a task appear together, see atomicfile.Tree: all files of one name of a plan have the same
// content, and the mark of the task has its place last. If the process is killed or the disk is full before,
// the work folder is removed, by the next run at the latest, and the task is done again.

// addFile adds a file to the mark: one that a task has made, or one at its place.
func (v *Survey) addFile(m *Mark, path string) error {
	size, err := v.tree().Size(v.name(path))
	if err != nil {
		return err
	}
	m.Files[filepath.ToSlash(v.name(path))] = size
	return nil
}

// placeMark writes the mark of a task whose files are at their places.
func (v *Survey) placeMark(m *Mark) error {
	return job.Commit(v.tree(), v.name(v.file(m.Step, m.Number, "json")), m)
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
	err = v.tree().Make(v.name(path), func(to io.Writer) (err error) {
		sum, err = blocks.Write(to, v.title(path), count, block)
		return err
	})
	return sum, err
}

// readBlocks reads blocks of a file of this survey, see blocks.Read.
func (v *Survey) readBlocks(path string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	return blocks.Read(path, v.title(path), numbers, want, arrays, see)
}

// readArrays reads a file of arrays of the same types.
func (v *Survey) readArrays(path string, arrays []any) error {
	every := func(int, []float64) bool { return true }
	return v.readBlocks(path, 0, every, arrays, func(int) error { return nil })
}
