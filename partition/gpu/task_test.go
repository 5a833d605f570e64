//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package gpu_test

import (
	"embed"
	"errors"
	"math/rand/v2"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// TestDeviceScan: sums over one block, several, and more than a block of blocks.
func TestDeviceScan(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for _, count := range []int{0, 1, 2047, 2049, 2048*2048 + 3} {
		got, want := make([]uint32, count), make([]uint32, count)
		total := uint32(0)
		for i := range got {
			got[i], want[i] = random.Uint32N(9), total
			total += got[i]
		}
		backend := emulator.Open(t)
		task := gpu.Task{Backend: backend}
		p := task.Upload(gpu.Bytes(got))
		task.Scan(p, count)
		task.Download(gpu.Bytes(got), p)
		err := task.End()
		must.Need(t, err == nil, "%d numbers: %v", count, err)
		must.Equal(t, got, want, "%d numbers", count)
		must.Equal(t, backend.Used, 0, "%d numbers: backend.Used", count)
	}
}

// TestDeviceErrorsEndTasks: after an error operations have no effect, and End frees the memory.
func TestDeviceErrorsEndTasks(t *testing.T) {
	backend := &gpu.Meter{Backend: new(emulator.Backend), Most: 100}
	task := gpu.Task{Backend: backend}
	task.Alloc(64)
	task.Alloc(64)
	task.Scan(task.Alloc(8), 2)
	err := task.End()
	must.Hold(t, errors.Is(err, gpu.ErrMemory), "error %v, want gpu.ErrMemory", err)
	must.Equal(t, backend.Launches, 0, "launches")
	must.Equal(t, backend.Used, 0, "bytes not freed")
}

// TestDeviceRefusesUnknownKernels: a kernel that the module does not have is an error, as on a GPU.
func TestDeviceRefusesUnknownKernels(t *testing.T) {
	module := gpu.NewModule("other", embed.FS{})
	task := gpu.Task{Backend: new(emulator.Backend)}
	task.Launch(module.Kernel("scan_add"), 1, 1, 0, 0, 0, 0)
	must.Hold(t, task.End() != nil, "a kernel was launched that the module does not have")
}
