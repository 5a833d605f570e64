//go:build nvidia && cgo

package gpu

import (
	"time"

	"gorgonia.org/cu"
)

// Compile makes the driver compile all modules and calls each with the seconds; for
// benchmarks.
func (g *gpu) Compile(each func(module string, seconds float64)) error {
	for _, m := range modules {
		start := time.Now()
		if err := g.within(func() error { return g.load(m) }); err != nil {
			return err
		}
		each(m.Name, time.Since(start).Seconds())
	}
	return nil
}

// Pinned returns pinned memory of the host, and a function that frees it; for benchmarks.
func (g *gpu) Pinned(bytes int) (memory []byte, free func(), err error) {
	err = g.within(func() error { memory, err = pinned(bytes); return err })
	return memory, func() { _ = g.within(func() error { unpin(memory); return nil }) }, err
}

// Clock returns the seconds from the first to the last of the kernels and copies that f
// starts, measured by two events of the GPU; for benchmarks.
func (g *gpu) Clock(f func() error) (seconds float64, err error) {
	err = g.do(func() error {
		var events [2]cu.Event
		for i := range events {
			if events[i], err = cu.MakeEvent(cu.BlockingSyncEvent); err != nil {
				return err
			}
			defer cu.DestroyEvent(&events[i])
		}
		if err := events[0].Record(cu.NoStream); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		if err := events[1].Record(cu.NoStream); err != nil {
			return err
		}
		if err := events[1].Synchronize(); err != nil {
			return err
		}
		milliseconds, err := events[0].Elapsed(events[1])
		seconds = milliseconds / 1000
		return err
	}, "measuring on %s", g.name)
	return seconds, err
}
