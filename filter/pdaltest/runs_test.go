// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestRuns: the points and files of some runs of testdata/runs.sh equal testdata/runs.txt, so that no change
// of code changes ids unnoticed. `make check` compares all runs.
func TestRuns(t *testing.T) {
	t.Parallel()
	chosen := []string{"01", "05", "06", "07", "10", "11", "12", "15", "16", "survey", "objects", "table"}
	folder := filepath.Join("..", "..", "testdata")
	recorded := map[string]string{}
	for row := range strings.Lines(string(must.Get(os.ReadFile(filepath.Join(folder, "runs.txt")))(t))) {
		name, sum := nameAndSum(row)
		recorded[name] = sum
	}
	script := filepath.Join(folder, "runs.sh")
	notice(script)
	program, variables := program(t)
	command := exec.Command(script, append([]string{program}, chosen...)...)
	command.Env = variables
	o := outcomeOf(t, command).ok(t)
	rows := strings.Count(o.stdout, "\n")
	must.Equal(t, rows, len(chosen), "rows of the chosen runs")
	for row := range strings.Lines(o.stdout) {
		name, sum := nameAndSum(row)
		t.Run(name, func(t *testing.T) {
			must.Equal(t, sum, recorded[name], "SHA-256 of the result; testdata/runs.sh says what to do")
		})
	}
}

// nameAndSum splits a row of testdata/runs.txt.
func nameAndSum(row string) (name, sum string) {
	space := strings.LastIndex(row, " ")
	return row[:space], strings.TrimSpace(row[space:])
}
