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

// Covariance returns the population covariance.
func (m *Moments) Covariance() Covariance {
	if m.n == 0 {
		return Covariance{}
	}
	x, y, z := m.x/m.n, m.y/m.n, m.z/m.n
	return Covariance{
		max(m.xx/m.n-x*x, 0), m.xy/m.n - x*y, m.xz/m.n - x*z,
		max(m.yy/m.n-y*y, 0), m.yz/m.n - y*z, max(m.zz/m.n-z*z, 0),
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
	return Ratios{float32((s1 - s2) / s1), float32((s2 - s3) / s1), float32(s3 / s1)}
}

// Verticality returns the z of the unit vector along Σ σ_j |v_j|, the absolute
// values of the principal axes weighted by their extents: 0 for level ground,
// 0.7 for a wall, 1 for a pole.
func Verticality(l [3]float64, axes [3]Vector) float32 {
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
