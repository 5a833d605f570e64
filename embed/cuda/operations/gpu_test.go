//go:build nvidia && cgo && (amd64 || arm64)

package operations

import (
	"testing"

	"superpoint/partition/device"
)

// open returns the GPU that there is.
func open(t *testing.T) device.GPU {
	t.Helper()
	g, err := device.Open("auto")
	if err != nil {
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Cleanup(g.Close)
	return g
}

// TestGPUParity compares every operation with plain Go.
func TestGPUParity(t *testing.T) {
	g := open(t)
	t.Logf("device: %s", g.Name())
	onMachine(t, !testing.Short(), func(*testing.T) device.Machine { return g })
}
