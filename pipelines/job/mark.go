// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"superpoint/pipelines/files/atomicfile"
)

// Task is a unit of work in a folder. Its files depend on its fields only, so every process that does it
// makes the same files.
type Task struct {
	Step   string `json:"step"`
	Number int    `json:"number"` // of the part of the step, such as a tile
	Plan   string `json:"plan"`   // Checksum of the plan
	Inputs string `json:"inputs"` // checksum of the results of earlier tasks
}

// Mark is the record of a task that is done. It is the last file of the task that gets its place. A task is
// done again if its mark is missing, is of another task or was changed, or if a file that it lists is missing
// or has another size.
type Mark struct {
	Task
	Files map[string]int64 `json:"files"` // sizes in bytes by path in the folder
	Sum   uint32           `json:"sum"`   // checksum of the results
	Check string           `json:"check"` // checksum of all other fields

	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"` // peak memory of the process in bytes; 0 = unknown
}

// base returns the mark of a type that embeds it.
func (m *Mark) base() *Mark { return m }

// Marked is a mark with facts that a command adds: a struct that embeds Mark.
type Marked interface{ base() *Mark }

// Seal sets the checksum of a mark.
func Seal(m Marked) { m.base().Check = check(m) }

// check returns the checksum of all fields but Check.
func check(m Marked) string {
	stated := m.base().Check
	m.base().Check = ""
	text, _ := json.Marshal(m) // writing the mark fails, too
	m.base().Check = stated
	return Checksum(text)
}

// Checksum identifies a text, such as a plan.
func Checksum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text))[:16] }

// ReadMark reads the mark of a task from a file into m, and reports whether the task is done: whether the
// files of the folder are those that the mark lists.
func ReadMark(path, folder string, of Task, m Marked) (done bool) {
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, m) != nil {
		return false
	}
	if known := m.base(); known.Task != of || known.Check != check(m) {
		return false
	}
	for name, size := range m.base().Files {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Size() != size {
			return false
		}
	}
	return true
}

// Commit seals a mark and writes it under a name in the folder of a tree, whose files have their places.
func Commit(t atomicfile.Tree, name string, m Marked) error {
	Seal(m)
	text, err := Lines(m)
	if err != nil {
		return err
	}
	return t.PlaceLast(name, text)
}

// Lines returns a value as lines of JSON.
func Lines(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", " ")
	return append(text, '\n'), err
}
