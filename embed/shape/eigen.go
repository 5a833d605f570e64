package shape

import "math"

// Eigenvalues returns the eigenvalues of a positive semidefinite matrix,
// largest first and never negative, by the trigonometric solution of the
// characteristic cubic (Smith 1961, doi:10.1145/355578.366316). The error is
// about 1e-15 of the largest, for equal eigenvalues up to 1e-8 of it.
func (c Covariance) Eigenvalues() [3]float64 {
	mean := (c.XX + c.YY + c.ZZ) / 3
	a, b, d := c.XX-mean, c.YY-mean, c.ZZ-mean
	off := c.XY*c.XY + c.XZ*c.XZ + c.YZ*c.YZ
	p := math.Sqrt((a*a + b*b + d*d + 2*off) / 6)
	if !(p > 1e-15*mean) { // a multiple of the identity
		m := max(mean, 0)
		return [3]float64{m, m, m}
	}
	det := a*(b*d-c.YZ*c.YZ) - c.XY*(c.XY*d-c.YZ*c.XZ) + c.XZ*(c.XY*c.YZ-b*c.XZ)
	angle := math.Acos(min(max(det/(2*p*p*p), -1), 1)) / 3 // in [0, π/3]
	cos, sin := math.Cos(angle), math.Sin(angle)
	l1 := mean + 2*p*cos
	l3 := mean - p*(cos+math.Sqrt(3)*sin)
	l3 = max(l3, 0)
	l2 := min(max(3*mean-l1-l3, l3), l1)
	return [3]float64{l1, l2, l3}
}

// Vector is a direction.
type Vector [3]float64

// tie is the gap, relative to their sum, under which eigenvalues count as
// equal: ten times the error of Eigenvalues.
const tie = 1e-7

// Vector returns a unit eigenvector of an eigenvalue. For a multiple eigenvalue
// it is the one nearest to fallback.
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
	if square > tie*tie*scale*scale*scale*scale {
		return best.unit(square)
	}
	return perpendicular(rows, scale, fallback)
}

// perpendicular handles a multiple eigenvalue: the rows then span at most a
// line, and every direction across it is an eigenvector. The one nearest to
// fallback is chosen.
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
	if d := dot(v1, v3); math.Abs(d) > 1e-6 { // ties: any direction across v3
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
