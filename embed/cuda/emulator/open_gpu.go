//go:build nvidia && cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package emulator

import (
	"cmp"
	"os"
	"runtime"
	"testing"

	"gorgonia.org/cu"

	"superpoint/partition/gpu"
)

// Large is true: see open.go.
const Large = true

// Open returns the GPU, or the one that SUPERPOINT_GPU names ("cuda:1"). At the end of the test the context
// that the caller had has to be current. New memory is poisoned unless SUPERPOINT_POISON is "off", for tools
// that find memory which is read before it is written.
func Open(t testing.TB) *gpu.Meter {
	t.Helper()
	runtime.LockOSThread()                 // contexts belong to threads
	before, unknown := cu.CurrentContext() // before the driver's first use
	g, err := gpu.Open(cmp.Or(os.Getenv("SUPERPOINT_GPU"), "auto"))
	if err != nil {
		runtime.UnlockOSThread()
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Logf("device: %s", g.Name())
	t.Cleanup(func() {
		g.Close()
		after, err := cu.CurrentContext()
		if runtime.UnlockOSThread(); unknown == nil && (err != nil || after != before) {
			t.Errorf("the caller's context was not restored: %v", err)
		}
	})
	return &gpu.Meter{Backend: g, Poison: os.Getenv("SUPERPOINT_POISON") != "off"}
}
