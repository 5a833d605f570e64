// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
)

// Normals returns the surface normal of every point from the point itself and its
// first k neighbours (all when k > K), as rows of x, y, z. It is (0, 0, 1) where
// all these positions are equal. It fails if k < 1 or the run is cancelled.
//
// A normal is the eigenvector of the smallest eigenvalue of the covariance of a
// neighbourhood (Hoppe et al. 1992, doi:10.1145/133994.134011). It has unit length and no
// orientation.
func Normals(run parallel.Run, c *neighbor.Cloud, l *neighbor.Lists, k int) (normals [][3]float32, err error) {
	defer parallel.Catch(&err)
	if k < 1 {
		return nil, fmt.Errorf("supervoxel: %d neighbours; give at least 1, 10 to 20 are usual", k)
	}
	k = min(k, l.K)
	normals = make([][3]float32, c.Len())
	run.Each(c.Len(), 4096, func(i int) {
		var m shape.Moments
		m.Add(0, 0, 0) // the point itself
		p := &c.XYZ[i]
		for _, j := range l.Of(i)[:k] {
			q := &c.XYZ[j]
			m.Add(float64(q[0]-p[0]), float64(q[1]-p[1]), float64(q[2]-p[2]))
		}
		normals[i] = NormalOf(&m)
	})
	return normals, nil
}

// NormalOf returns the direction of least variance.
func NormalOf(m *shape.Moments) [3]float32 {
	v := m.Normal()
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}
