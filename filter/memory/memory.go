// Package memory keeps a host from being ended for want of memory: it estimates
// what the points of a view need, looks what is left of the machine, of a control
// group and of the limits of the process, and gives back what a step has left
// behind. Sizes are in bytes.
package memory

import "fmt"

// What there has to be beside the memory for points: batches and stacks of any
// view; and of the address space (ulimit -v) and of what `ulimit -d` counts,
// which the Go runtime takes in pieces of 64 MB and about twice as fast as it
// uses them, with arenas for threads on top.
const (
	memoryBase    = 48 << 20
	dataBase      = 128 << 20
	addressBase   = 256 << 20
	addressFactor = 2
)

// left is what is left under a limit.
type left struct {
	free  uint64 // bytes
	limit string // what it is
}

func (s *left) least(free uint64, limit string) {
	if free < s.free {
		s.free, s.limit = free, limit
	}
}

// Check returns an error if memory for points of a file, or of a view, needs
// more bytes than are left: the Go runtime cannot give way when the system has
// none, it would end the host without a word. what names the points, for example
// "the view".
func Check(what string, points int, need uint64) error {
	for _, l := range []struct {
		need uint64
		left left
	}{
		{addressBase + addressFactor*need, addresses()},
		{dataBase + addressFactor*need, data()},
		{memoryBase + need, machine()},
	} {
		if l.need > l.left.free {
			return fmt.Errorf("not enough memory for %d points of %s: they need %.3g GB, and %s leaves %.3g GB; split them "+
				"(filters.splitter, pdal superpoint survey), thin them (filters.sample), or raise the limit",
				points, what, float64(l.need)/1e9, l.left.limit, float64(l.left.free)/1e9)
		}
	}
	return nil
}
