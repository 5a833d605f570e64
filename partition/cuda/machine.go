// Package cuda carries the neighbour search and the partition to a GPU: exact
// nearest neighbours with the order of neighbours of package neighbor, edge
// contrasts, and the rounds of package merge. Here is the host's side, over a
// Machine, which is a GPU (embed/cuda, build tag nvidia) or, in tests, the
// emulator that runs the same kernels on the CPU. Kernels are in
// embed/cuda/kernels. Results do not depend on the order in which a GPU runs
// its threads: ids are equal from run to run. Lengths are in metres.
package cuda

import (
	"errors"
	"math"
	"unsafe"
)

// ErrMemory is what a Machine's error wraps when its memory does not suffice.
var ErrMemory = errors.New("not enough memory on the GPU")

// Pointer is an address in a machine's memory.
type Pointer uint64

// Machine runs kernels on arrays in its own memory, in the order of the calls.
// It is used by one goroutine at a time. Every error names its cause.
type Machine interface {
	// Alloc returns memory with arbitrary content.
	Alloc(bytes int) (Pointer, error)
	// Free gives memory back; 0 is allowed.
	Free(p Pointer)
	// Memory returns how many bytes may still be allocated.
	Memory() int
	// Upload and Download copy whole slices and return when that is done.
	Upload(to Pointer, from []byte) error
	Download(to []byte, from Pointer) error
	// Fill sets every byte.
	Fill(p Pointer, value byte, bytes int) error
	// Launch runs a kernel on blocks × threads with shared bytes of memory a
	// block. Arguments are the kernel's, widened to 8 bytes: see Float, Double.
	Launch(kernel string, blocks, threads, shared int, arguments ...uint64) error
}

// Copier is a Machine that copies while kernels run.
type Copier interface {
	Machine
	// Later begins to copy what the kernels launched so far write to from. The
	// copy is in to when wait has returned; until then the memory must stay as
	// it is. wait is called once.
	Later(to []byte, from Pointer) (wait func() error, err error)
}

// Float returns a float32 argument of a kernel.
func Float(v float32) uint64 { return uint64(math.Float32bits(v)) }

// Double returns a float64 argument of a kernel.
func Double(v float64) uint64 { return math.Float64bits(v) }

// Bytes returns the memory of a slice.
func Bytes[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// Task is a piece of work on a machine: it keeps the first error, after which
// everything else does nothing, and frees its memory at the end.
type Task struct {
	Machine Machine
	Err     error
	owned   []Pointer
	waits   []func() // for copies that have begun
}

// Alloc returns memory that End frees.
func (t *Task) Alloc(bytes int) (p Pointer) {
	if t.Err == nil {
		p, t.Err = t.Machine.Alloc(max(bytes, 16))
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

// Copy copies to the machine.
func (t *Task) Copy(to Pointer, from []byte) {
	if t.Err == nil {
		t.Err = t.Machine.Upload(to, from)
	}
}

// Download copies from the machine.
func (t *Task) Download(to []byte, from Pointer) {
	if t.Err == nil {
		t.Err = t.Machine.Download(to, from)
	}
}

// Later downloads beside what is launched next, on a machine that can; wait
// returns when that is done. Until then the memory must stay as it is.
func (t *Task) Later(to []byte, from Pointer) (wait func()) {
	c, ok := t.Machine.(Copier)
	if !ok || t.Err != nil {
		t.Download(to, from)
		return func() {}
	}
	var done func() error
	if done, t.Err = c.Later(to, from); t.Err != nil {
		return func() {}
	}
	waited := false
	wait = func() {
		if waited {
			return
		}
		waited = true
		if err := done(); t.Err == nil {
			t.Err = err
		}
	}
	t.waits = append(t.waits, wait)
	return wait
}

// settle waits for every copy that has begun.
func (t *Task) settle() {
	for _, wait := range t.waits {
		wait()
	}
	t.waits = nil
}

// Fill sets every byte.
func (t *Task) Fill(p Pointer, value byte, bytes int) {
	if t.Err == nil {
		t.Err = t.Machine.Fill(p, value, bytes)
	}
}

// Launch runs a kernel with at least one thread for each item.
func (t *Task) Launch(kernel string, items, threads, shared int, arguments ...uint64) {
	if t.Err == nil && items > 0 {
		t.Err = t.Machine.Launch(kernel, (items+threads-1)/threads, threads, shared, arguments...)
	}
}

// Keep takes memory out of what End frees.
func (t *Task) Keep(p Pointer) Pointer {
	for i, q := range t.owned {
		if q == p {
			t.owned = append(t.owned[:i], t.owned[i+1:]...)
			break
		}
	}
	return p
}

// End waits for copies, frees the task's memory and returns the first error.
func (t *Task) End() error {
	t.settle()
	for _, p := range t.owned {
		t.Machine.Free(p)
	}
	t.owned = nil
	return t.Err
}

// threads is the size of a block of kernels that need no other.
const threads = 128

const (
	scanThreads = 256 // as in scan.cu
	scanEach    = 8
)

// scan replaces count numbers by their exclusive prefix sums.
func (t *Task) scan(values Pointer, count int) {
	blocks := (count + scanThreads*scanEach - 1) / (scanThreads * scanEach)
	if blocks == 0 {
		return
	}
	totals := t.Alloc(4 * blocks)
	t.Launch("scan_blocks", blocks*scanThreads, scanThreads, 8*scanThreads, uint64(values), uint64(totals), uint64(count))
	if blocks > 1 {
		t.scan(totals, blocks)
		t.Launch("scan_add", blocks*scanThreads, scanThreads, 0, uint64(values), uint64(totals), uint64(count))
	}
	t.release(totals)
}

// release frees memory before the end.
func (t *Task) release(p Pointer) {
	if p != 0 {
		t.Machine.Free(t.Keep(p))
	}
}

func powerOfTwo(atLeast int) int {
	n := 1
	for n < atLeast {
		n *= 2
	}
	return n
}
