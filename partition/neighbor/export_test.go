package neighbor

import "superpoint/partition/device"

// SearchBy sets how many points a launch of the search has.
func (c *Resident) SearchBy(points int) { c.launch = points }

// Hosted returns how many points of the last search the CPU looked for.
func (c *Resident) Hosted() int { return c.hosted }

// GridMembers returns how many points the cells of the search's first grid hold.
func (c *Resident) GridMembers(k int) (int, error) {
	n := c.Host.Len()
	s := &residentSearch{Task: device.Task{Machine: c.machine}, cloud: c, k: k, mask: device.PowerOfTwo(2*n) - 1}
	s.shift, s.last, s.Err = shifts(c.Host, k)
	s.start, s.member = s.Alloc(4*(s.mask+1)), s.Alloc(4*n)
	s.grid()
	var end [1]uint32
	s.Download(device.Bytes(end[:]), s.start+device.Pointer(4*s.mask))
	return int(end[0]), s.End()
}
