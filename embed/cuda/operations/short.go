package operations

import (
	"fmt"

	"superpoint/partition/cuda"
)

// Short is a machine that has no more than some bytes of its memory, new memory
// of which is full of NaN, so that what no kernel writes shows.
type Short struct {
	cuda.Machine
	Left int // bytes
	size map[cuda.Pointer]int
}

// Memory implements cuda.Machine.
func (s *Short) Memory() int { return min(s.Left, s.Machine.Memory()) }

// Used says whether some memory was not given back.
func (s *Short) Used() (bytes int) {
	for _, n := range s.size {
		bytes += n
	}
	return bytes
}

// Alloc implements cuda.Machine.
func (s *Short) Alloc(bytes int) (cuda.Pointer, error) {
	if bytes > s.Left {
		return 0, fmt.Errorf("%d bytes, %d are left: %w", bytes, s.Left, cuda.ErrMemory)
	}
	p, err := s.Machine.Alloc(bytes)
	if err != nil {
		return p, err
	}
	if s.size == nil {
		s.size = map[cuda.Pointer]int{}
	}
	s.size[p] = bytes
	s.Left -= bytes
	return p, s.Fill(p, 0xff, bytes)
}

// Free implements cuda.Machine.
func (s *Short) Free(p cuda.Pointer) {
	s.Left += s.size[p]
	delete(s.size, p)
	s.Machine.Free(p)
}
