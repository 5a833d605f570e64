// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"

	"superpoint/partition/base/parallel"
)

// Nearest returns the k nearest neighbours of every point, exactly, or all others if
// there are fewer. The neighbours of p are in ascending order of
//
//	(‖q − p‖², x_q, y_q, z_q, input index of q)
//
// with the squared distance in units, an exact integer. Points coincident with p are
// first, at distance 0, ordered by the distance of their input indices from p's,
// the smaller index first. With this order no point is in more than 2k lists of points
// coincident with it: n coincident points form a chain, not a star with n edges at its
// first k points.
//
// The order is total, so the lists are the same for any number of threads and any
// kernel; they do not depend on a translation by an integer number of units, nor on
// points out of the neighbourhood. k below 1 is an error. Memory: 4·K bytes a point.
func (c *Cloud) Nearest(k int, run parallel.Run) (*Lists, error) {
	if k < 1 {
		return nil, fmt.Errorf("neighbor: search for %d neighbours; give at least 1", k)
	}
	n := c.Len()
	k = min(k, max(n-1, 0))
	l := newLists(n, k)
	// One point, or none: the lists are empty but have the number of points.
	if k == 0 {
		return l, run.Err()
	}
	return l, c.nearest(l, run)
}
