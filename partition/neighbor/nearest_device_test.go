//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package neighbor_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// cloudOf returns clouds that are difficult to search.
func cloudOf(t testing.TB, kind string, n int) *neighbor.Cloud {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 0))
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		switch kind {
		case "surface":
			x[i], y[i] = 20*random.Float64(), 20*random.Float64()
			z[i] = math.Sin(x[i]) + .02*random.Float64()
		case "grid": // many equal distances, half of the points twice
			j := i / 2 * 2
			x[i], y[i], z[i] = float64(j%16), float64(j/16%16), float64(j/256)
		case "clusters": // densities with a ratio of a thousand, and isolated points
			s := math.Pow(10, float64(i%4)-2)
			x[i], y[i], z[i] = 50*float64(i%4)+s*random.NormFloat64(), s*random.NormFloat64(),
				s*random.NormFloat64()
			if i%211 == 0 {
				x[i], y[i] = 5000*random.Float64(), 5000*random.Float64()
			}
		case "crowd": // every other point in a thousandth of the width
			x[i], y[i] = math.Pow(1000, float64(i%2))*random.Float64(),
				math.Pow(1000, float64(i%2))*random.Float64()
		case "stacks": // of 1 to 99 coincident points
			x[i] = math.Floor(math.Sqrt(float64(2 * i)))
		case "same":
		}
	}
	return must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
}

// TestDeviceGridHasFewCoincidentPoints: a thread searches the points of 27 cells, which must
// not have all of many coincident points.
func TestDeviceGridHasFewCoincidentPoints(t *testing.T) {
	const k = 5
	c := must.Get(neighbor.Upload(emulator.Open(t), cloudOf(t, "same", 3000)))(t)
	defer c.Close()
	must.Equal(t, must.Get(c.GridMembers(k))(t), k, "points in the grid of 3000 coincident ones")
}

func TestDeviceNearest(t *testing.T) {
	type cloud struct {
		kind string
		n, k int
	}
	clouds := []cloud{
		{"surface", 1, 3}, {"surface", 20, 20}, {"surface", 21, 20}, {"surface", 2049, 20},
		{"surface", 9001, 32},
		{"grid", 1999, 20}, {"clusters", 12007, 10}, {"same", 300, 5}, {"stacks", 5000, 20},
		{"crowd", 18001, 20},
	}
	const large = 60_000
	if emulator.Large && !testing.Short() {
		clouds = append(clouds, cloud{"grid", large + 1, 20}, cloud{"clusters", 150_001, 20},
			cloud{"crowd", 5_000_011, 20},
			cloud{"surface", 1<<20 + 4099, 20})
	}
	for _, test := range clouds {
		t.Run(fmt.Sprint(test.kind, test.n), func(t *testing.T) {
			host := cloudOf(t, test.kind, test.n)
			want := must.Get(host.Nearest(test.k, parallel.Run{}))(t)
			backend := emulator.Open(t)
			c := must.Get(neighbor.Upload(backend, host))(t)
			if test.n > 5000 && test.n < large { // several launches, with copies at the same time
				c.SearchBy(1000)
			}
			got := must.Get(c.Nearest(test.k, parallel.Run{}))(t)
			must.Need(t, got.K == want.K, "neighbours differ: got.K is %v, want %v", got.K, want.K)
			must.Need(t, slices.Equal(got.Index, want.Index),
				"neighbours differ: got.Index is not want.Index")
			// No grid has too many points in a cell for most.
			hosted := c.Hosted()
			if test.n < large {
				must.Hold(t, hosted <= 1024+test.n/100,
					"the CPU searched %d of %d points: want hosted at most 1024+test.n/100", hosted, test.n)
			}
			if p := c.Index(got); p != 0 { // the lists on the backend are equal
				back := make([]uint32, len(got.Index))
				err := backend.Download(gpu.Bytes(back), p)
				must.OK(t, err)
				must.Need(t, slices.Equal(back, want.Index), "back is not want.Index")
			} else if test.n > test.k {
				t.Error("the lists are not on the backend")
			}
			c.Close()
			must.Hold(t, backend.Used == 0, "%d bytes not freed", backend.Used)
		})
	}
}

func TestDeviceNearestWithoutMemory(t *testing.T) {
	host := cloudOf(t, "surface", 3000)
	for call := 1; call < 12; call++ {
		backend := &emulator.Backend{Fail: func(c int) error {
			if c == call {
				return gpu.ErrMemory
			}
			return nil
		}}
		c, err := neighbor.Upload(backend, host)
		if err == nil {
			_, err = c.Nearest(20, parallel.Run{})
			c.Close()
		}
		must.Hold(t, errors.Is(err, gpu.ErrMemory), "call %d failed, got %v", call, err)
		must.Hold(t, backend.Used() == 0, "call %d: %d bytes not freed", call, backend.Used())
	}
}
