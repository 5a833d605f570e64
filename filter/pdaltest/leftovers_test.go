// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/testdata/must"
)

// unfinishedFiles lists what is under a folder and is no finished file: temporary folders of package
// pipelines/files/atomicfile, and any hidden file but the records of outputs and the marks of folders.
func unfinishedFiles(t *testing.T, folder string) (all []string) {
	t.Helper()
	must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") && path != folder && !strings.HasSuffix(e.Name(), ".superpoint") {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// TestSignals ends pdal in every step of a pipeline, which the signal ends within a second, and commands in the middle
// of their work: they leave no temporary file and no output. What SIGKILL leaves the next run removes.
func TestSignals(t *testing.T) {
	interruptible(t)
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
		{syscall.SIGINT, "eval --model geometric --solver cut-pursuit {in}", ""}, {syscall.SIGHUP, "survey run {dir}", ""}}
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
			args = append(args, pipelineFile(t, faux(40_000), superpoint(stage{"solver": "cut-pursuit"}), writer(out)))
		} else {
			args = append([]string{"superpoint"},
				strings.Fields(strings.NewReplacer("{in}", in, "{dir}", dir).Replace(c.args))...)
		}
		if args[1] == "survey" {
			do(t, "survey", "plan", "--output", dir, in)
		}
		command, lines := started(t, args...)
		reached := false
		for !reached && lines.Scan() { // the first steps of a survey only look, and have no file; nor has eval
			reached = strings.HasPrefix(lines.Text(), "PROGRESS "+c.step) &&
				(c.step != "" || args[1] == "eval" || len(unfinishedFiles(t, dir)) > 0)
		}
		must.OK(t, command.Process.Signal(c.signal))
		start := time.Now()
		for lines.Scan() {
		}
		_ = command.Wait()
		took, status := time.Since(start), command.ProcessState.Sys().(syscall.WaitStatus)
		if !reached || status.ExitStatus() == 0 ||
			c.step != "" && (!status.Signaled() || status.Signal() != c.signal || took > time.Second) {
			t.Errorf("%v to %v in step %s (reached: %v): %v after %v", c.signal, args, c.step, reached,
				command.ProcessState, took)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v to %v in step %s: an output is there", c.signal, args, c.step)
		}
		left := unfinishedFiles(t, dir)
		if killed := c.signal == syscall.SIGKILL; killed != (len(left) > 0) {
			t.Errorf("%v to %v: left %v", c.signal, args, left)
		} else if killed {
			do(t, "segment", "--model", "geometric", in, out)
			if left := unfinishedFiles(t, dir); len(left) > 0 {
				t.Errorf("the next run leaves %v", left)
			}
		}
	}
}

// TestIgnoredSignals: a command that ignores signals, as after nohup, continues.
func TestIgnoredSignals(t *testing.T) {
	in, _ := houseFile(t, 400000, 6000000, 1)
	out := filepath.Join(t.TempDir(), "out.laz")
	command, lines := startedBy(t, "sh", "-c", `trap "" INT HUP; exec "$0" "$@"`, launcher(t), "superpoint", "segment",
		"--model", "geometric", in, out)
	sent := false
	for lines.Scan() {
		if !sent && strings.HasPrefix(lines.Text(), "PROGRESS") {
			must.OK(t, command.Process.Signal(os.Interrupt))
			must.OK(t, command.Process.Signal(syscall.SIGHUP))
			sent = true
		}
	}
	if code := ended(t, command.Wait()); code != 0 || !sent {
		t.Errorf("exit code %d; signals sent: %v", code, sent)
	}
	must.Get(os.Stat(out))(t)
}

// TestFullDisk limits the size of files to 4 kB: every command fails in words and leaves no file under its name and no
// temporary one. Without the limit the same command continues.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(20_000), superpoint(nil), writer(in)).ok(t)
	packed := in[:len(in)-1] + "z"
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
		"eval --id SuperpointID --output /dev/full {in}",
		"survey plan --model geometric --output {disk}/survey {packed}",
	} {
		args := strings.Fields(strings.NewReplacer("{in}", in, "{packed}", packed, "{disk}", disk).Replace(text))
		command := exec.Command("sh", append([]string{"-c", `trap "" XFSZ; ulimit -f 8; exec "$@"`, "sh", launcher(t),
			"superpoint"}, args...)...)
		o := outcomeOf(t, command)
		if o.code != 1 || o.stderr == "" || strings.Contains(o.stderr, "has no points") {
			t.Errorf("%s: exit code %d\n%s", text, o.code, o.stderr)
		}
		found, _ := filepath.Glob(filepath.Join(disk, "out*"))
		planned, _ := filepath.Glob(filepath.Join(disk, "survey", "plan.json"))
		if left := slices.Concat(found, planned, unfinishedFiles(t, disk)); len(left) > 0 {
			t.Errorf("%s left %v", text, left)
		}
	}
	do(t, "segment", "--model", "geometric", in, filepath.Join(disk, "out.laz"))
}

// smallDisk returns the folder of a disk, and what changes its size in bytes; nil if none can be mounted.
func smallDisk(t *testing.T, size int64) (disk string, resize func(size int64)) {
	t.Helper()
	disk = t.TempDir()
	mount := func(options string, size int64) error {
		return exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("%ssize=%d", options, size), "tmpfs", disk).Run()
	}
	if err := mount("", size); err != nil {
		t.Skipf("no tmpfs can be mounted here (that needs root): %v", err)
	}
	t.Cleanup(func() { must.OK(t, exec.Command("umount", disk).Run()) })
	return disk, func(size int64) { must.OK(t, mount("remount,", size)) }
}

// TestFolderOnFullDisk: a run ends at the tile for which the disk has no room, not after all others have been computed
// for nothing, and continues when there is room.
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
		full := regexp.MustCompile("the disk is full after ([12] of 4) files; make room").FindStringSubmatch(o.stderr)
		if o.code != 1 || full == nil || strings.Count(o.stderr, "no space left on device") != 1 {
			t.Fatalf("%s: exit code %d\n%s", command, o.code, o.stderr)
		}
		if left := unfinishedFiles(t, disk); len(left) > 0 {
			t.Errorf("%s left %v", command, left)
		}
		resize(large)
		if o = do(t, command, at(""), out); !strings.Contains(o.stderr, full[1]+" outputs of the same inputs") {
			t.Errorf("%s: finished tiles were not kept\n%s", command, o.stderr)
		}
		if warned := strings.Count(o.stderr, "set it with --default_srs"); warned != 2 || // with the first, and at the end
			!strings.Contains(o.stderr, "further file") {
			t.Errorf("%s: %d warnings of no reference\n%s", command, warned, o.stderr)
		}
		must.OK(t, os.RemoveAll(out))
		resize(small)
	}
}

// TestGDALOnFullDisk writes to disks on which the temporary GeoJSON fits, but not all of the GeoPackage, for which GDAL
// reports its SQL.
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
		if _, err := os.Stat(path); o.code != 1 || err == nil || strings.Contains(o.stderr, "SELECT") {
			t.Errorf("on a disk of %d fifths of its size: exit code %d\n%s", 5+k, o.code, o.stderr)
		}
	}
}

// TestNoNetworkAndNoOtherFiles watches the system calls of a pipeline: no
// socket to another machine is opened, and nothing is written but the output.
func TestNoNetworkAndNoOtherFiles(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed (apt-get install strace)")
	}
	in, _ := houseFile(t, 0, 0, 1)
	folder := t.TempDir()
	out, log := filepath.Join(folder, "out.las"), filepath.Join(folder, "trace")
	file := pipelineFile(t, reader(in), stage{"type": "filters.superpoint"}, writer(out))
	text, err := exec.Command(strace, "-f", "-qq", "-e",
		"trace=network,open,openat,creat,rename,renameat,unlink,unlinkat,mkdir,execve", "-o", log, launcher(t), "pipeline",
		file).CombinedOutput()
	if err != nil {
		if strings.Contains(string(text), "ptrace") {
			t.Skipf("this system does not let strace trace: %s", text)
		}
		t.Fatalf("%v\n%s", err, text)
	}
	trace := must.Get(os.ReadFile(log))(t)
	writes := regexp.MustCompile(`open(at)?\(.*"([^"]+)".*O_(WRONLY|RDWR|CREAT)`)
	changes := regexp.MustCompile(`^\d+ +(rename|unlink|mkdir|creat)\w*\(`)
	network := regexp.MustCompile(`^\d+ +(socket\(AF_INET|connect\(|bind\(|sendto\()`)
	for line := range strings.Lines(string(trace)) {
		switch m := writes.FindStringSubmatch(line); {
		case network.MatchString(line):
			t.Errorf("network: %s", line)
		case m != nil && m[2] != out && !strings.HasPrefix(m[2], "/dev/") && !strings.HasPrefix(m[2], "/proc/self/") &&
			!strings.Contains(line, "ENOENT"):
			t.Errorf("a file beside the output: %s", line)
		case changes.MatchString(line) && !strings.Contains(line, out):
			t.Errorf("a change beside the output: %s", line)
		}
	}
}
