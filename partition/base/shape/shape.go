// SPDX-License-Identifier: BSD-3-Clause

// Package shape describes the shape of a set of points by the eigenvalues
// λ1 ≥ λ2 ≥ λ3 and eigenvectors of its covariance: the dimensionality features
// of Demantké et al. 2011 (doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011),
//
//	linearity  (σ1 − σ2)/σ1,  planarity (σ2 − σ3)/σ1,  scattering σ3/σ1,  σ = √λ
//
// whose sum is 1, and the verticality of Guinard and Landrieu 2017
// (doi:10.5194/isprs-archives-XLII-1-W1-151-2017). Ratios do not depend on the unit of length.
// A set without extent has eigenvalues 0, all ratios 0 and the vertical as its normal.
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

// Add adds one position. For precision, positions should be relative to a point of the set.
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

// Merge adds the positions of another set, which are relative to the same point.
func (m *Moments) Merge(o *Moments) {
	m.n += o.n
	m.x = m.x + o.x
	m.y = m.y + o.y
	m.z = m.z + o.z
	m.xx = m.xx + o.xx
	m.xy = m.xy + o.xy
	m.xz = m.xz + o.xz
	m.yy = m.yy + o.yy
	m.yz = m.yz + o.yz
	m.zz = m.zz + o.zz
}

// Normal returns the direction of least variance, the vertical for a ball. Its orientation is arbitrary.
func (m *Moments) Normal() Vector {
	c := m.Covariance()
	return c.Vector(c.Eigenvalues()[2], Vector{0, 0, 1})
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
	x := m.x / m.n
	y := m.y / m.n
	z := m.z / m.n
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
	s1 := math.Sqrt(l[0])
	s2 := math.Sqrt(l[1])
	s3 := math.Sqrt(l[2])
	inverse := 1 / s1
	return Ratios{float32((s1 - s2) * inverse), float32((s2 - s3) * inverse), float32(s3 * inverse)}
}

// gap is the least difference of eigenvalues, relative to the largest, for which
// squares of eigenvector components are computed from eigenvalues; their error is then
// below 1e-9.
const gap = 1e-5

// Verticality returns the z component of the unit vector along Σ σ_j |v_j|, the sum of
// the principal axes' absolute values weighted by their extents, for eigenvalues l:
// 0 for level ground, 0.7 for a wall, 1 for a pole.
//
// No eigenvector is needed: component a of v_j satisfies
//
//	v_ja² Π_{i≠j} (λ_j − λ_i) = λ_j² − λ_j tr(M_a) + det(M_a)
//
// with M_a the matrix without row and column a (Denton et al. 2022,
// doi:10.1090/bull/1722). If eigenvalues are nearly equal the product is too small,
// and the axes are computed.
func (c Covariance) Verticality(l [3]float64) float32 {
	d12 := l[0] - l[1]
	d13 := l[0] - l[2]
	d23 := l[1] - l[2]
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

// verticality is the same from the axes, for nearly equal eigenvalues.
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

// Eigenvalues returns the eigenvalues of a positive semidefinite matrix, largest first
// and never negative, by the trigonometric solution of the characteristic cubic (Smith
// 1961, doi:10.1145/355578.366316). The error is about 1e-15 of the largest eigenvalue,
// and up to 1e-8 of the largest for equal eigenvalues.
func (c Covariance) Eigenvalues() [3]float64 {
	mean := (c.XX + c.YY + c.ZZ) / 3
	a := c.XX - mean
	b := c.YY - mean
	d := c.ZZ - mean
	off := c.XY*c.XY + c.XZ*c.XZ + c.YZ*c.YZ
	p := math.Sqrt((a*a + b*b + d*d + 2*off) / 6)
	if !(p > 1e-15*mean) { // a multiple of the identity
		m := larger(mean, 0)
		return [3]float64{m, m, m}
	}
	det := a*(b*d-c.YZ*c.YZ) - c.XY*(c.XY*d-c.YZ*c.XZ) + c.XZ*(c.XY*c.YZ-b*c.XZ)
	cos, sin := third(larger(smaller(det/(2*p*p*p), 1), -1))
	l1 := mean + 2*p*cos
	l3 := larger(mean-p*(cos+math.Sqrt(3)*sin), 0)
	l2 := smaller(larger(3*mean-l1-l3, l3), l1)
	return [3]float64{l1, l2, l3}
}

// third returns the cosine and the sine of φ = acos(r)/3: a first value of φ by Abramowitz
// and Stegun 4.4.45, whose error is below 7e-5 √(1-|r|), its sine and cosine by Taylor
// series, then two Newton steps for cos 3φ = r. It has the same operations as angle of
// embed/shapes.c, so that both compute the same bits on every processor.
func third(r float64) (cosine, sine float64) {
	size := math.Abs(r)
	arc := math.Sqrt(1-size) * (1.5707288 + size*(-0.2121144+size*(0.0742610+size*-0.0187293)))
	if math.Signbit(r) {
		arc = math.Pi - arc
	}
	x := arc / 3
	u := x * x
	c, s := -1/6402373705728000.0, -1/121645100408832000.0
	c, s = c*u+1/20922789888000.0, s*u+1/355687428096000.0
	c, s = c*u-1/87178291200.0, s*u-1/1307674368000.0
	c, s = c*u+1/479001600.0, s*u+1/6227020800.0
	c, s = c*u-1/3628800.0, s*u-1/39916800.0
	c, s = c*u+1/40320.0, s*u+1/362880.0
	c, s = c*u-1/720.0, s*u-1/5040.0
	c, s = c*u+1/24.0, s*u+1/120.0
	c, s = c*u-1/2.0, s*u-1/6.0
	c, s = c*u+1.0, (s*u+1.0)*x
	triple, across := c*(4*c*c-3), s*(3-4*s*s) // cos 3x and sin 3x
	most := across * 1e-4
	a := larger(smaller((triple-r)/across, most), -most)
	a2 := a * a
	nearer := triple - across*a - triple*a2*0.5 + across*a*a2*(1/6.0)
	b := larger(smaller((nearer-r)/(across+triple*a), most), -most)
	h := (a + b) / 3
	ch, sh := 1-h*h*0.5, h-h*h*h*(1/6.0)
	return c*ch - s*sh, s*ch + c*sh
}

// smaller and larger are as the instructions minsd and maxsd: they return the second
// argument if both are equal or one is NaN.
func smaller(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func larger(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// Vector is a direction.
type Vector [3]float64

// tie is the difference, relative to their sum, below which eigenvalues are treated as
// equal: ten times the error of Eigenvalues.
const tie = 1e-7

// Vector returns a unit eigenvector of an eigenvalue: the longest cross product of two
// rows of M − l·I, scaled. For a multiple eigenvalue it is the eigenvector nearest to
// fallback.
func (c Covariance) Vector(l float64, fallback Vector) Vector {
	rows := [3]Vector{{c.XX - l, c.XY, c.XZ}, {c.XY, c.YY - l, c.YZ}, {c.XZ, c.YZ, c.ZZ - l}}
	best, square := Vector{}, 0.0
	for i := range rows {
		v := cross(rows[i], rows[(i+1)%3])
		if s := dot(v, v); s > square {
			best, square = v, s
		}
	}
	scale := c.XX + c.YY + c.ZZ
	if bound := tie * scale * scale; square > bound*bound {
		return best.unit(square)
	}
	return perpendicular(rows, scale, fallback)
}

// perpendicular returns the eigenvector of a multiple eigenvalue that is nearest to
// fallback: the rows then span at most a line, and every vector perpendicular to it is an
// eigenvector.
func perpendicular(rows [3]Vector, scale float64, fallback Vector) Vector {
	long, square := Vector{}, 0.0
	for _, r := range rows {
		if s := dot(r, r); s > square {
			long, square = r, s
		}
	}
	if !(square > tie*tie*scale*scale) {
		return fallback
	}
	along := long.unit(square)
	d := dot(along, fallback)
	v := Vector{fallback[0] - d*along[0], fallback[1] - d*along[1], fallback[2] - d*along[2]}
	if s := dot(v, v); s > 1e-12 {
		return v.unit(s)
	}
	return perpendicular(rows, scale, Vector{fallback[2], fallback[0], fallback[1]})
}

func (v Vector) unit(square float64) Vector {
	s := 1 / math.Sqrt(square)
	return Vector{v[0] * s, v[1] * s, v[2] * s}
}

func dot(a, b Vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b Vector) Vector {
	return Vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Axes returns the eigenvectors of eigenvalues l, in their order, each up to
// its sign.
func (c Covariance) Axes(l [3]float64) [3]Vector {
	v3 := c.Vector(l[2], Vector{0, 0, 1})
	v1 := c.Vector(l[0], Vector{1, 0, 0})
	if d := dot(v1, v3); math.Abs(d) > 1e-6 { // equal eigenvalues: any direction perpendicular to v3
		v1 = across(v3)
	}
	return [3]Vector{v1, cross(v3, v1), v3}
}

// across returns a unit vector perpendicular to v.
func across(v Vector) Vector {
	w := Vector{v[1], -v[0], 0}
	if s := dot(w, w); s > 0.25 {
		return w.unit(s)
	}
	w = Vector{v[2], 0, -v[0]}
	return w.unit(dot(w, w))
}
