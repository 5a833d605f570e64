// SPDX-License-Identifier: BSD-3-Clause

package gpu

import (
	"unsafe"

	"superpoint/partition/base/parallel"
)

// Task is a sequence of operations on a backend. After the first error, which it keeps,
// operations do nothing; End frees its memory.
type Task struct {
	Backend Backend
	Err     error
	owned   []Pointer
}

// Alloc returns memory that End frees.
func (t *Task) Alloc(bytes int) (p Pointer) {
	if t.Err == nil {
		p, t.Err = t.Backend.Alloc(max(bytes, 16))
		t.owned = append(t.owned, p)
	}
	return p
}

// Upload copies to new memory.
func (t *Task) Upload(from []byte) Pointer {
	p := t.Alloc(len(from))
	t.Copy(p, from)
	return p
}

// Copy copies to the backend.
func (t *Task) Copy(to Pointer, from []byte) {
	if t.Err == nil {
		t.Err = t.Backend.Upload(to, from)
	}
}

// Download copies from the backend.
func (t *Task) Download(to []byte, from Pointer) {
	if t.Err == nil {
		t.Err = t.Backend.Download(to, from)
	}
}

// Fill sets every byte.
func (t *Task) Fill(p Pointer, value byte, bytes int) {
	if t.Err == nil {
		t.Err = t.Backend.Fill(p, value, bytes)
	}
}

// page is the least size of a page of memory in bytes.
const page = 4 << 10

// Touched returns n zeroes for a download, and writes to each of their pages on all threads before: a
// driver that copies into pages never written to finds them one at a time, at a tenth of the speed.
func Touched[T any](run parallel.Run, n int) []T {
	x := make([]T, n)
	zero := *new(T)
	each := page / int(unsafe.Sizeof(zero))
	// Only a cancelled run leaves pages out.
	_ = run.Quiet().ForEach((n+each-1)/each, 256, func(i int) { x[i*each] = zero })
	return x
}

// Launch runs a kernel with at least one thread for each item. Arguments are pointers,
// integers and float32.
func (t *Task) Launch(kernel Kernel, items, threads, shared int, arguments ...any) {
	if t.Err != nil || items <= 0 {
		return
	}
	wide := make([]uint64, len(arguments))
	for i, a := range arguments {
		wide[i] = widened(a)
	}
	t.Err = t.Backend.Launch(kernel, (items+threads-1)/threads, threads, shared, wide...)
}

// Keep excludes memory from what End frees.
func (t *Task) Keep(p Pointer) Pointer {
	for i, q := range t.owned {
		if q == p {
			t.owned = append(t.owned[:i], t.owned[i+1:]...)
			break
		}
	}
	return p
}

// End frees the task's memory and returns the first error.
func (t *Task) End() error {
	for _, p := range t.owned {
		t.Backend.Free(p)
	}
	t.owned = nil
	return t.Err
}

// Release frees memory before the end.
func (t *Task) Release(p Pointer) {
	if p != 0 {
		t.Backend.Free(t.Keep(p))
	}
}

// PowerOfTwo returns the least power of two that is at least atLeast: the size of a hash
// table whose indices are computed by a mask.
func PowerOfTwo(atLeast int) int {
	n := 1
	for n < atLeast {
		n *= 2
	}
	return n
}
