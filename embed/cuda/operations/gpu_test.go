//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"gorgonia.org/cu"

	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// open returns the GPU, or the one that SUPERPOINT_GPU names ("cuda:1"). Each process opens
// its own.
func open(t *testing.T) gpu.GPU {
	t.Helper()
	g, err := gpu.Open(cmp.Or(os.Getenv("SUPERPOINT_GPU"), "auto"))
	if err != nil && os.Getenv(aloneVariable) != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Cleanup(g.Close)
	return g
}

// aloneVariable is set in the environment of a process that runs one subtest, and for tools
// that inspect one process.
const aloneVariable = "SUPERPOINT_ALONE"

// line is one that a subtest prints.
var line = regexp.MustCompile(`(?m)^    \w+_test\.go:\d+: (.*)`)

// alone runs a subtest in a process of its own, for at most two minutes: after an error of
// the GPU, or during an endless kernel, a process cannot be used again.
func alone(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) {
		if os.Getenv(aloneVariable) != "" {
			f(t)
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(t.Name()), "/", "$/^") + "$"
		arguments := []string{"-test.v", "-test.run", pattern}
		if testing.Short() {
			arguments = append(arguments, "-test.short")
		}
		command := exec.CommandContext(ctx, os.Args[0], arguments...)
		command.Env = append(os.Environ(), aloneVariable+"=1")
		out, err := command.CombinedOutput()
		for _, m := range line.FindAllSubmatch(out, -1) {
			t.Logf("%s", m[1])
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, cmp.Or(ctx.Err(), err), out[max(0, len(out)-2000):])
		}
	})
}

// headline logs a line once, not in the processes of subtests.
func headline(t *testing.T, format string, values ...any) {
	if os.Getenv(aloneVariable) == "" {
		t.Logf(format, values...)
	}
}

// TestGPUParity compares every operation with plain Go, each in a process of its own.
// The context that the caller has stays current.
func TestGPUParity(t *testing.T) {
	headline(t, "device: %s", open(t).Name())
	onBackend(t, !testing.Short(), alone, func(t *testing.T) gpu.Backend {
		runtime.LockOSThread() // contexts are those of threads
		before := must.Get(cu.CurrentContext())(t)
		t.Cleanup(func() {
			if after, err := cu.CurrentContext(); err != nil || after != before {
				t.Errorf("the caller's context was not restored (%v)", err)
			}
			runtime.UnlockOSThread()
		})
		return open(t)
	})
}
