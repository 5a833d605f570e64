// SPDX-License-Identifier: BSD-3-Clause

package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"superpoint/partition/gpu/probe"
)

// GPU is a Backend that is an NVIDIA GPU.
type GPU interface {
	Backend
	// Name returns the name that the driver has for it.
	Name() string
	// Number returns its index among the GPUs of the computer.
	Number() int
	// Close releases the GPU, which must not be used afterwards.
	Close()
}

// Open opens the GPU of option device: "cuda" the first, "cuda:N" that number, "auto" the
// first with enough free memory (room), or else the one with most. It returns an error
// without a driver, without a GPU, for one before 2017 (compute capability 7.0), for a
// driver older than CUDA 11.8, and in a library without CUDA.
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
		return nil, fmt.Errorf("there is no GPU %d: there are %d GPUs, numbered from 0", number, count)
	}
	if name != "auto" {
		return open(number)
	}
	return mostFree(count)
}

// room is the free memory with which a GPU is used without trying others: enough for some ten million points.
const room = 4 << 30

// mostFree opens the first GPU with room, or else the one with most free memory.
func mostFree(count int) (best GPU, err error) {
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

// errWithout is the error of open in a library without CUDA.
var errWithout = errors.New(
	"there is a GPU, but this library has no CUDA part; put libsuperpoint_cuda.so beside " +
		"the plugin, as `cmake --install` does")
