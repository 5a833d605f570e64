package device

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"superpoint/partition/device/probe"
)

// GPU is a Machine that is an NVIDIA GPU and copies while it runs kernels.
type GPU interface {
	Copier
	// Name returns what the driver calls it.
	Name() string
	// Number returns its number among the machine's GPUs.
	Number() int
	// Driver returns the version of CUDA that its driver has, 1000 × major + 10 × minor.
	Driver() int
	// Close gives it back; the GPU must not be used afterwards.
	Close()
}

// Open opens the GPU that option device names: "cuda" the first, "cuda:N" that
// number, "auto" the first with room, or else the one with most free memory. It fails, and says why and what to do,
// without a driver, without a GPU, for one before 2017 (compute capability 7.0),
// for a driver older than CUDA 11.8, and in a library without the CUDA part.
func Open(name string) (GPU, error) {
	count, err := probe.GPUs()
	if err != nil {
		return nil, err
	}
	number := 0
	if text, ok := strings.CutPrefix(name, "cuda:"); ok {
		if number, err = strconv.Atoi(text); err != nil || number < 0 {
			return nil, fmt.Errorf("%q is not the number of a GPU", text)
		}
	}
	if number >= count {
		return nil, fmt.Errorf("there are %d GPUs, numbered from 0", count)
	}
	if name != "auto" {
		return open(number)
	}
	return roomiest(count)
}

// room is the free memory with which a GPU is taken without looking at others: a view of some ten million points.
const room = 4 << 30

// roomiest opens the first GPU with room, or else the one with most free memory.
func roomiest(count int) (best GPU, err error) {
	for number := range count {
		g, failed := open(number)
		if failed != nil {
			err = cmp.Or(err, failed)
			continue
		}
		if best != nil && g.Memory() <= best.Memory() {
			g.Close()
			continue
		}
		if best != nil {
			best.Close()
		}
		if best = g; g.Memory() >= room {
			break
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, err
}

// errWithout is what open says in a library without the CUDA part.
var errWithout = errors.New("there is a GPU, but this library has no CUDA part; put libsuperpoint_cuda.so beside " +
	"the plugin, as `cmake --install` does")
