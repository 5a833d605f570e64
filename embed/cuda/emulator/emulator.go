//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

// Package emulator is a gpu.Backend that runs the CUDA kernels' code on the CPU,
// compiled by gcc, so that their arithmetic, their barriers and their host code are
// tested without a GPU. It is slow, imported only by tests, and not a measure of speed.
// Blocks and threads run in a random order that differs between launches and between
// values of the environment variable SUPERPOINT_SEED. New memory is filled with NaN,
// and every access of the host is checked for its bounds; gpu.Meter limits and counts.
package emulator

// #cgo CFLAGS: -O2 -std=c11 -D_GNU_SOURCE
// #cgo LDFLAGS: -lm
// #include "emulator.h"
// #include <stdlib.h>
// #include <string.h>
import "C"

import (
	"fmt"
	"os"
	"strconv"
	"unsafe"

	_ "superpoint/embed/layout" // these have the files that emulator.c includes
	_ "superpoint/embed/lpe"
	"superpoint/partition/gpu"
	_ "superpoint/partition/neighbor"
)

// Backend implements gpu.Backend.
type Backend struct {
	Fail  func(call int) error // if set, called before every allocation and launch, which return its error
	calls int
	size  map[gpu.Pointer]int
	known map[gpu.Kernel]bool // of modules
}

func (m *Backend) fails() error {
	m.calls++
	if m.Fail != nil {
		return m.Fail(m.calls)
	}
	return nil
}

// Alloc implements gpu.Backend.
func (m *Backend) Alloc(bytes int) (gpu.Pointer, error) {
	if err := m.fails(); err != nil {
		return 0, err
	}
	p := C.malloc(C.size_t(bytes))
	C.memset(p, 0xff, C.size_t(bytes))
	if m.size == nil {
		m.size = map[gpu.Pointer]int{}
	}
	m.size[gpu.Pointer(uintptr(p))] = bytes
	return gpu.Pointer(uintptr(p)), nil
}

// Free implements gpu.Backend.
func (m *Backend) Free(p gpu.Pointer) {
	if p == 0 {
		return
	}
	bytes, ok := m.size[p]
	if !ok {
		panic("emulator: memory freed that was not allocated")
	}
	C.memset(address(p), 0xff, C.size_t(bytes))
	C.free(address(p))
	delete(m.size, p)
}

// Used returns the bytes that are allocated.
func (m *Backend) Used() (sum int) {
	for _, bytes := range m.size {
		sum += bytes
	}
	return sum
}

// Memory implements gpu.Backend: a GiB.
func (m *Backend) Memory() int { return 1<<30 - m.Used() }

// Upload implements gpu.Backend.
func (m *Backend) Upload(to gpu.Pointer, from []byte) error {
	if err := m.check(to, len(from)); err != nil || len(from) == 0 {
		return err
	}
	C.memcpy(address(to), unsafe.Pointer(&from[0]), C.size_t(len(from)))
	return nil
}

// Download implements gpu.Backend.
func (m *Backend) Download(to []byte, from gpu.Pointer) error {
	if err := m.check(from, len(to)); err != nil || len(to) == 0 {
		return err
	}
	C.memcpy(unsafe.Pointer(&to[0]), address(from), C.size_t(len(to)))
	return nil
}

// Fill implements gpu.Backend.
func (m *Backend) Fill(p gpu.Pointer, value byte, bytes int) error {
	if err := m.check(p, bytes); err != nil {
		return err
	}
	C.memset(address(p), C.int(value), C.size_t(bytes))
	return nil
}

// check returns an error unless one allocation contains the bytes from p on.
func (m *Backend) check(p gpu.Pointer, bytes int) error {
	for start, size := range m.size {
		if p >= start && int(p-start)+bytes <= size {
			return nil
		}
	}
	return fmt.Errorf("emulator: %d bytes at %#x are not inside an allocation", bytes, uint64(p))
}

// seed returns the seed of the random order of a launch.
func (m *Backend) seed() uint64 {
	given, _ := strconv.ParseUint(os.Getenv("SUPERPOINT_SEED"), 10, 32)
	return given<<32 + uint64(m.calls)
}

// Launch implements gpu.Backend. It returns an error if the PTX of the kernel's module
// does not contain the kernel, as a GPU would.
func (m *Backend) Launch(kernel gpu.Kernel, blocks, threads, shared int, arguments ...uint64) error {
	if err := m.fails(); err != nil {
		return err
	}
	if !m.known[kernel] && !kernel.There() {
		return fmt.Errorf("emulator: %s.ptx has no kernel %q", kernel.Module.Name, kernel.Name)
	}
	if m.known == nil {
		m.known = map[gpu.Kernel]bool{}
	}
	m.known[kernel] = true
	name := C.CString(kernel.Name)
	defer C.free(unsafe.Pointer(name))
	switch C.emulator_launch(name, C.uint32_t(blocks), C.uint32_t(threads), C.uint32_t(shared),
		(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(arguments))), C.int(len(arguments)),
		C.uint64_t(m.seed())) {
	case C.EMULATOR_INVALID:
		return fmt.Errorf(
			"emulator: no kernel %q, or a block exceeds its limits: %d threads, %d bytes shared", kernel.Name,
			threads, shared)
	case C.EMULATOR_DIVIDED:
		return fmt.Errorf("emulator: kernel %q has a barrier that not all threads reach", kernel.Name)
	}
	return nil
}

func address(p gpu.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }
