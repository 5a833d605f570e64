// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/must"
)

// counted is a mark with a fact.
type counted struct {
	Mark
	Points int `json:"points"`
}

// TestMark: a task is done if its mark is of it and unchanged, and its files have the sizes in the mark.
func TestMark(t *testing.T) {
	t.Parallel()
	of := Task{Step: "cut", Number: 3, Plan: "p", Inputs: "i"}
	const name = "cut/3.json"
	for _, c := range []struct {
		name   string
		change func(folder string)
		of     Task
		done   bool
	}{
		{"as it was written", func(string) {}, of, true},
		{"of another tile", func(string) {}, Task{Step: "cut", Number: 4, Plan: "p", Inputs: "i"}, false},
		{"of another plan", func(string) {}, Task{Step: "cut", Number: 3, Plan: "q", Inputs: "i"}, false},
		{"of other inputs", func(string) {}, Task{Step: "cut", Number: 3, Plan: "p", Inputs: "j"}, false},
		{"of another step", func(string) {}, Task{Step: "embed", Number: 3, Plan: "p", Inputs: "i"}, false},
		{"with an edited fact", func(folder string) {
			text := strings.Replace(read(t, filepath.Join(folder, name)), `"points": 7`, `"points": 8`, 1)
			write(t, folder, name, text)
		}, of, false},
		{"whose file is longer", func(folder string) { write(t, folder, "cut/3.las", "longer") }, of, false},
		{"whose file is missing", func(folder string) {
			must.OK(t, os.Remove(filepath.Join(folder, "cut", "3.las")))
		}, of, false},
		{"that is no JSON", func(folder string) { write(t, folder, name, "{") }, of, false},
	} {
		folder := t.TempDir()
		write(t, folder, "cut/3.las", "slice")
		m := &counted{Mark{Task: of, Files: map[string]int64{"cut/3.las": 5}, Sum: 1}, 7}
		must.OK(t, Commit(atomicfile.Tree{Folder: folder, Work: t.TempDir()}, name, m))
		c.change(folder)
		var found counted
		done := ReadMark(filepath.Join(folder, name), folder, c.of, &found)
		must.Equal(t, done, c.done, "a mark %s: done", c.name)
		if done {
			must.Equal(t, found.Points, 7, "a mark %s: points", c.name)
		}
	}
}
