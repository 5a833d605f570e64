// SPDX-License-Identifier: BSD-3-Clause

// Package gpu runs kernels on a GPU: it opens the GPU, manages its memory, copies data,
// and launches kernels. The kernels are in other packages,
// beside the code that does the same on the CPU; these pass their Module to Launch. A
// Backend is a GPU (build tag nvidia) or, in tests, the emulator, which runs the same
// kernels on the CPU (embed/cuda/emulator).
package gpu

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// ErrMemory is wrapped by the error of a Backend whose memory does not suffice.
var ErrMemory = errors.New("not enough memory on the GPU")

// Pointer is an address in a backend's memory.
type Pointer uint64

// Backend runs kernels on arrays in its own memory, in the order of the calls.
// It is used by one goroutine at a time. Every error names its cause.
type Backend interface {
	// Alloc returns memory with arbitrary content.
	Alloc(bytes int) (Pointer, error)
	// Free releases memory; 0 is allowed.
	Free(p Pointer)
	// Memory returns the number of bytes that can still be allocated.
	Memory() int
	// Upload and Download copy slices and return when the copy is complete.
	Upload(to Pointer, from []byte) error
	Download(to []byte, from Pointer) error
	// Fill sets every byte.
	Fill(p Pointer, value byte, bytes int) error
	// Launch runs a kernel on blocks × threads with shared bytes of memory a
	// block. Arguments are the kernel's, widened to 8 bytes; Task.Launch does that.
	Launch(kernel Kernel, blocks, threads, shared int, arguments ...uint64) error
}

// widened returns an argument of a kernel in 8 bytes.
func widened(argument any) uint64 {
	switch v := argument.(type) {
	case uint64:
		return v
	case Pointer:
		return uint64(v)
	case int:
		return uint64(v)
	case float32:
		return uint64(math.Float32bits(v))
	}
	panic(fmt.Sprintf("gpu: a kernel has no argument of %T", argument))
}

// Bytes returns the memory of a slice.
func Bytes[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}
