// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/testdata/must"
)

// started starts pdal, which prints its progress to its standard error.
func started(t *testing.T, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	return startedBy(t, launcher(t), args...)
}

// startedBy is started for a program that runs pdal.
func startedBy(t *testing.T, program string, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	stderr := must.Get(command.StderrPipe())(t)
	must.OK(t, command.Start())
	return command, bufio.NewScanner(stderr)
}

// TestProgress reads the lines that a program which shows progress asks for: the end of every step, and of commands.
func TestProgress(t *testing.T) {
	t.Parallel()
	more, _ := houseFile(t, 400000, 6000000, 1)
	o := pipeline(t, []string{"SUPERPOINT_PROGRESS=lines"}, reader(more), superpoint(nil), stage{"type": "writers.null"})
	for _, step := range filter.Steps() {
		if !strings.Contains(o.ok(t).stderr, "PROGRESS "+step+" 100\n") {
			t.Errorf("no end of %s: %s", step, o.stderr)
		}
	}
	in, _ := segmentedHouse(t)
	o = pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "outline", in,
		filepath.Join(t.TempDir(), "a.geojson")).ok(t)
	for _, want := range []string{"PROGRESS measuring 100\n", "PROGRESS outlines 100\n"} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("no %q in %q", want, o.stderr)
		}
	}
	o = pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "segment", "--model", "geometric", "--threads", "1",
		in, more, t.TempDir()).ok(t) // of files that run at once, the first is shown
	second := regexp.MustCompile(`PROGRESS 2/2 .*\.la[sz], [0-9]+ (s|min) left: output 100\n`)
	if !second.MatchString(o.stderr) {
		t.Errorf("no %v in %q", second, o.stderr)
	}
}
