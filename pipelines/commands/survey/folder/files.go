// SPDX-License-Identifier: BSD-3-Clause

package folder

import (
	"io"
	"path/filepath"

	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/job"
)

// The files of a task appear together, see atomicfile.Tree: all files of one name of a plan have the same
// content, and the mark of the task has its place last. If the process is killed or the disk is full before,
// the work folder is removed, by the next run at the latest, and the task is done again.

// AddFile adds a file to the mark: one that a task has made, or one at its place.
func (v *Survey) AddFile(m *Mark, path string) error {
	size, err := v.Tree().Size(v.Name(path))
	if err != nil {
		return err
	}
	m.Files[filepath.ToSlash(v.Name(path))] = size
	return nil
}

// PlaceMark writes the mark of a task whose files are at their places.
func (v *Survey) PlaceMark(m *Mark) error {
	return job.Commit(v.Tree(), v.Name(v.File(m.Step, m.Number, "json")), m)
}

// Save makes a file of arrays and adds it to the mark.
func (v *Survey) Save(m *Mark, path string, arrays []any) (sum uint32, err error) {
	return v.SaveBlocks(m, path, 1, func(int) ([]any, []float64) { return arrays, nil })
}

// SaveBlocks makes a file of blocks and adds it to the mark.
func (v *Survey) SaveBlocks(m *Mark, path string, count int, block func(k int) ([]any, []float64)) (
	uint32, error) {
	sum, err := v.StageBlocks(path, count, block)
	if err == nil {
		err = v.AddFile(m, path)
	}
	return sum, err
}

// StageBlocks makes a file of blocks, and returns its checksum.
func (v *Survey) StageBlocks(path string, count int, block func(k int) ([]any, []float64)) (
	sum uint32, err error) {
	err = v.Tree().Make(v.Name(path), func(to io.Writer) (err error) {
		sum, err = blocks.Write(to, v.title(path), count, block)
		return err
	})
	return sum, err
}

// ReadBlocks reads blocks of a file of this survey, see blocks.Read.
func (v *Survey) ReadBlocks(path string, numbers int, want func(k int, summary []float64) bool, arrays []any,
	see func(k int) error) error {
	return blocks.Read(path, v.title(path), numbers, want, arrays, see)
}

// ReadArrays reads a file of arrays of the same types.
func (v *Survey) ReadArrays(path string, arrays []any) error {
	every := func(int, []float64) bool { return true }
	return v.ReadBlocks(path, 0, every, arrays, func(int) error { return nil })
}
