// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"superpoint/filter"
	"superpoint/testdata/must"
)

// pipelineFile writes stages to a file.
func pipelineFile(t testing.TB, stages ...any) string {
	t.Helper()
	text := must.Get(json.Marshal(stages))(t)
	file := filepath.Join(t.TempDir(), "pipeline.json")
	must.OK(t, os.WriteFile(file, text, 0o666))
	return file
}

// faux is a reader of random points, 10 a square metre.
func faux(count int) stage {
	side := 1
	for side*side*10 < count {
		side++
	}
	return stage{"type": "readers.faux", "mode": "uniform", "seed": 1, "count": count,
		"bounds": fmt.Sprintf("([0,%d],[0,%d],[0,3])", side, side)}
}

// ended returns the exit code of a command, −1 if a signal ended it.
func ended(t testing.TB, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// interruptible lets SIGINT reach the programs that a test starts, also where the
// tests themselves were started with it ignored, as a shell does behind `&`.
func interruptible(t *testing.T) {
	all := make(chan os.Signal, 1)
	signal.Notify(all, os.Interrupt)
	t.Cleanup(func() { signal.Stop(all) })
}

// TestModelThatChanges replaces the model file again and again while pdal reads it.
func TestModelThatChanges(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	model := filepath.Join(t.TempDir(), "model.safetensors")
	good := must.Get(os.ReadFile("../../embed/models/aerial.safetensors"))(t)
	damaged := slices.Clone(good)
	for i := len(damaged) / 2; i < len(damaged); i += 100 {
		damaged[i] ^= 0x55
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(model, [][]byte{good, damaged, good[:len(good)/3], nil}[i%4], 0o666)
			}
		}
	}()
	codes := map[int]int{}
	for range full(6, 200) {
		o := pipeline(t, nil, reader(in), superpoint(stage{"model": model}), stage{"type": "writers.null"})
		codes[o.code]++
		if o.code != 0 && (o.code != 1 || !strings.Contains(o.stderr, "model")) {
			t.Errorf("exit code %d\n%s", o.code, o.stderr)
		}
	}
	close(stop)
	<-done
	t.Logf("exit codes %v", codes)
	pipe := filepath.Join(filepath.Dir(model), "pipe")
	must.OK(t, syscall.Mkfifo(pipe, 0o666)) // nobody writes to it
	for _, path := range []string{"/dev/zero", "/dev/stdin", filepath.Dir(model), pipe} {
		refused(t, pipeline(t, nil, reader(in), superpoint(stage{"model": path}), stage{"type": "writers.null"}), "",
			"option model", path)
	}
}

// tool returns a script that runs a program in pdal's environment.
func tool(t testing.TB, program string) string {
	t.Helper()
	text := must.Get(os.ReadFile(launcher(t)))(t)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	last := len(lines) - 1
	pdal, _ := strings.CutPrefix(strings.TrimSuffix(lines[last], ` "$@"`), "exec ")
	lines[last] = "PDAL=" + pdal + "\n" + program
	script := filepath.Join(t.TempDir(), "run")
	must.OK(t, os.WriteFile(script, []byte(strings.Join(lines, "\n")+"\n"), 0o777))
	return script
}

// cached returns a path from CMakeCache.txt, or "".
func cached(t testing.TB, name string) string {
	t.Helper()
	cache := must.Get(os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt")))(t)
	m := regexp.MustCompile(`(?m)^` + name + `:\w+=(.*)$`).FindSubmatch(cache)
	if m == nil || strings.HasSuffix(string(m[1]), "NOTFOUND") {
		return ""
	}
	return string(m[1])
}

// TestManyPipelinesInOneProcess runs the stage again and again in one process,
// one after another and two at once, and watches memory and descriptors.
func TestManyPipelinesInOneProcess(t *testing.T) {
	program := filepath.Join(t.TempDir(), "repeat")
	args := []string{"-std=c++17", "-O1", "-isystem", cached(t, "PDAL_INCLUDE"), "-o", program, "testdata/repeat.cpp",
		"-Wl,--allow-shlib-undefined", "-pthread"}
	libraries := []string{cached(t, "PDAL_BASE"), cached(t, "PDAL_UTIL")} // before PDAL 2.6
	if libraries[0] == "" {
		libraries = []string{cached(t, "PDAL_CPP")}
	}
	compile(t, "g++", append(args, libraries...)...)
	in, _ := houseFile(t, 0, 0, 1)
	file := pipelineFile(t, reader(in), superpoint(nil), stage{"type": "writers.null"})
	out, err := exec.Command(tool(t, `exec "`+program+`" "$@"`), file,
		map[bool]string{false: "24", true: "1000"}[full(0, 1) == 1]).CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "all well") {
		t.Errorf("%v", err)
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
