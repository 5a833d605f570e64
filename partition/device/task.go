package device

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

// Settle waits for every copy that has begun.
func (t *Task) Settle() {
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

// Launch runs a kernel with at least one thread for each item. Arguments are
// pointers and numbers; float32 and float64 stay what they are, all else is whole.
func (t *Task) Launch(kernel Kernel, items, threads, shared int, arguments ...any) {
	if t.Err != nil || items <= 0 {
		return
	}
	wide := make([]uint64, len(arguments))
	for i, a := range arguments {
		wide[i] = widened(a)
	}
	t.Err = t.Machine.Launch(kernel, (items+threads-1)/threads, threads, shared, wide...)
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
	t.Settle()
	for _, p := range t.owned {
		t.Machine.Free(p)
	}
	t.owned = nil
	return t.Err
}

// Release frees memory before the end.
func (t *Task) Release(p Pointer) {
	if p != 0 {
		t.Machine.Free(t.Keep(p))
	}
}

// PowerOfTwo returns the least power of two that is not less: the size of a table
// that a kernel finds places in by a mask.
func PowerOfTwo(atLeast int) int {
	n := 1
	for n < atLeast {
		n *= 2
	}
	return n
}
