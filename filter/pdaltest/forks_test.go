// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// Most tests start pdal as a fork of a process in which the loader has done its work (testdata/forks.c):
// that takes 9 ms of processor time, a real start 48. Tests of signals, limits, faults, traces and the GPU
// start pdal itself, and so does every test with SUPERPOINT_STARTS=real, and every run with variables that
// the loader or the launcher reads.

// forks is the server of this test program.
var forks struct {
	once   sync.Once
	folder string // has the client, which is named pdal; "" = all starts are real
	reason string // why all starts are real
	err    error
	server *server
}

// server is a process that starts its program by forks.
type server struct {
	input   io.Closer // its standard input; the server ends when it is closed
	process int
}

// client returns the program that is pdal to its caller, "" if all starts are real.
func client(t testing.TB) string {
	t.Helper()
	path := launcher(t)
	forks.once.Do(func() { forks.err = startForks(path) })
	must.OK(t, forks.err)
	if forks.folder == "" {
		return ""
	}
	return filepath.Join(forks.folder, "pdal")
}

// socket is the server's socket in its folder.
const socket = "socket"

// startForks compiles server and client and starts the server.
func startForks(launcher string) error {
	text, err := os.ReadFile(launcher)
	if err != nil {
		return err
	}
	program := regexp.MustCompile(`(?m)^exec '(.*)' "\$@"$`)
	found := program.FindSubmatch(text)
	switch {
	case os.Getenv("SUPERPOINT_STARTS") == "real":
		forks.reason = "SUPERPOINT_STARTS is real"
	case runtime.GOOS != "linux":
		forks.reason = "the server needs Linux"
	case found == nil:
		forks.reason = launcher + " is a program, not the launcher of a build"
	}
	if forks.reason != "" {
		return nil
	}
	folder, err := os.MkdirTemp("", "forks")
	if err != nil {
		return err
	}
	forks.folder = folder
	if err := compileForks(folder); err != nil {
		return err
	}
	pdal, err := os.ReadFile(string(found[1]))
	if err != nil {
		return err
	}
	// Commands start a program that is named pdal again, and the program of SUPERPOINT_PDAL from another.
	copied := filepath.Join(folder, "server")
	if err := os.WriteFile(copied, pdal, 0o777); err != nil {
		return err
	}
	script := program.ReplaceAllLiteralString(string(text),
		fmt.Sprintf("LD_PRELOAD='%s' exec '%s'", filepath.Join(folder, "forks.so"), copied))
	server, err := startServer(folder, filepath.Dir(launcher), script)
	forks.server = server
	return err
}

func compileForks(folder string) error {
	const source = "testdata/forks.c"
	notice(source)
	for _, args := range [][]string{
		{"-DCLIENT", "-o", filepath.Join(folder, "pdal")},
		{"-fPIC", "-shared", "-o", filepath.Join(folder, "forks.so"), "-ldl"},
	} {
		out, err := exec.Command("gcc", append([]string{"-O1", "-Wall", "-Wextra", "-Werror", source},
			args...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("gcc: %w: %s", err, out)
		}
	}
	return nil
}

// startServer starts a server, which ends with this process, by a launcher for a build. Its socket is in
// folder.
func startServer(folder, build, script string) (*server, error) {
	path := filepath.Join(folder, "launcher")
	if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder, socket), Net: "unix"})
	if err != nil {
		return nil, err
	}
	listening, err := listener.File()
	if err != nil {
		return nil, err
	}
	command := exec.Command(path)
	command.Env = append(os.Environ(), "SUPERPOINT_PLUGINS="+build)
	for k := range 200 { // clients may have so many variables more than this process
		command.Env = append(command.Env, fmt.Sprintf("FORKS_%d=", k))
	}
	command.ExtraFiles = []*os.File{listening}
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &server{input, command.Process.Pid}, listening.Close()
}

// stopForks ends the server and removes its files.
func stopForks() {
	if forks.server != nil {
		_ = forks.server.input.Close()
		_ = os.RemoveAll(forks.folder)
	}
}

// needsRealStart reports whether a variable changes what the loader or the launcher reads.
func needsRealStart(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	ofTheLauncher := []string{"SUPERPOINT_PLUGINS", "PDAL_DRIVER_PATH", "PROJ_LIB", "GDAL_DATA"}
	return strings.HasPrefix(name, "LD_") || slices.Contains(ofTheLauncher, name)
}

// program returns the client and the variables that it needs, or the launcher where starts are real.
func program(t testing.TB) (path string, variables []string) {
	t.Helper()
	path, variables = client(t), os.Environ()
	if path == "" || slices.ContainsFunc(variables, needsRealStart) {
		return launcher(t), variables
	}
	return path, append(variables, "SUPERPOINT_FORKS="+filepath.Join(forks.folder, socket),
		"SUPERPOINT_PDAL="+path)
}

// start returns a command of pdal with further environment variables: a fork of the server where that is
// the same, and a real start elsewhere.
func start(t testing.TB, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	path, variables := program(t)
	// The library looks for this one among the arguments of the process, which are the server's.
	version := slices.Contains(args, "--version")
	if version || slices.ContainsFunc(environment, needsRealStart) {
		path, variables = launcher(t), os.Environ()
	}
	command := exec.Command(path, args...)
	command.Env = append(variables, environment...)
	return command
}

// TestForkedStarts: a fork of the server is like a real start to its caller: its streams, its exit code, its
// folder and its environment.
func TestForkedStarts(t *testing.T) {
	t.Parallel()
	if client(t) == "" {
		t.Skip("all starts of pdal are real: ", forks.reason)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "points.txt"), "X,Y,Z\n1,2,3\n")
	put(t, filepath.Join(dir, "pipeline.json"), `["points.txt", {"type": "writers.text", "filename": "STDOUT"}]`)
	for name, c := range map[string]struct {
		environment string
		args        []string
	}{
		"points of the folder": {"", []string{"pipeline", "pipeline.json"}},
		"error of pdal":        {"", []string{"pipeline", "gone.json"}},
		"error of a command":   {"", []string{"superpoint", "info", "gone.las"}},
		"variable":             {"GOMAXPROCS=5000", []string{"superpoint", "help"}},
		"variable of Go":       {"GOMEMLIMIT=abc", []string{"superpoint", "help"}},
	} {
		t.Run(name, func(t *testing.T) {
			real, forked := exec.Command(launcher(t), c.args...), start(t, []string{c.environment}, c.args...)
			must.Equal(t, forked.Path, client(t), "program")
			real.Env = append(os.Environ(), c.environment)
			real.Dir, forked.Dir = dir, dir
			want, got := outcomeOf(t, real), outcomeOf(t, forked)
			must.Equal(t, got.code, want.code, "exit code")
			must.Equal(t, got.stdout, want.stdout, "standard output")
			must.Equal(t, got.stderr, want.stderr, "standard error")
			must.Hold(t, want.stdout+want.stderr != "", "it says nothing")
		})
	}
}

// TestUmaskOfForkedStarts: files and folders of a fork have the mode that the caller's umask leaves.
func TestUmaskOfForkedStarts(t *testing.T) {
	t.Parallel()
	if client(t) == "" {
		t.Skip("all starts of pdal are real: ", forks.reason)
	}
	points := filepath.Join(t.TempDir(), "points.txt")
	put(t, points, "X,Y,Z\n1,2,3\n")
	house, _ := houseFile(t, 400000, 6000000, 1)
	for _, c := range []struct {
		umask string
		file  os.FileMode // of files
	}{{"000", 0o666}, {"027", 0o640}, {"077", 0o600}} {
		for name, args := range map[string]func(out string) []string{
			"pdal": func(out string) []string {
				return []string{"translate", points, out, "--writer", "writers.text"}
			},
			"segment": func(out string) []string { // the points are written by a pdal that this one starts
				return []string{"superpoint", "segment", "--model", "geometric", house, out}
			},
		} {
			t.Run(c.umask+" "+name, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out.las")
				shell := start(t, nil, append([]string{"-c", `umask "$0" && exec "$@"`, c.umask, client(t)},
					args(out)...)...)
				shell.Path = must.Get(exec.LookPath("sh"))(t)
				outcomeOf(t, shell).ok(t)
				must.Equal(t, must.Get(os.Stat(out))(t).Mode(), c.file, "mode")
			})
		}
	}
}

// TestSignalsOfForkedStarts: a signal that its caller ignores or blocks does not end a fork; others end
// it, and then its caller. A real start is the same.
func TestSignalsOfForkedStarts(t *testing.T) {
	t.Parallel()
	if client(t) == "" {
		t.Skip("all starts of pdal are real: ", forks.reason)
	}
	for name, c := range map[string]struct {
		caller string // option of env
		signal syscall.Signal
		want   string
	}{
		"SIGINT":          {"", syscall.SIGINT, "signal: interrupt"},
		"SIGINT ignored":  {"--ignore-signal=INT", syscall.SIGINT, "exit status 0"},
		"SIGINT blocked":  {"--block-signal=INT", syscall.SIGINT, "exit status 0"},
		"SIGTERM":         {"", syscall.SIGTERM, "signal: terminated"},
		"SIGTERM ignored": {"--ignore-signal=TERM", syscall.SIGTERM, "exit status 0"},
		"SIGTERM blocked": {"--block-signal=TERM", syscall.SIGTERM, "exit status 0"},
		"another blocked": {"--block-signal=TERM", syscall.SIGINT, "signal: interrupt"},
		"SIGPIPE":         {"", syscall.SIGPIPE, "signal: broken pipe"},
		"SIGPIPE ignored": {"--ignore-signal=PIPE", syscall.SIGPIPE, "exit status 0"},
		"SIGCHLD":         {"", syscall.SIGCHLD, "exit status 0"},
		"SIGKILL":         {"--block-signal --ignore-signal", syscall.SIGKILL, "signal: killed"},
		"last of all":     {"", lastSignal, "signal: signal 64"},
		"last blocked":    {"--block-signal=RTMAX", lastSignal, "exit status 0"},
	} {
		for kind, program := range map[string]string{"real": launcher(t), "fork": client(t)} {
			t.Run(name+", "+kind, func(t *testing.T) {
				must.Equal(t, signalled(t, c.caller, program, c.signal), c.want, "end")
			})
		}
	}
}

// lastSignal is the last one of Linux.
const lastSignal = syscall.Signal(64)

// signalled sends a signal to pdal, which a program started that env has prepared, while it waits for its
// pipeline. It returns how the program ended.
func signalled(t *testing.T, caller, program string, number syscall.Signal) string {
	t.Helper()
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	pipe := filepath.Join(dir, "pipeline.json")
	must.OK(t, syscall.Mkfifo(pipe, 0o666))
	put(t, filepath.Join(dir, "points.txt"), "X,Y,Z\n1,2,3\n")
	// signals that the tests were started with do not matter
	prepared := slices.Concat([]string{"--default-signal"}, strings.Fields(caller),
		[]string{program, "pipeline", "pipeline.json"})
	command := start(t, nil, prepared...)
	command.Path = must.Get(exec.LookPath("env"))(t)
	command.Dir = dir
	command.Stderr = t.Output()
	must.OK(t, command.Start())
	end := make(chan string)
	go func() {
		_ = command.Wait()
		_ = syscall.Close(must.Get(syscall.Open(pipe, syscall.O_RDONLY|syscall.O_NONBLOCK, 0))(t))
		end <- command.ProcessState.String()
	}()
	feeding := must.Get(os.OpenFile(pipe, os.O_WRONLY, 0))(t) // when pdal, or the line above, reads
	for _, process := range processesIn(t, dir) {
		if program == launcher(t) || process != command.Process.Pid { // not the client
			must.OK(t, syscall.Kill(process, number))
		}
	}
	_, _ = feeding.WriteString(`["points.txt", {"type": "writers.null"}]`)
	must.OK(t, feeding.Close())
	return <-end
}

// TestForksOfAShell: a server of a shell, which prints what pdal does not: forks have the exit code, the
// variables and the open files of a real start, but the variables that the launcher sets. Forks that have
// ended leave no process.
func TestForksOfAShell(t *testing.T) {
	t.Parallel()
	if client(t) == "" {
		t.Skip("all starts of pdal are real: ", forks.reason)
	}
	folder := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nexport PROJ_LIB=server\nLD_PRELOAD='%s' exec /bin/sh\n",
		filepath.Join(forks.folder, "forks.so"))
	server := must.Get(startServer(folder, "", script))(t)
	defer server.input.Close()
	shell := func(command string) (forked, real outcome) {
		fork, start := exec.Command(client(t), "-c", command), exec.Command("/bin/sh", "-c", command)
		start.Env = []string{"PROJ_LIB=client", "PROJ_LIBRARY=client", "EMPTY=", "LAST=a=b"}
		fork.Env = append(start.Env, "SUPERPOINT_FORKS="+filepath.Join(folder, socket))
		return outcomeOf(t, fork), outcomeOf(t, start)
	}
	for _, code := range []int{0, 1, 7, 143, 255} {
		forked, _ := shell(fmt.Sprint("exit ", code))
		must.Equal(t, forked.code, code, "exit code")
	}
	forked, real := shell(`echo "$PROJ_LIBRARY, $EMPTY, $LAST, $0, $#"`)
	must.Equal(t, forked.stdout, strings.ReplaceAll(real.stdout, "/bin/sh", client(t)), "variables")
	forked, _ = shell(`echo "$PROJ_LIB"`)
	must.Equal(t, forked.stdout, "server\n", "variable of the launcher")
	forked, real = shell(`for file in /proc/$$/fd/*; do echo "$file"; done`)
	const pipe = 1 // which tells the server that the fork ends
	must.Equal(t, strings.Count(forked.stdout, "\n"), strings.Count(real.stdout, "\n")+pipe, "open files")
	begin := time.Now()
	for len(childrenOf(t, server.process)) > 0 {
		must.Need(t, time.Since(begin) < hanging, "processes of forks that have ended stay")
		time.Sleep(10 * time.Millisecond)
	}
}

// childrenOf returns the processes that a process has started, and fails if one of them is dead and not yet
// waited for.
func childrenOf(t *testing.T, parent int) (all []int) {
	t.Helper()
	for _, path := range must.Get(filepath.Glob("/proc/[0-9]*/status"))(t) {
		status, _ := os.ReadFile(path) // nothing if the process has ended
		if !strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", parent)) {
			continue
		}
		must.Need(t, !strings.Contains(string(status), "\nState:\tZ"), "a dead process stays: %s", status)
		all = append(all, must.Get(strconv.Atoi(filepath.Base(filepath.Dir(path))))(t))
	}
	return all
}

// TestForkEndsWithItsCaller: where the caller of a fork, or what waits for the fork, is killed, the fork
// ends: no pdal goes on in a folder that its test removes.
func TestForkEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	if client(t) == "" {
		t.Skip("all starts of pdal are real: ", forks.reason)
	}
	for name, c := range map[string]struct {
		victim func(caller, fork int) int
		want   string // the end of the caller
	}{
		"caller": {func(caller, _ int) int { return caller }, "signal: killed"},
		"waiting process": {func(_, fork int) int { return parentOf(t, fork) },
			"exit status 126"}, // fail in forks.c
	} {
		t.Run(name, func(t *testing.T) {
			dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
			pipe := filepath.Join(dir, "pipeline.json")
			must.OK(t, syscall.Mkfifo(pipe, 0o666))
			command := start(t, nil, "pipeline", "pipeline.json")
			command.Dir = dir
			must.OK(t, command.Start())
			feeding := must.Get(os.OpenFile(pipe, os.O_WRONLY, 0))(t) // when pdal reads
			defer feeding.Close()
			caller := command.Process.Pid
			others := slices.DeleteFunc(processesIn(t, dir), func(k int) bool { return k == caller })
			must.Need(t, len(others) == 1, "processes beside the caller: %v", others)
			must.OK(t, syscall.Kill(c.victim(caller, others[0]), syscall.SIGKILL))
			_ = command.Wait()
			must.Equal(t, command.ProcessState.String(), c.want, "end of the caller")
			begin := time.Now()
			for len(processesIn(t, dir)) > 0 {
				must.Need(t, time.Since(begin) < hanging, "the fork goes on")
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// parentOf returns the process that started another one.
func parentOf(t *testing.T, process int) int {
	t.Helper()
	status := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/status", process)))(t)
	parent := regexp.MustCompile(`(?m)^PPid:\s+(\d+)$`).FindSubmatch(status)
	must.Need(t, parent != nil, "no parent in %s", status)
	return must.Get(strconv.Atoi(string(parent[1])))(t)
}

// processesIn returns the processes that run in a folder.
func processesIn(t *testing.T, folder string) (all []int) {
	t.Helper()
	for _, link := range must.Get(filepath.Glob("/proc/[0-9]*/cwd"))(t) {
		if at, err := os.Readlink(link); err == nil && at == folder {
			all = append(all, must.Get(strconv.Atoi(filepath.Base(filepath.Dir(link))))(t))
		}
	}
	return all
}
