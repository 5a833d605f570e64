package operations

import (
	"fmt"

	"superpoint/partition/device"
)

// Short is a machine that has no more than some bytes of its memory, new memory
// of which is full of NaN, so that what no kernel writes shows.
type Short struct {
	device.Machine
	Left int // bytes
	size map[device.Pointer]int
}

// Memory implements device.Machine.
func (s *Short) Memory() int { return min(s.Left, s.Machine.Memory()) }

// Used says whether some memory was not given back.
func (s *Short) Used() (bytes int) {
	for _, n := range s.size {
		bytes += n
	}
	return bytes
}

// Alloc implements device.Machine.
func (s *Short) Alloc(bytes int) (device.Pointer, error) {
	if bytes > s.Left {
		return 0, fmt.Errorf("%d bytes, %d are left: %w", bytes, s.Left, device.ErrMemory)
	}
	p, err := s.Machine.Alloc(bytes)
	if err != nil {
		return p, err
	}
	if s.size == nil {
		s.size = map[device.Pointer]int{}
	}
	s.size[p] = bytes
	s.Left -= bytes
	return p, s.Fill(p, 0xff, bytes)
}

// Free implements device.Machine.
func (s *Short) Free(p device.Pointer) {
	s.Left += s.size[p]
	delete(s.size, p)
	s.Machine.Free(p)
}
