// Package memory prevents that the host runs out of memory: it estimates the need of a view,
// compares it with the memory left in the machine, in control groups and under the limits of the
// process, and reserves it. Sizes are in bytes.
package memory

import "fmt"

// Memory needed in addition to that for points: for buffers and stacks of any view; and of address
// space (ulimit -v) and data (ulimit -d), which the Go runtime reserves in units of 64 MB, about
// twice as much as it uses, with arenas for threads.
const (
	memoryBase    = 48 << 20
	dataBase      = 128 << 20
	addressBase   = 256 << 20
	addressFactor = 2
)

// left is the memory left under a limit.
type left struct {
	free  uint64 // bytes
	limit string // its name, for errors
}

func (s *left) least(free uint64, limit string) {
	if free < s.free {
		s.free, s.limit = free, limit
	}
}

// Check returns an error if need exceeds the memory left, because Go ends the process, and with it
// the host, when the system has no memory. what names the points, for example "the view".
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
