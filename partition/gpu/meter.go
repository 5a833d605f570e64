// SPDX-License-Identifier: BSD-3-Clause

package gpu

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Meter is a Backend that measures the use of another.
type Meter struct {
	Backend
	Most             int  // maximum number of bytes allocated at once; 0: all memory
	Poison           bool // new memory is filled with NaN, so that reads of unwritten memory show
	Up, Down         int  // bytes copied
	Launches, Allocs int
	Used, Peak       int           // bytes allocated
	Copying          time.Duration // time that the host waited for copies
	Running          time.Duration // time of the host in launches
	size             map[Pointer]int
}

// String returns a summary. The time of copies includes the kernels before them, unless the
// host waits for every kernel (SUPERPOINT_CUDA_SYNC).
func (m *Meter) String() string {
	return fmt.Sprintf(
		"%.1f MB up and %.1f MB down in %.3f s, %d launches in %.3f s, %d allocations, %.1f MB at most",
		float64(m.Up)/1e6, float64(m.Down)/1e6, m.Copying.Seconds(), m.Launches,
		m.Running.Seconds(), m.Allocs,
		float64(m.Peak)/1e6)
}

func (m *Meter) left() int { return cmp.Or(m.Most, math.MaxInt) - m.Used }

// Memory implements Backend.
func (m *Meter) Memory() int { return min(m.left(), m.Backend.Memory()) }

// Alloc implements Backend.
func (m *Meter) Alloc(bytes int) (Pointer, error) {
	if bytes > m.left() {
		return 0, fmt.Errorf("%d bytes, %d are left: %w", bytes, m.left(), ErrMemory)
	}
	p, err := m.Backend.Alloc(bytes)
	if err != nil {
		return p, err
	}
	if m.size == nil {
		m.size = map[Pointer]int{}
	}
	m.size[p] = bytes
	m.Allocs++
	m.Used += bytes
	m.Peak = max(m.Peak, m.Used)
	if !m.Poison {
		return p, nil
	}
	return p, m.Fill(p, 0xff, bytes)
}

// Free implements Backend.
func (m *Meter) Free(p Pointer) {
	m.Used -= m.size[p]
	delete(m.size, p)
	m.Backend.Free(p)
}

// Upload implements Backend.
func (m *Meter) Upload(to Pointer, from []byte) error {
	m.Up += len(from)
	defer func(start time.Time) { m.Copying += time.Since(start) }(time.Now())
	return m.Backend.Upload(to, from)
}

// Download implements Backend.
func (m *Meter) Download(to []byte, from Pointer) error {
	m.Down += len(to)
	defer func(start time.Time) { m.Copying += time.Since(start) }(time.Now())
	return m.Backend.Download(to, from)
}

// Launch implements Backend.
func (m *Meter) Launch(kernel Kernel, blocks, threads, shared int, arguments ...uint64) error {
	m.Launches++
	defer func(start time.Time) { m.Running += time.Since(start) }(time.Now())
	return m.Backend.Launch(kernel, blocks, threads, shared, arguments...)
}
