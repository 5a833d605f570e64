// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
)

// MostNeighbors is the largest k of the search on a GPU.
const MostNeighbors = 32

// launchQueries is the number of queries of a launch: 84 MB of rows at k = 20.
const launchQueries = 1 << 20

// Resident is a cloud whose positions, and perhaps neighbour lists, are in a
// backend's memory: 12 bytes a point, and 4·k for the lists.
type Resident struct {
	Host    *Cloud
	XYZ     gpu.Pointer
	backend gpu.Backend
	launch  int         // queries per launch
	lists   *Lists      // lists whose rows are at index
	index   gpu.Pointer // all rows of lists, or 0
	hosted  int         // number of points of the last search that the CPU searched for
}

// Upload copies a cloud's positions to the backend. The caller must call Close.
func Upload(m gpu.Backend, c *Cloud) (*Resident, error) {
	t := gpu.Task{Backend: m}
	d := &Resident{Host: c, backend: m, XYZ: t.Upload(gpu.Bytes(c.XYZ)), launch: launchQueries}
	if t.Err == nil {
		t.Keep(d.XYZ)
	}
	return d, t.End()
}

// Close frees the backend's memory.
func (c *Resident) Close() {
	c.backend.Free(c.XYZ)
	c.forget()
	c.XYZ = 0
}

func (c *Resident) forget() {
	c.backend.Free(c.index)
	c.index, c.lists = 0, nil
}

// Index returns the address of the rows of lists on the backend, or 0 if they are not there.
func (c *Resident) Index(lists *Lists) gpu.Pointer {
	if c.lists != lists {
		return 0
	}
	return c.index
}

// Nearest returns the k ≤ MostNeighbors nearest neighbours of every point, equal to those of
// Cloud.Nearest. Points in regions far sparser than the rest are searched for by the CPU.
// Memory of the backend: 12 to 20 bytes a point in addition to the cloud, and the rows, which
// remain there. With less it returns gpu.ErrMemory.
func (c *Resident) Nearest(k int, run parallel.Run) (*Lists, error) {
	n := c.Host.Len()
	if k < 1 || k > MostNeighbors {
		return nil, fmt.Errorf("search for %d neighbours; on a GPU give 1 to %d", k, MostNeighbors)
	}
	if n <= k {
		return c.Host.Nearest(k, run)
	}
	c.forget()
	c.hosted = 0
	s := &residentSearch{Task: gpu.Task{Backend: c.backend}, cloud: c, k: k, run: run}
	s.lists = &Lists{K: k, Points: n, Index: gpu.Touched[uint32](run, n*k)}
	s.all()
	if err := s.End(); err != nil {
		return nil, err
	}
	return s.lists, nil
}
