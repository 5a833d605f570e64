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

// timed is a GPU that measures every kernel by events, and sums its seconds in each of
// several passes.
type timed struct {
	gpu.GPU
	spent map[string]*spent
	pass  int
}

type spent struct {
	launches int // in all passes
	seconds  [repeats]float64
}

// clocked is a GPU that measures by its own events.
type clocked interface {
	Clock(f func() error) (seconds float64, err error)
}

func (g *timed) Launch(kernel gpu.Kernel, blocks, threads, shared int, arguments ...uint64) error {
	seconds, err := g.GPU.(clocked).Clock(func() error {
		return g.GPU.Launch(kernel, blocks, threads, shared, arguments...)
	})
	s := g.spent[kernel.Name]
	if s == nil {
		s = &spent{}
		g.spent[kernel.Name] = s
	}
	s.seconds[g.pass] += seconds
	s.launches++
	return err
}

// kernels runs a function several times on a GPU and returns the seconds of its kernels.
func kernels(t *testing.T, g gpu.GPU, f func(g gpu.GPU) error) map[string]*spent {
	t.Helper()
	clock := &timed{GPU: g, spent: map[string]*spent{}}
	for clock.pass = range repeats {
		must.OK(t, f(clock))
	}
	return clock.spent
}

// repeats is the number of measurements.
const repeats = 5

// middle returns the median.
func middle(seconds []float64) float64 { return slices.Sorted(slices.Values(seconds))[len(seconds)/2] }

// median returns the median time of a function on the host.
func median(t *testing.T, f func() error) float64 {
	t.Helper()
	var seconds []float64
	for range repeats {
		start := time.Now()
		must.OK(t, f())
		seconds = append(seconds, time.Since(start).Seconds())
	}
	return middle(seconds)
}

// TestGPUSpeed times every operation on the processor and, with its copies, on the
// GPU, and each kernel alone.
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
	alone := kernels(t, g, func(g gpu.GPU) error { _, err := o.Do(g, s); return err })
	for _, name := range slices.Sorted(maps.Keys(alone)) {
		k := alone[name]
		t.Logf("  %-16s %10.3f ms, %3d launches", name, 1e3*middle(k.seconds[:]), k.launches/repeats)
	}
}
