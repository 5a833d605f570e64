// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
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
//
// The positions stay after the task has ended (Keep); other memory of a task is freed at its end, also after
// an error.
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
//
// It compares the pointer: lists with other content, for example the lists of Within, are other lists.
func (c *Resident) Index(lists *Lists) gpu.Pointer {
	if c.lists != lists {
		return 0
	}
	return c.index
}
