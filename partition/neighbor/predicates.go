// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/big"

	"github.com/golang/geo/r3"
)

// vec is a position whose coordinates are integers of at most 32 bits. Predicates are
// exact: the sign of a determinant in float64 is used if its magnitude exceeds the bound of
// the rounding error, or if the coordinates are so small that there is none; otherwise it is
// computed without rounding (floating-point filters, Shewchuk 1997, doi:10.1007/PL00009321).
type vec [3]float64

func (a vec) minus(b vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func (a vec) largest() float64 { return max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2])) }

// orientation returns the sign of det(b−a, c−a, d−a): 1 if a, b, c, d have the orientation
// of the origin and the x, y, z axes, 0 if they are coplanar.
//
// Differences of integers of 32 bits are exact, so that the determinant alone is rounded. Bound: Shewchuk's A
// bound for orient3d is about 7·2⁻⁵³ of the sum of magnitudes; 2⁻⁴⁹ is above it.
func orientation(a, b, c, d vec) int {
	b = b.minus(a)
	c = c.minus(a)
	d = d.minus(a)
	det, size := det3(b, c, d)
	if s, reliable := sign(det, size, 0x1p-49); reliable || max(b.largest(), c.largest(),
		d.largest()) < 1<<16 {
		return s // 6 · 2⁴⁸ < 2⁵³: no rounding
	}
	return exact3(b, c, d).Sign()
}

// inSphere returns 1 if p is inside the sphere through a, b, c, d, whose orientation must be
// 1, −1 if it is outside, and 0 on it.
//
// The determinant has the four points lifted to a paraboloid as rows: (x, y, z, x² + y² + z²) of their
// offsets from p. It is expanded by the last column with alternating signs. Bound: Shewchuk's A bound for
// insphere is about 16·2⁻⁵³ = 2⁻⁴⁹.
func inSphere(a, b, c, d, p vec) int {
	rows := [4]vec{a.minus(p), b.minus(p), c.minus(p), d.minus(p)}
	var det, size, largest float64
	for i := range rows {
		v := &rows[i]
		minor, s := det3(rows[(i+1)&3], rows[(i+2)&3], rows[(i+3)&3])
		lift := float64(v[0]*v[0]) + float64(v[1]*v[1]) + float64(v[2]*v[2])
		if i&1 == 1 {
			minor = -minor
		}
		det += float64(lift * minor)
		size += float64(lift * s)
		largest = max(largest, v.largest())
	}
	if s, reliable := sign(det, size, 0x1p-48); reliable || largest < 600 {
		return s // 72 · 600⁵ < 2⁵³: no rounding
	}
	return exactSphere(&rows)
}

// det3 returns a determinant and the sum of its terms' magnitudes.
//
// It is expanded by the first row: a·(b × c). Explicit conversions to float64 keep a product from being fused
// with a sum, so that the filter decides the same cases on every processor.
func det3(a, b, c vec) (det, size float64) {
	for i := range a {
		j, k := (i+1)%3, (i+2)%3
		p, q := b[j]*c[k], b[k]*c[j]
		det += float64(a[i] * float64(p-q))
		size += float64(math.Abs(a[i]) * (math.Abs(p) + math.Abs(q)))
	}
	return det, size
}

// sign returns the sign of a value, and whether its magnitude exceeds the error bound
// part·size.
//
// A value of 0 is never reliable: the caller then computes without rounding, or knows that there was none.
func sign(v, size, part float64) (s int, reliable bool) {
	if v > 0 {
		s = 1
	} else if v < 0 {
		s = -1
	}
	return s, math.Abs(v) > part*size
}

// exact3 is det3 without rounding.
//
// r3.PreciseVector has so many bits that no operation on these numbers is rounded. It allocates, so that it
// is slow; few determinants are so near to 0.
func exact3(a, b, c vec) *big.Float { return precise(a).Dot(precise(b).Cross(precise(c))) }

func precise(v vec) r3.PreciseVector { return r3.NewPreciseVector(v[0], v[1], v[2]) }

// The same expansion as in inSphere, term by term, without rounding.
func exactSphere(rows *[4]vec) int {
	det := new(big.Float)
	for i := range rows {
		term := exact3(rows[(i+1)&3], rows[(i+2)&3], rows[(i+3)&3])
		if term.Mul(term, precise(rows[i]).Norm2()); i&1 == 1 {
			term.Neg(term)
		}
		det.Add(det, term)
	}
	return det.Sign()
}
