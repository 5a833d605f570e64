//go:build nvidia && cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package operations

import (
	"cmp"
	"os"
	"runtime"
	"testing"

	"gorgonia.org/cu"

	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// open returns the GPU, or the one that SUPERPOINT_GPU names ("cuda:1").
func open(t *testing.T) gpu.GPU {
	t.Helper()
	g, err := gpu.Open(cmp.Or(os.Getenv("SUPERPOINT_GPU"), "auto"))
	if err != nil {
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Cleanup(g.Close)
	return g
}

// TestGPUParity compares every operation with plain Go. The context that the caller has stays
// current.
func TestGPUParity(t *testing.T) {
	t.Logf("device: %s", open(t).Name())
	onBackend(t, !testing.Short(), func(t *testing.T) gpu.Backend {
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
