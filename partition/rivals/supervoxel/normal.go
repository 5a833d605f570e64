// SPDX-License-Identifier: BSD-3-Clause

package supervoxel

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Normals returns the surface normal of every point from the point itself and its
// first k neighbours (all when k > K), as rows of x, y, z. It is (0, 0, 1) where
// all these positions are equal. It fails if k < 1 or the run is cancelled.
//
// A normal is the eigenvector of the smallest eigenvalue of the covariance of a
// neighbourhood (Hoppe et al. 1992, doi:10.1145/133994.134011). It has unit length and no
// orientation: of n and −n, the one whose component of largest absolute value is positive
// is returned, which makes results reproducible.
func Normals(run parallel.Run, c *neighbor.Cloud, l *neighbor.Lists, k int) (normals [][3]float32, err error) {
	defer parallel.Catch(&err)
	if k < 1 {
		return nil, fmt.Errorf("supervoxel: %d neighbours; give at least 1, 10 to 20 are usual", k)
	}
	k = min(k, l.K)
	normals = make([][3]float32, c.Len())
	run.Each(c.Len(), 4096, func(i int) {
		var m Moments
		p := &c.XYZ[i]
		m[0] = 1 // the point itself, at the origin
		for _, j := range l.Of(i)[:k] {
			q := &c.XYZ[j]
			m.Add(float64(q[0]-p[0]), float64(q[1]-p[1]), float64(q[2]-p[2]))
		}
		normals[i] = m.Normal()
	})
	return normals, nil
}

// Moments are sums over a set of positions: 1, x, y, z, xx, xy, xz, yy, yz, zz.
type Moments [10]float64

// Add adds one position.
func (m *Moments) Add(x, y, z float64) {
	m[0]++
	m[1] += x
	m[2] += y
	m[3] += z
	m[4] += x * x
	m[5] += x * y
	m[6] += x * z
	m[7] += y * y
	m[8] += y * z
	m[9] += z * z
}

// Merge adds the moments of another set.
func (m *Moments) Merge(o *Moments) {
	for i := range m {
		m[i] += o[i]
	}
}

// Normal returns the direction of least variance.
func (m *Moments) Normal() [3]float32 {
	w := 1 / m[0]
	x, y, z := m[1]*w, m[2]*w, m[3]*w
	return smallest([6]float64{
		m[4]*w - x*x, m[5]*w - x*y, m[6]*w - x*z,
		m[7]*w - y*y, m[8]*w - y*z, m[9]*w - z*z,
	})
}

// smallest returns the unit eigenvector of the smallest eigenvalue of the
// symmetric matrix with rows (a0 a1 a2), (a1 a3 a4), (a2 a4 a5), largest
// component positive. The eigenvalue is in closed form (Smith 1961,
// doi:10.1145/355578.366316); the eigenvector is orthogonal to two rows of
// A − λI. When the smallest eigenvalue is double, any of its eigenvectors may
// result; a multiple of the identity gives (0, 0, 1).
func smallest(a [6]float64) [3]float32 {
	mean := (a[0] + a[3] + a[5]) / 3
	b0, b3, b5 := a[0]-mean, a[3]-mean, a[5]-mean
	p := math.Sqrt((b0*b0 + b3*b3 + b5*b5 + 2*(a[1]*a[1]+a[2]*a[2]+a[4]*a[4])) / 6)
	if !(p > 1e-12*math.Abs(mean)) {
		return [3]float32{0, 0, 1}
	}
	det := b0*(b3*b5-a[4]*a[4]) - a[1]*(a[1]*b5-a[4]*a[2]) + a[2]*(a[1]*a[4]-b3*a[2])
	r := min(max(det/(2*p*p*p), -1), 1)
	shift := 2 * p * math.Cos(math.Acos(r)/3+2*math.Pi/3) // smallest eigenvalue − mean
	b0, b3, b5 = b0-shift, b3-shift, b5-shift
	rows := [3][3]float64{{b0, a[1], a[2]}, {a[1], b3, a[4]}, {a[2], a[4], b5}}
	best, bestLength := [3]float64{}, 0.0
	for i := range 3 {
		v := cross(&rows[i], &rows[(i+1)%3])
		if l := v[0]*v[0] + v[1]*v[1] + v[2]*v[2]; l > bestLength {
			best, bestLength = v, l
		}
	}
	if bestLength <= 1e-24*p*p*p*p {
		best = orthogonal(&rows) // rank 1: a double smallest eigenvalue
	}
	return unit(best)
}

func cross(a, b *[3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// orthogonal returns a vector orthogonal to the longest row: the row's cross
// product with the axis that it is least along, the last axis on ties.
func orthogonal(rows *[3][3]float64) [3]float64 {
	long, length := 0, -1.0
	for i := range rows {
		r := &rows[i]
		if l := r[0]*r[0] + r[1]*r[1] + r[2]*r[2]; l > length {
			long, length = i, l
		}
	}
	r := &rows[long]
	axis := 2
	for i := 1; i >= 0; i-- {
		if math.Abs(r[i]) < math.Abs(r[axis]) {
			axis = i
		}
	}
	var e [3]float64
	e[axis] = 1
	v := cross(r, &e)
	return cross(r, &v) // parallel to the projection of the axis on the plane orthogonal to the row
}

func unit(v [3]float64) [3]float32 {
	s := 1 / math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])
	large := 0
	for i := 1; i < 3; i++ {
		if math.Abs(v[i]) > math.Abs(v[large]) {
			large = i
		}
	}
	if v[large] < 0 {
		s = -s
	}
	return [3]float32{float32(v[0] * s), float32(v[1] * s), float32(v[2] * s)}
}
