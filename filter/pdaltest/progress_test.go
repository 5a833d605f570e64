// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"superpoint/filter"
	"superpoint/testdata/must"
)

// TestProgressOfPdal reads the pipe of pdal pipeline --progress: the steps of
// the filter stand among PDAL's own lines.
func TestProgressOfPdal(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 400000, 6000000, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	pipe := filepath.Join(t.TempDir(), "pipe")
	must.OK(t, syscall.Mkfifo(pipe, 0o600))
	both, err := os.OpenFile(pipe, os.O_RDWR, 0) // PDAL does not wait for a reader
	must.OK(t, err)
	defer both.Close()
	file := pipelineFile(t, reader(in), superpoint(nil), writer(out))
	pdal(t, nil, "pipeline", file, "--progress", pipe).ok(t)
	must.Get(both.WriteString("END\n"))(t)
	seen := map[string]bool{}
	lines := bufio.NewScanner(both)
	for lines.Scan() && lines.Text() != "END" {
		if text, ok := strings.CutPrefix(lines.Text(), "PROGRESS:"); ok {
			step, percent, _ := strings.Cut(text, " ")
			seen[step] = seen[step] || percent == "100"
		}
	}
	for _, step := range filter.Steps() {
		if !seen[step] {
			t.Errorf("the pipe does not report the end of %s: %v", step, seen)
		}
	}
}

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

// TestReaderOfProgressEnds ends the reader of the pipe before the pipeline.
func TestReaderOfProgressEnds(t *testing.T) {
	in, _ := houseFile(t, 400000, 6000000, 1)
	pipe := filepath.Join(t.TempDir(), "pipe")
	must.OK(t, syscall.Mkfifo(pipe, 0o600))
	both := must.Get(os.OpenFile(pipe, os.O_RDWR, 0))(t)
	command, lines := started(t, "pipeline",
		pipelineFile(t, reader(in), superpoint(nil), stage{"type": "writers.null"}), "--progress", pipe)
	lines.Scan() // the filter has begun
	both.Close()
	for lines.Scan() {
	}
	if err := command.Wait(); err != nil {
		t.Errorf("pdal ended with %v", err)
	}
}

// TestProgressOfCommands reads the lines that a program which shows progress asks for.
func TestProgressOfCommands(t *testing.T) {
	t.Parallel()
	in, _ := segmentedHouse(t)
	o := pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "outline", in,
		filepath.Join(t.TempDir(), "a.geojson")).ok(t)
	for _, want := range []string{"PROGRESS measuring 100\n", "PROGRESS outlines 100\n"} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("no %q in %q", want, o.stderr)
		}
	}
	more, _ := houseFile(t, 400000, 6000000, 1)
	o = pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "segment", "--model", "geometric", in, more,
		t.TempDir()).ok(t)
	second := regexp.MustCompile(`PROGRESS 2/2 .*\.la[sz], [0-9]+ (s|min) left: output 100\n`)
	if !second.MatchString(o.stderr) {
		t.Errorf("no %v in %q", second, o.stderr)
	}
}
