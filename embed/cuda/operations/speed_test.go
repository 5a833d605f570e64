//go:build nvidia && cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package operations

import (
	"maps"
	"slices"
	"testing"
	"time"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// repeats is the number of measurements.
const repeats = 5

// median returns the median time of a function on the host.
func median(t *testing.T, f func() error) float64 {
	t.Helper()
	var seconds []float64
	for range repeats {
		start := time.Now()
		must.OK(t, f())
		seconds = append(seconds, time.Since(start).Seconds())
	}
	return slices.Sorted(slices.Values(seconds))[repeats/2]
}

// TestGPUSpeed times every operation on the processor and, with its copies, on the
// GPU, and each kernel, for which the host waits.
func TestGPUSpeed(t *testing.T) {
	t.Logf("device: %s", open(t).Name())
	t.Logf("%-26s %9s %10s %10s %7s %9s %9s %9s %8s", "median of 5, with copies", "points", "CPU, M/s", "GPU, M/s",
		"ratio", "MB up", "MB down", "MB peak", "launches")
	for _, o := range All() {
		t.Run(o.Name, func(t *testing.T) { speed(t, o) })
	}
}

func speed(t *testing.T, o Operation) {
	g, points := open(t), 4_000_000
	if testing.Short() {
		points = 2_000
	}
	t.Setenv(arithmetic.KernelVariable, "")
	s := must.Get(New(Case{Kind: "street", Points: points}, seedOf(t)))(t)
	m := &gpu.Meter{Backend: g}
	must.Get(o.Do(m, s))(t)
	onGPU := median(t, func() error { _, err := o.Do(g, s); return err })
	cpu := median(t, func() error { _, err := o.Do(nil, s); return err })
	t.Logf("%-26s %9d %10.3f %10.3f %7.2f %9.1f %9.1f %9.1f %8d", o.Name, points, float64(points)/cpu/1e6,
		float64(points)/onGPU/1e6, cpu/onGPU, float64(m.Up)/1e6, float64(m.Down)/1e6, float64(m.Peak)/1e6, m.Launches)
	t.Setenv("SUPERPOINT_CUDA_SYNC", "1")
	alone := &gpu.Meter{Backend: open(t)}
	must.Get(o.Do(alone.Backend, s))(t) // loads the kernels
	for range repeats {
		must.Get(o.Do(alone, s))(t)
	}
	for _, name := range slices.Sorted(maps.Keys(alone.Running)) {
		t.Logf("  %-16s %10.3f ms", name, 1e3*alone.Running[name].Seconds()/repeats)
	}
}
