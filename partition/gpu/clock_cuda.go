//go:build nvidia && cgo

// SPDX-License-Identifier: BSD-3-Clause

package gpu

import "gorgonia.org/cu"

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
