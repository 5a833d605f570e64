package filter

import "fmt"

// leastBytes is what a view needs at least, in bytes a point beside the host's
// own memory: TestMemoryPerPoint measures 230 to 340. Refusing by the least
// refuses no view that would have passed.
const leastBytes = 200

// smallView is the number of points below which only the address space is
// looked at.
const smallView = 20_000

// What a view needs of the address space, which the Go runtime takes in large
// pieces: a base, for its pieces and the stacks of threads, and bytes a point.
const (
	addressBase  = 256 << 20
	addressBytes = 600
)

// checkRoom refuses a view that cannot fit: the Go runtime cannot give way when
// the system has no memory left, it would end the host without a word.
func checkRoom(points int) error {
	need, free, limit := uint64(addressBase)+uint64(points)*addressBytes, addressSpace(), "the limit of the address space (ulimit -v)"
	if need <= free && points >= smallView {
		need = uint64(points) * leastBytes
		free, limit = room()
	}
	if need > free {
		return fmt.Errorf("%d points need at least %.3g GB of memory, and %s leaves %.3g GB; split the view (filters.splitter), thin it (filters.sample), or raise the limit",
			points, float64(need)/1e9, limit, float64(free)/1e9)
	}
	return nil
}
