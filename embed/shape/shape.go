// Package shape describes the form of a set of points by the eigenvalues
// λ1 ≥ λ2 ≥ λ3 and eigenvectors of its covariance: the dimensionality features
// of Demantké et al. 2011 (doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011),
//
//	linearity  (σ1 − σ2)/σ1,  planarity (σ2 − σ3)/σ1,  scattering σ3/σ1,  σ = √λ
//
// which add up to 1, and the verticality of Guinard and Landrieu 2017
// (doi:10.5194/isprs-archives-XLII-1-W1-151-2017). Offsets are in metres; ratios have no unit. A set without
// extent has eigenvalues 0, all ratios 0 and the vertical as its normal.
package shape

import "math"

// Covariance holds the entries of a symmetric 3 × 3 matrix.
type Covariance struct{ XX, XY, XZ, YY, YZ, ZZ float64 }

// Moments sums positions; its zero value is an empty set.
type Moments struct {
	n          float64
	x, y, z    float64
	xx, xy, xz float64
	yy, yz, zz float64
}

// Add adds one position, best given relative to a point of the set.
func (m *Moments) Add(x, y, z float64) {
	m.n++
	m.x += x
	m.y += y
	m.z += z
	m.xx += x * x
	m.xy += x * y
	m.xz += x * z
	m.yy += y * y
	m.yz += y * z
	m.zz += z * z
}

// Mean returns the mean of the positions, the zero vector for an empty set.
func (m *Moments) Mean() Vector {
	if m.n == 0 {
		return Vector{}
	}
	return Vector{m.x / m.n, m.y / m.n, m.z / m.n}
}

// Covariance returns the population covariance.
func (m *Moments) Covariance() Covariance {
	if m.n == 0 {
		return Covariance{}
	}
	x, y, z := m.x/m.n, m.y/m.n, m.z/m.n
	return Covariance{
		larger(m.xx/m.n-x*x, 0), m.xy/m.n - x*y, m.xz/m.n - x*z,
		larger(m.yy/m.n-y*y, 0), m.yz/m.n - y*z, larger(m.zz/m.n-z*z, 0),
	}
}

// Ratios holds the dimensionality features.
type Ratios struct{ Linearity, Planarity, Scattering float32 }

// Dimensionality returns the features of eigenvalues l1 ≥ l2 ≥ l3 ≥ 0.
func Dimensionality(l [3]float64) Ratios {
	if !(l[0] > 0) {
		return Ratios{}
	}
	s1, s2, s3 := math.Sqrt(l[0]), math.Sqrt(l[1]), math.Sqrt(l[2])
	inverse := 1 / s1
	return Ratios{float32((s1 - s2) * inverse), float32((s2 - s3) * inverse), float32(s3 * inverse)}
}

// gap is the least difference of eigenvalues, relative to the largest, for
// which squares of eigenvector entries are taken from eigenvalues; their error
// is then below 1e-9.
const gap = 1e-5

// Verticality returns the z of the unit vector along Σ σ_j |v_j|, the absolute
// values of the principal axes weighted by their extents, for eigenvalues l:
// 0 for level ground, 0.7 for a wall, 1 for a pole. The squares of the axes'
// entries follow from the eigenvalues of the matrix and of its minors (Denton
// et al. 2022, doi:10.1090/bull/1722).
func (c Covariance) Verticality(l [3]float64) float32 {
	d12, d13, d23 := l[0]-l[1], l[0]-l[2], l[1]-l[2]
	if !(smaller(d12, d23) > gap*l[0]) {
		return verticality(l, c.Axes(l))
	}
	traces := [3]float64{c.YY + c.ZZ, c.XX + c.ZZ, c.XX + c.YY}
	minors := [3]float64{c.YY*c.ZZ - c.YZ*c.YZ, c.XX*c.ZZ - c.XZ*c.XZ, c.XX*c.YY - c.XY*c.XY}
	inverse := 1 / (d12 * d13 * d23)
	scales := [3]float64{l[0] * d23 * inverse, -l[1] * d13 * inverse, l[2] * d12 * inverse}
	var u Vector
	for a := range u {
		for j, scale := range scales {
			u[a] += math.Sqrt(larger(scale*(l[j]*(l[j]-traces[a])+minors[a]), 0))
		}
	}
	return float32(u[2] / math.Sqrt(dot(u, u)))
}

// verticality is the same from the axes, for eigenvalues that tie.
func verticality(l [3]float64, axes [3]Vector) float32 {
	var u Vector
	for j, v := range axes {
		s := math.Sqrt(l[j])
		for a := range u {
			u[a] += s * math.Abs(v[a])
		}
	}
	if s := dot(u, u); s > 0 {
		return float32(u[2] / math.Sqrt(s))
	}
	return 0
}
