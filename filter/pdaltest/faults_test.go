// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/filter/steps"

	"superpoint/testdata/las"
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
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	must.OK(t, err)
	return 0
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
		if o.code != 0 {
			must.Hold(t, o.code == 1, "exit code %d, want 1: %s", o.code, o.stderr)
			must.Say(t, o.stderr, "model")
		}
	}
	close(stop)
	<-done
	t.Logf("exit codes %v", codes)
	pipe := filepath.Join(filepath.Dir(model), "pipe")
	must.OK(t, syscall.Mkfifo(pipe, 0o666)) // nobody writes to it
	for _, path := range []string{"/dev/zero", "/dev/stdin", filepath.Dir(model), pipe} {
		refused(t, pipeline(t, nil, reader(in), superpoint(stage{"model": path}),
			stage{"type": "writers.null"}), "",
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
	args := []string{"-std=c++17", "-O1", "-isystem", cached(t, "PDAL_INCLUDE"), "-o", program,
		"testdata/repeat.cpp",
		"-Wl,--allow-shlib-undefined", "-pthread"}
	libraries := []string{cached(t, "PDAL_BASE"), cached(t, "PDAL_UTIL")} // before PDAL 2.6
	if libraries[0] == "" {
		libraries = []string{cached(t, "PDAL_CPP")}
	}
	compile(t, "g++", append(args, libraries...)...)
	in, _ := houseFile(t, 0, 0, 1)
	file := pipelineFile(t, reader(in), superpoint(nil), stage{"type": "writers.null"})
	o := outcomeOf(t, exec.Command(tool(t, `exec "`+program+`" "$@"`), file,
		strconv.Itoa(full(24, 1000)))).ok(t)
	t.Logf("%s", o.stdout)
	must.Hold(t, strings.Contains(o.stdout, "all well"), "%s", o.stderr)
}

// started starts a program, pdal or one that runs it, whose pdal prints its progress to its standard error.
// It waits there until a line is read, so that a signal arrives in the step of that line.
func started(t *testing.T, program string, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	reader, writer := holdingPipe(t)
	command.Stderr = writer
	must.OK(t, command.Start())
	must.OK(t, writer.Close())
	t.Cleanup(func() { must.OK(t, reader.Close()) })
	return command, bufio.NewScanner(reader)
}

// TestProgress reads the lines for programs that show progress: one at the end of every step, and of
// commands.
func TestProgress(t *testing.T) {
	t.Parallel()
	more, _ := houseFile(t, 400000, 6000000, 1)
	o := pipeline(t, []string{"SUPERPOINT_PROGRESS=lines"}, reader(more), superpoint(nil),
		stage{"type": "writers.null"})
	for _, step := range steps.Names() {
		must.Hold(t, strings.Contains(o.ok(t).stderr, "PROGRESS "+step+" 100\n"), "no end of %s: %s",
			step, o.stderr)
	}
	in, _ := segmentedHouse(t)
	o = pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "outline", in,
		filepath.Join(t.TempDir(), "a.geojson")).ok(t)
	must.Say(t, o.stderr, "PROGRESS measuring 100\n", "PROGRESS outlines 100\n")
	o = pdal(t, []string{"SUPERPOINT_PROGRESS=lines"}, "superpoint", "segment", "--model", "geometric",
		"--threads", "1",
		in, more, t.TempDir()).ok(t) // of files that run at once, the first is shown
	second := regexp.MustCompile(`PROGRESS 2/2 .*\.la[sz], [0-9]+ (s|min) left: output 100\n`)
	must.Hold(t, second.MatchString(o.stderr), "no %v in %q", second, o.stderr)
}

// hanging is a time after which a process is taken to hang, also beside other load.
const hanging = 10 * time.Minute

// limited runs pdal under a limit of the shell and fails the test unless it
// ends, by a result or by an error in words.
func limited(t *testing.T, ulimit string, args ...string) (code int, text string) {
	t.Helper()
	ends, stop := context.WithTimeout(t.Context(), hanging)
	defer stop()
	o := outcomeOf(t, exec.CommandContext(ends, "sh",
		append([]string{"-c", ulimit + `; exec "$@"`, "sh", launcher(t)},
			args...)...))
	code, text = o.code, o.stdout+o.stderr
	word := regexp.MustCompile(`ulimit|memory|threads`)
	if code != 0 {
		must.Equal(t, code, 1, "%s, %v: exit code", ulimit, args)
		must.Hold(t, word.MatchString(text), "%s, %v: word.MatchString(text) is false", ulimit, args)
		must.Hold(t, !strings.Contains(text, "goroutine "),
			"%s, %v: got %q, want no %q in it", ulimit, args, text, "goroutine ")
		must.Hold(t, !strings.Contains(text, "std::bad_alloc"),
			"%s, %v: got %q, want no %q in it", ulimit, args, text, "std::bad_alloc")
	}
	return code, text
}

// everyCommand returns arguments for each command, with outputs in a folder.
func everyCommand(t *testing.T, folder, in string) map[string][]string {
	t.Helper()
	out := func(name string) string { return filepath.Join(folder, name) }
	return map[string][]string{
		"segment":     {"--model", "geometric", in, out("segment.las")},
		"eval":        {"--model", "geometric", "--truth", "Classification", in},
		"compare":     {"--output", out("compare"), in},
		"info":        {in},
		"render":      {in, out("r.png")},
		"outline":     {in, out("o.geojson")},
		"mesh":        {"--planarity", "0", "--residual", "9", in, out("m.stl")},
		"table":       {in, out("t.csv")},
		"graph":       {in, out("g.csv")},
		"propose":     {in, out("p.csv")},
		"objects":     {in, out("objects.gpkg")},
		"map":         {in, out("map")},
		"classify":    {"--labels", labelsFile(t, out("labels.csv")), in, out("classified.las")},
		"survey plan": {"--output", out("tiles"), in}, "survey run": {out("tiles")},
		"train": {"--input", in, "--output", out("model")},
	}
}

// labelsFile writes labels of two superpoints.
func labelsFile(t *testing.T, path string) string {
	t.Helper()
	must.OK(t, os.WriteFile(path, []byte("id,label\n1,ground\n2,building\n"), 0o600))
	return path
}

// TestLimits runs the stage and a command, which load the library in one place, where there is too little
// address space, data and threads for it, and where there is just about enough. Every command has arguments
// for other tests.
func TestLimits(t *testing.T) {
	t.Parallel()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(full(30_000, 200_000)), superpoint(nil), writer(in)).ok(t)
	given := everyCommand(t, t.TempDir(), in)
	listed := regexp.MustCompile(`(?m)^  ([a-z]+(?: [a-z]+)?)  `).FindAllStringSubmatch(
		do(t, "help").stdout, -1)
	must.Need(t, len(listed) >= 10, "%d commands", len(listed))
	for _, c := range listed {
		must.Hold(t, given[c[1]] != nil, "no arguments for the command %s", c[1])
	}
	// below 80,000 PDAL 2.10 aborts by itself
	few := []string{"ulimit -v 400000", "ulimit -d 120000", "ulimit -d 204800"}
	// root has none: TestFewThreads
	if os.Getuid() != 0 {
		few = append(few, "ulimit -u 5")
	}
	enough := []string{"ulimit -v 700000", "ulimit -v 1200000", "ulimit -v 1900000", "ulimit -v 2300000",
		"ulimit -v 2600000"}
	for megabytes := 240; full(0, 1) == 1 && megabytes < 600; megabytes += 30 {
		enough = append(enough, fmt.Sprintf("ulimit -v %d000", 1700+2*megabytes),
			fmt.Sprintf("ulimit -d %d000", megabytes))
	}
	codes := map[int]int{}
	for _, args := range [][]string{
		{"pipeline", pipelineFile(t, in, superpoint(nil), stage{"type": "writers.null"})},
		append([]string{"superpoint", "table"}, given["table"]...),
	} {
		for _, limit := range few {
			option, _, _ := strings.Cut(strings.TrimPrefix(limit, "ulimit "), " ")
			code, text := limited(t, limit, args...)
			must.Equal(t, code, 1, "%v under %s: exit code", args, limit)
			must.Hold(t, strings.Contains(text, "(ulimit "+option),
				"%v under %s: got %q, want %q in it", args, limit, text, "(ulimit "+option)
		}
		for _, limit := range enough {
			code, _ := limited(t, limit, args...)
			codes[code]++
		}
	}
	t.Logf("exit codes where there may be enough: %v", codes)
}

// TestLimitsOfThePlugin checks the plugin's own check of limits, without the library, in bytes: 2 GB of
// address space and 192 MB of data have to be left, beside the stacks of threads.
func TestLimitsOfThePlugin(t *testing.T) {
	program := filepath.Join(t.TempDir(), "limits")
	compile(t, "g++", "-std=c++17", "-O1", "-Wall", "-Werror", "-I", "../../cexport", "-o", program,
		"testdata/limits.cpp",
		"../pdal/Limits.cpp", "-pthread")
	for _, c := range []struct {
		name      string
		resource  string
		megabytes int // left
		says      string
	}{
		{"too few addresses", "as", 2048 - 64, "(ulimit -v)"},
		{"addresses enough", "as", 2048 + 512, ""},
		{"too few data", "data", 192 - 64, "(ulimit -d)"},
		{"data enough", "data", 192 + 1024, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := outcomeOf(t, exec.Command(program, c.resource, strconv.Itoa(c.megabytes))).ok(t)
			if c.says == "" {
				must.Equal(t, o.stdout, "", "the error")
				return
			}
			must.Say(t, o.stdout, c.says)
		})
	}
}

// TestLargerViewUnderLimits gives views to options that take much memory, under
// address space that is enough to begin with.
func TestLargerViewUnderLimits(t *testing.T) {
	t.Parallel()
	for _, options := range []stage{{"delaunay": true}, {"solver": "cut-pursuit"},
		{"knn": 64, "adjacency_knn": 64}} {
		file := pipelineFile(t, faux(full(250_000, 1_000_000)), superpoint(options),
			stage{"type": "writers.null"})
		code, text := limited(t, "ulimit -v 2400000", "pipeline", file)
		must.Equal(t, code, 1, "%v: exit code", options)
		must.Hold(t, strings.Contains(text, "ulimit -v"),
			"%v: got %q, want %q in it", options, text, "ulimit -v")
	}
}

// TestFewThreads refuses threads after the first few, as `ulimit -u` does to users other than root.
func TestFewThreads(t *testing.T) {
	library := filepath.Join(t.TempDir(), "few.so")
	compile(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library,
		"testdata/fewthreads.c", "-ldl")
	file := pipelineFile(t, faux(3000), superpoint(nil), stage{"type": "writers.null"})
	codes := map[int]int{}
	for _, threads := range []int{0, 1, 4, 250} {
		script := tool(t, fmt.Sprintf(`GOMAXPROCS=300 THREADS=%d LD_PRELOAD=%s exec "$PDAL" "$@"`,
			threads, library))
		o := outcomeOf(t, exec.Command(script, "pipeline", file))
		codes[o.code]++
		if o.code != 0 {
			must.Hold(t, o.code == 1, "%d threads: exit code %d, want 1: %s", threads, o.code, o.stderr)
			must.Hold(t, strings.Contains(o.stderr, "threads more"),
				"%d threads: no %q in %s", threads, "threads more", o.stderr)
		}
	}
	must.Equal(t, codes[0], 1, "codes[0]")
	must.Equal(t, codes[1], 3, "codes[1]")
	for given, remedy := range map[string]string{"GOMAXPROCS=100000": "threads",
		"GOMEMLIMIT=abc": "as 4000000000 or 4GiB",
		"GOMEMLIMIT=-5":  "4GiB", "GOMEMLIMIT=9TB": "4GiB", "GODEBUG=x=1,fips140=abc": "set fips140=off"} {
		refused(t, pdal(t, []string{given}, "pipeline", file), "", strings.Replace(given, "=", " is ", 1),
			remedy)
	}
	for _, given := range []string{"GOMEMLIMIT=4GiB", "GOMEMLIMIT=", "GOGC=abc", "OMP_NUM_THREADS=abc",
		"GOMAXPROCS=abc",
		"GODEBUG=fips140=on,x=1", "GOMEMLIMIT=9223372036854775807", "TMPDIR=/nonexistent", "HOME="} {
		pdal(t, []string{given}, "pipeline", file).ok(t)
	}
}

// unfinishedFiles lists what is under a folder and is no finished file: temporary folders of package
// pipelines/files/atomicfile, and any hidden file but the records of outputs and the marks of folders.
func unfinishedFiles(t *testing.T, folder string) (all []string) {
	t.Helper()
	must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") && path != folder &&
			!strings.HasSuffix(e.Name(), ".superpoint") {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// TestSignals ends pdal in every step of a pipeline, which the signal ends before its last step, and commands
// in the middle of their work: they leave no temporary file and no output. What SIGKILL leaves the next run
// removes.
func TestSignals(t *testing.T) {
	// also where the tests were started with signals ignored, as SIGINT by a shell behind `&` and SIGHUP by
	// nohup
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(60_000), stage{"type": "filters.ferry", "dimensions": "=>Classification"},
		stage{"type": "filters.assign", "assignment": "Classification[:]=2"}, writer(in)).ok(t)
	type ended struct {
		signal syscall.Signal
		args   string // of superpoint; or "", a pipeline
		step   string // of the pipeline
	}
	const slow = "segment --model geometric --solver cut-pursuit {in} {dir}/out.laz"
	all := []ended{{syscall.SIGTERM, slow, ""}, {syscall.SIGINT, slow, ""}, {syscall.SIGKILL, slow, ""},
		{syscall.SIGINT, "eval --model geometric --solver cut-pursuit {in}", ""},
		{syscall.SIGHUP, "survey run {dir}", ""}}
	texts := map[syscall.Signal]string{syscall.SIGINT: "interrupted", syscall.SIGTERM: "terminated",
		syscall.SIGHUP: "hung up"}
	for i, step := range []string{"neighbors", "embedding", "graph", "partition"} {
		for k, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			if full(0, 1) == 1 || i%2 == k { // every step and both signals, but not every pair
				all = append(all, ended{signal, "", step})
			}
		}
	}
	for _, c := range all {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.laz")
		args := []string{"pipeline"}
		if c.args == "" {
			args = append(args, pipelineFile(t, faux(40_000), superpoint(stage{"solver": "cut-pursuit"}),
				writer(out)))
		} else {
			args = append([]string{"superpoint"},
				strings.Fields(strings.NewReplacer("{in}", in, "{dir}", dir).Replace(c.args))...)
		}
		if args[1] == "survey" {
			do(t, "survey", "plan", "--output", dir, in)
		}
		command, lines := started(t, launcher(t), args...)
		reached := false
		// the first steps of a survey only look, and have no file; nor has eval
		for !reached && lines.Scan() {
			reached = strings.HasPrefix(lines.Text(), "PROGRESS "+c.step) &&
				(c.step != "" || args[1] == "eval" || len(unfinishedFiles(t, dir)) > 0)
		}
		must.OK(t, command.Process.Signal(c.signal))
		lastStep, said := false, ""
		for lines.Scan() {
			lastStep = lastStep || strings.HasPrefix(lines.Text(), "PROGRESS output")
			if lines.Text() != "" {
				said = lines.Text()
			}
		}
		_ = command.Wait()
		status := command.ProcessState.Sys().(syscall.WaitStatus)
		must.Hold(t, reached, "%v in step %q was not sent to %v", c.signal, c.step, args)
		must.Hold(t, status.ExitStatus() != 0, "%v to %v in step %q: %v", c.signal, args, c.step,
			command.ProcessState)
		byCommand := c.args != "" && c.signal != syscall.SIGKILL
		if byCommand {
			must.Equal(t, status.ExitStatus(), 128+int(c.signal),
				"%v to %v: status.ExitStatus()", c.signal, args)
			must.Equal(t, said, "PDAL: "+texts[c.signal], "%v to %v: last line of the errors", c.signal, args)
		}
		if c.step != "" {
			must.Hold(t, status.Signaled(), "%v in step %q: %v, want an end by the signal", c.signal,
				c.step, status)
			must.Equal(t, status.Signal(), c.signal, "the signal that ends step %q", c.step)
			must.Hold(t, !lastStep, "%v in step %q: the last step was reached", c.signal, c.step)
		}
		_, err := os.Stat(out)
		must.Hold(t, err != nil, "%v to %v in step %s: an output is there", c.signal, args, c.step)
		left := unfinishedFiles(t, dir)
		killed := c.signal == syscall.SIGKILL
		must.Hold(t, killed == (len(left) > 0), "%v to %v: left %v", c.signal, args, left)
		if killed {
			do(t, "segment", "--model", "geometric", in, out)
			must.Equal(t, unfinishedFiles(t, dir), nil, "files that the next run leaves")
		}
	}
}

// TestIgnoredSignals: a command that ignores signals, as after nohup, continues.
func TestIgnoredSignals(t *testing.T) {
	in, _ := houseFile(t, 400000, 6000000, 1)
	out := filepath.Join(t.TempDir(), "out.laz")
	command, lines := started(t, "sh", "-c", `trap "" INT HUP; exec "$0" "$@"`, launcher(t),
		"superpoint", "segment",
		"--model", "geometric", in, out)
	sent := false
	for lines.Scan() {
		if !sent && strings.HasPrefix(lines.Text(), "PROGRESS") {
			must.OK(t, command.Process.Signal(os.Interrupt))
			must.OK(t, command.Process.Signal(syscall.SIGHUP))
			sent = true
		}
	}
	code := ended(t, command.Wait())
	must.Equal(t, code, 0, "exit code")
	must.Hold(t, sent, "sent is false")
	must.Get(os.Stat(out))(t)
}

// TestFullDisk limits the size of files to 4 kB, which is no signal that ends the process: every command
// fails in words and leaves no file under its name and no temporary one. Without the limit the same command
// continues.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(20_000), superpoint(nil), writer(in)).ok(t)
	packed := in[:len(in)-1] + "z"
	labels := labelsFile(t, filepath.Join(t.TempDir(), "labels.csv"))
	tried := map[string]bool{
		"info":       true, // writes no file
		"propose":    true, // its file has fewer bytes than the limit
		"survey run": true, // TestFolderOnFullDisk and the tests of surveys
		"map":        true, // TestFolderOnFullDisk
		"compare":    true, // takes minutes
		"train":      true, // same
	}
	pdal(t, nil, "translate", in, packed, "--writers.las.minor_version=4").ok(t)
	for _, text := range []string{
		"segment --model geometric {in} {disk}/out.laz",
		"segment --model geometric {in} {disk}/out.las",
		"render --width 2000 {in} {disk}/out.png",
		"outline {in} {disk}/out.geojson",
		"outline {in} {disk}/out.gpkg",
		"mesh --planarity 0 --residual 10 {in} {disk}/out.stl",
		"table {in} {disk}/out.csv",
		"graph {in} {disk}/out.csv",
		"objects {in} {disk}/out.gpkg",
		"classify --labels {labels} {in} {disk}/out.las",
		"eval --id SuperpointID --output /dev/full {in}",
		"survey plan --model geometric --output {disk}/survey {packed}",
	} {
		args := strings.Fields(strings.NewReplacer("{in}", in, "{packed}", packed, "{disk}", disk,
			"{labels}", labels).Replace(text))
		name := args[0]
		if name == "survey" {
			name = strings.Join(args[:2], " ")
		}
		tried[name] = true
		command := exec.Command("sh", append([]string{"-c", `ulimit -f 8; exec "$@"`, "sh", launcher(t),
			"superpoint"}, args...)...)
		o := outcomeOf(t, command)
		must.Hold(t, o.code == 1, "%s: exit code %d, want 1: %s", text, o.code, o.stderr)
		must.Hold(t, o.stderr != "", "%s: o.stderr is empty", text)
		must.Hold(t, !strings.Contains(o.stderr, "has no points"),
			"%s: got %q, want no %q in it", text, o.stderr, "has no points")
		found, _ := filepath.Glob(filepath.Join(disk, "out*"))
		planned, _ := filepath.Glob(filepath.Join(disk, "survey", "plan.json"))
		left := slices.Concat(found, planned, unfinishedFiles(t, disk))
		must.Hold(t, len(left) == 0, "%s left %v", text, left)
	}
	for name := range everyCommand(t, t.TempDir(), in) {
		must.Hold(t, tried[name], "command %s is new: say here what it writes to a full disk", name)
	}
	do(t, "segment", "--model", "geometric", in, filepath.Join(disk, "out.laz"))
}

// smallDisk returns the folder of a disk, and what changes its size in bytes; nil if none can be mounted.
func smallDisk(t *testing.T, size int64) (disk string, resize func(size int64)) {
	t.Helper()
	disk = t.TempDir()
	mount := func(options string, size int64) error {
		return exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("%ssize=%d", options, size),
			"tmpfs", disk).Run()
	}
	if err := mount("", size); err != nil {
		t.Skipf("no tmpfs can be mounted here (that needs root): %v", err)
	}
	t.Cleanup(func() { must.OK(t, exec.Command("umount", disk).Run()) })
	return disk, func(size int64) { must.OK(t, mount("remount,", size)) }
}

// TestFolderOnFullDisk: a run ends at the tile for which the disk has no room, not after all others have been
// computed for nothing, and continues when there is room.
func TestFolderOnFullDisk(t *testing.T) {
	const small, large = 2_000_000, 50_000_000
	disk, resize := smallDisk(t, small)
	at := place(t)
	for k := range 4 {
		pipeline(t, nil, faux(10_000+k), superpoint(nil), writer(at(fmt.Sprint(k, ".las")))).ok(t)
	}
	for _, command := range []string{"segment", "map"} {
		out := filepath.Join(disk, command)
		o := try(t, command, at(""), out)
		full := regexp.MustCompile("the disk is full after ([12] of 4) files; make room").FindStringSubmatch(
			o.stderr)
		must.Need(t, o.code == 1, "%s: exit code %d, want 1: %s", command, o.code, o.stderr)
		must.Need(t, full != nil, "%s: full is nil", command)
		must.Need(t, strings.Count(o.stderr, "no space left on device") == 1,
			`%s: strings.Count(o.stderr, "no space left on device") is %v, want 1`,
			command, strings.Count(o.stderr, "no space left on device"))
		left := unfinishedFiles(t, disk)
		must.Hold(t, len(left) == 0, "%s left %v", command, left)
		resize(large)
		o = do(t, command, at(""), out)
		must.Say(t, o.stderr, full[1]+" outputs of the same inputs")
		must.Say(t, o.stderr, "further file")
		must.Equal(t, strings.Count(o.stderr, "set it with --default_srs"), 2,
			"%s: warnings, first and last", command)
		must.OK(t, os.RemoveAll(out))
		resize(small)
	}
}

// TestSurveyOnFullDisk plans and runs where temporary files do not fit: one message names the folder and the
// remedy.
func TestSurveyOnFullDisk(t *testing.T) {
	disk, resize := smallDisk(t, 100_000)
	at, project := place(t), filepath.Join(disk, "survey")
	pipeline(t, nil, faux(20_000), writer(at("in.las"))).ok(t)
	pdal(t, nil, "translate", at("in.las"), at("in.laz"), "--writers.las.forward=all").ok(t)
	plan := []string{"survey", "plan", "--model", "geometric", "--tile", "20", "--output", project,
		at("in.laz")}
	o := try(t, plan...)
	refused(t, o, filepath.Join(project, "plan.json"), "the disk of "+project+" is full; make room")
	resize(5_000_000)
	do(t, plan...)
	resize(1_000_000)
	o = try(t, "survey", "run", project)
	refused(t, o, filepath.Join(project, "out"), "the disk of "+project+" is full; make room")
	must.Equal(t, strings.Count(o.stderr, "no space left"), 1, `strings.Count(o.stderr, "no space left")`)
	must.Equal(t, len(unfinishedFiles(t, disk)), 0, "len(unfinishedFiles(t, disk))")
	resize(50_000_000)
	do(t, "survey", "run", project)
}

// TestGDALOnFullDisk writes to disks on which the temporary GeoJSON fits, but not all of the GeoPackage, for
// which GDAL reports its SQL.
func TestGDALOnFullDisk(t *testing.T) {
	disk, resize := smallDisk(t, 1<<20)
	folder := t.TempDir()
	in := filepath.Join(folder, "in.las")
	pipeline(t, nil, faux(20_000), superpoint(nil), writer(in)).ok(t)
	whole, path := filepath.Join(folder, "out.gpkg"), filepath.Join(disk, "out.gpkg")
	do(t, "outline", in, whole)
	size := must.Get(os.Stat(whole))(t).Size()
	for k := range int64(3) {
		resize(size * (5 + k) / 5)
		o := try(t, "outline", in, path)
		refused(t, o, path)
		must.Hold(t, !strings.Contains(o.stderr, "SELECT"), "on a disk of %d fifths of its size: %s",
			5+k, o.stderr)
	}
}

// straced returns strace.
func straced(t *testing.T) string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed (apt-get install strace)")
	}
	if o := outcomeOf(t, exec.Command(strace, "true")); o.code != 0 && strings.Contains(o.stderr, "ptrace") {
		t.Skipf("this system does not let strace trace: %s", o.stderr)
	}
	return strace
}

// TestNoNetworkAndNoOtherFiles watches the system calls of a pipeline: the pipeline opens no socket to
// another machine except those that it opens without the stage (PDAL 2.10 asks for this machine's name), and
// it writes nothing except the output.
func TestNoNetworkAndNoOtherFiles(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	strace, out := straced(t), filepath.Join(t.TempDir(), "out.las")
	network := regexp.MustCompile(
		`(?m)^\d+ +(socket\(AF_INET[^)]*|(?:connect|bind|sendto)\()(?:\d+, )?({[^}]*)?`)
	traced := func(stages ...any) (trace string, calls []string) {
		o := outcomeOf(t, exec.Command(strace, "-f", "-qq", "-e",
			"trace=network,open,openat,creat,rename,renameat,unlink,unlinkat,mkdir,execve", "-o",
			out+".trace", launcher(t),
			"pipeline", pipelineFile(t, stages...)))
		o.ok(t)
		trace = string(must.Get(os.ReadFile(out + ".trace"))(t))
		for _, m := range network.FindAllStringSubmatch(trace, -1) {
			calls = append(calls, m[1]+m[2]) // without the number of the descriptor
		}
		return trace, calls
	}
	_, plain := traced(reader(in), writer(out))
	trace, calls := traced(reader(in), stage{"type": "filters.superpoint"}, writer(out))
	for _, call := range calls {
		must.Hold(t, slices.Contains(plain, call), "network: %s; without the stage: %q", call, plain)
	}
	writes := regexp.MustCompile(`open(at)?\(.*"([^"]+)".*O_(WRONLY|RDWR|CREAT)`)
	changes := regexp.MustCompile(`^\d+ +(rename|unlink|mkdir|creat)\w*\(`)
	for line := range strings.Lines(trace) {
		switch m := writes.FindStringSubmatch(line); {
		case m != nil && m[2] != out && !strings.HasPrefix(m[2], "/dev/") &&
			!strings.HasPrefix(m[2], "/proc/self/") &&
			!strings.Contains(line, "ENOENT"):
			t.Errorf("a file beside the output: %s", line)
		case changes.MatchString(line) && !strings.Contains(line, out):
			t.Errorf("a change beside the output: %s", line)
		}
	}
}

// TestLaterRowsOfRasters: where rows behind the first of a raster cannot be written, or not be read for the
// check, map ends with an error that names the raster and the cause. It leaves the points alone, for the
// next run. GDAL fails as for a disk with a bad block.
func TestLaterRowsOfRasters(t *testing.T) {
	t.Parallel()
	library := filepath.Join(t.TempDir(), "rasterio.so")
	compile(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library,
		"testdata/rasterio.c", "-ldl")
	script := tool(t, fmt.Sprintf(`LD_PRELOAD=%s exec "$PDAL" "$@"`, library))
	at := place(t)
	must.OK(t, las.WriteFile(at("house.las"), denseHouse(400, 0, 0, 1), 0.001))
	for fails, message := range map[string]string{
		"write": "GDAL cannot write it: the disk has a bad block",
		"read":  "GDAL cannot read its cells: the disk has a bad block",
	} {
		t.Run(fails, func(t *testing.T) {
			out := at(fails)
			command := exec.Command(script, "superpoint", "map", "--default_srs", utm, at("house.las"), out)
			command.Env = append(os.Environ(), "SUPERPOINT_RASTERIO="+fails)
			refused(t, outcomeOf(t, command), filepath.Join(out, "terrain.tif"), ".tif: ", message)
			left := must.Get(os.ReadDir(out))(t)
			must.Equal(t, len(left), 1, "files that map left")
			must.Equal(t, left[0].Name(), "points", "the file that map left")
		})
	}
}
