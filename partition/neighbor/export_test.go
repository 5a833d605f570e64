// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/gpu"

// SearchBy sets the number of points per launch of the search.
func (c *Resident) SearchBy(points int) { c.launch = points }

// Hosted returns the number of points that the CPU searched in the last search.
func (c *Resident) Hosted() int { return c.hosted }

// GridMembers returns the number of points in the search's first grid.
func (c *Resident) GridMembers(k int) (int, error) {
	n := c.Host.Len()
	s := &residentSearch{Task: gpu.Task{Backend: c.backend}, cloud: c, k: k, mask: gpu.PowerOfTwo(2*n) - 1}
	s.shift, s.last, s.Err = shifts(c.Host, k)
	s.start, s.member = s.Alloc(4*(s.mask+1)), s.Alloc(4*n)
	s.grid()
	var end [1]uint32
	s.Download(gpu.Bytes(end[:]), s.start+gpu.Pointer(4*s.mask))
	return int(end[0]), s.End()
}
