package pdaltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

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

// addressSpace returns the kilobytes of address space with which this PDAL and
// its libraries load the plugin, and not much more: below, the loader itself fails.
func addressSpace(t *testing.T) int {
	t.Helper()
	low, high := 0, 1<<20
	for high-low > 10_000 {
		middle := (low + high) / 2
		err := exec.Command("sh", "-c", `ulimit -v $1; exec "$2" --options filters.superpoint`, "sh", fmt.Sprint(middle),
			launcher(t)).Run()
		if ended(t, err) == 0 {
			high = middle
		} else {
			low = middle
		}
	}
	if high == 1<<20 {
		t.Fatal("pdal does not start with 1 GB of address space")
	}
	return high
}

// TestLimitedAddressSpace runs under ulimit -v: a result or an error in words,
// never an abort of the Go runtime.
func TestLimitedAddressSpace(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out.las")
	limits := []int{40_000, 300_000, 900_000, 1_800_000, 2_300_000}
	if full(0, 1) == 1 {
		limits = append(limits, 80_000, 160_000, 500_000, 1_200_000, 1_500_000, 2_100_000, 2_200_000, 2_500_000, 2_900_000)
	}
	least := addressSpace(t)
	for i := range limits {
		limits[i] += least
	}
	for _, points := range []int{3000, full(60_000, 600_000)} {
		file := pipelineFile(t, faux(points), superpoint(nil), writer(out))
		for _, kilobytes := range limits {
			os.Remove(out)
			text, err := exec.Command("sh", "-c", `ulimit -v $1; exec "$2" pipeline "$3"`, "sh", fmt.Sprint(kilobytes),
				launcher(t), file).CombinedOutput()
			code := ended(t, err)
			_, none := os.Stat(out)
			t.Logf("%d points, ulimit -v %d: exit code %d", points, kilobytes, code)
			if code == 0 && none == nil {
				continue
			}
			if code != 1 || none == nil || !strings.Contains(string(text), "ulimit -v") &&
				!strings.Contains(string(text), "memory") {
				t.Errorf("%d points, ulimit -v %d: exit code %d, file left %v\n%.600s", points, kilobytes, code, none == nil, text)
			}
		}
	}
}

// interruptible lets SIGINT reach the programs that a test starts, also where the
// tests themselves were started with it ignored, as a shell does behind `&`.
func interruptible(t *testing.T) {
	all := make(chan os.Signal, 1)
	signal.Notify(all, os.Interrupt)
	t.Cleanup(func() { signal.Stop(all) })
}

// TestSignals interrupts and terminates pdal in every step.
func TestSignals(t *testing.T) {
	interruptible(t)
	out := filepath.Join(t.TempDir(), "out.laz")
	file := pipelineFile(t, faux(40_000), superpoint(stage{"solver": "cut-pursuit"}), writer(out))
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
	for i, step := range []string{"neighbors", "embedding", "graph", "partition"} {
		for k, sent := range signals {
			if full(0, 1) == 0 && i%2 != k {
				continue // every step and both signals, but not every pair
			}
			os.Remove(out)
			command, lines := started(t, "pipeline", file)
			reached := false
			for !reached && lines.Scan() {
				reached = strings.HasPrefix(lines.Text(), "PROGRESS "+step)
			}
			must.OK(t, command.Process.Signal(sent))
			start := time.Now()
			for lines.Scan() {
			}
			command.Wait()
			took := time.Since(start)
			status := command.ProcessState.Sys().(syscall.WaitStatus)
			t.Logf("%s in step %s: ended after %v", sent, step, took.Round(time.Millisecond))
			if !reached || !status.Signaled() || status.Signal() != sent || took > time.Second {
				t.Errorf("%s in step %s (reached: %v): %v after %v", sent, step, reached, command.ProcessState, took)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s in step %s: an output file was left behind", sent, step)
			}
		}
	}
}

// TestInterruptedCommand interrupts `pdal superpoint eval`.
func TestInterruptedCommand(t *testing.T) {
	interruptible(t)
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, faux(60_000), writer(in)).ok(t)
	command, lines := started(t, "superpoint", "eval", "--model", "geometric", "--truth", "Classification",
		"--solver", "cut-pursuit", in)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "PROGRESS") {
	}
	command.Process.Signal(os.Interrupt)
	start := time.Now()
	for lines.Scan() {
	}
	if code, took := ended(t, command.Wait()), time.Since(start); code == 0 || took > 3*time.Second {
		t.Errorf("exit code %d after %v", code, took)
	}
}

// TestFullDisk writes to a device that is always full.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	in, _ := houseFile(t, 0, 0, 1)
	o := pdal(t, nil, "superpoint", "eval", "--model", "geometric", "--truth", "Classification", "--output", "/dev/full",
		in)
	if o.code != 1 {
		t.Errorf("eval to a full disk: exit code %d\n%s", o.code, o.stderr)
	}
	folder := t.TempDir()
	for name, args := range map[string][]string{
		"out.las":          {"segment", in, filepath.Join(folder, "out.las")},
		"survey/plan.json": {"survey", "plan", "--output", filepath.Join(folder, "survey"), in},
	} {
		limited := exec.Command("sh", append([]string{"-c", `trap "" XFSZ; ulimit -f 8; exec "$@"`, "sh", launcher(t),
			"superpoint"}, args...)...) // files of at most 4 kB
		text, err := limited.CombinedOutput()
		if code := ended(t, err); code != 1 || strings.Contains(string(text), "has no points") {
			t.Errorf("%s to a full disk: exit code %d\n%s", args[0], code, text)
		}
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s was written to a full disk", name)
		}
	}
	sh := exec.Command("sh", "-c", `exec "$1" superpoint info "$2" >/dev/full`, "sh", launcher(t), "geometric")
	text, err := sh.CombinedOutput()
	if code := ended(t, err); code != 1 && code != 0 {
		t.Errorf("info to a full disk: exit code %d\n%s", code, text)
	}
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
	for _, path := range []string{"/dev/zero", "/dev/stdin", filepath.Dir(model)} {
		refused(t, pipeline(t, nil, reader(in), superpoint(stage{"model": path}), stage{"type": "writers.null"}), "",
			"option model", path)
	}
}

// TestManyProcesses runs a small pipeline many times, two at a time.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	var group sync.WaitGroup
	for worker := range 2 {
		out := filepath.Join(t.TempDir(), fmt.Sprint(worker, ".las"))
		file := pipelineFile(t, reader(in), superpoint(nil), writer(out))
		group.Go(func() {
			var first []byte
			for i := range full(5, 500) {
				text, err := exec.Command(launcher(t), "pipeline", file).CombinedOutput()
				if err != nil {
					t.Errorf("run %d: %v\n%s", i, err, text)
					return
				}
				points, err := os.ReadFile(out)
				if err != nil {
					t.Error(err)
					return
				}
				points = points[min(len(points), 400):] // without the header's date
				if first == nil {
					first = points
				} else if !slices.Equal(first, points) {
					t.Errorf("run %d gives other points", i)
				}
			}
		})
	}
	group.Wait()
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
