// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/bits"
)

// offset is a vector in units.
type offset [3]float64

func (a *offset) dot(b *offset) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a *offset) square() float64       { return a[0]*a[0] + a[1]*a[1] + a[2]*a[2] }

func (a *offset) times(f float64) offset { return offset{a[0] * f, a[1] * f, a[2] * f} }

// across returns the part that is perpendicular to a unit vector.
//
// It is o − (o·u)u for a unit vector u.
func (a *offset) across(unit *offset) offset {
	d := a.dot(unit)
	return offset{a[0] - d*unit[0], a[1] - d*unit[1], a[2] - d*unit[2]}
}

func (a *offset) cross(b *offset) offset {
	return offset{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit returns the vector scaled to length 1; the zero vector is returned as it is.
func (a *offset) unit() offset {
	if square := a.square(); square > 0 {
		return a.times(1 / math.Sqrt(square))
	}
	return *a
}

// sides describes the directions from a point to its neighbours.
//
// middle is valid with open only, second if the plane was needed.
type sides struct {
	line          bool   // all neighbours are on a line
	open          bool   // a third of the directions in their plane is free
	first, second offset // unit vectors that span the plane; first is along the line
	middle        offset // middle of the free directions, a unit vector
}

// thin is the greatest share of the squared offsets perpendicular to the line for neighbours
// to be on a line: a cone of about 15 degrees.
const thin = 0.07

// oneSided is the least squared length of the mean offset, relative to the mean squared
// offset, for which free directions are searched. With neighbours in all directions, one
// point in six exceeds it by chance.
const oneSided = 0.09

// sidesOf computes the sides of a point from the offsets to its neighbours, ascending by
// length.
//
// Most points are in the middle of a surface, where the answer is neither. Two cheap conditions that are
// necessary come first: that the farthest neighbors are on one line, and that the mean offset is not near 0.
// Moments and axes are computed only for the others.
func sidesOf(offsets []offset) (s sides) {
	// The farthest neighbor is at the point itself, so that no direction exists.
	if offsets[len(offsets)-1] == (offset{}) { // duplicates
		return s
	}
	var sum offset
	whole := 0.0
	for i := range offsets {
		o := &offsets[i]
		sum[0] += o[0]
		sum[1] += o[1]
		sum[2] += o[2]
		whole += o.square()
	}
	mayLine := aligned(offsets)
	// The mean offset is sum/n and the mean square whole/n, so that |sum/n|² ≥ c·whole/n is |sum|² ≥
	// c·n·whole.
	mayOpen := sum.square() >= oneSided*float64(len(offsets))*whole
	if !mayLine && !mayOpen {
		return s
	}
	var m moments
	for i := range offsets {
		m.add(&offsets[i])
	}
	var along float64
	s.first, along = m.axis(offsets[len(offsets)-1].unit(), 3)
	// whole is the sum of all three moments; along the first axis is all but thin of it.
	if s.line = mayLine && along >= (1-thin)*whole; s.line || !mayOpen {
		return s
	}
	s.second = m.second(&s.first)
	s.openSide(offsets)
	return s
}

// aligned reports whether the three farthest offsets, the last ones, are within 30 degrees
// of one line. It is a fast necessary condition: these have the most weight in the moments.
func aligned(offsets []offset) bool {
	last := offsets[max(0, len(offsets)-3):]
	a := &last[len(last)-1]
	for i := range last {
		// cos² of the angle below 3/4, that is of 30 degrees; squared, so that both directions of the line
		// count.
		if d := a.dot(&last[i]); 4*d*d < 3*a.square()*last[i].square() {
			return false
		}
	}
	return true
}

// moments are second moments: xx, yy, zz, xy, xz, yz.
type moments [6]float64

// Moments are sums, not means: ratios of them are the same, and inPlane divides by the number of points
// itself.
func (m *moments) add(o *offset) {
	x := o[0]
	y := o[1]
	z := o[2]
	m[0] += x * x
	m[1] += y * y
	m[2] += z * z
	m[3] += x * y
	m[4] += x * z
	m[5] += y * z
}

func (m *moments) times(v *offset) offset {
	return offset{m[0]*v[0] + m[3]*v[1] + m[4]*v[2], m[3]*v[0] + m[1]*v[1] + m[5]*v[2], m[4]*v[0] +
		m[5]*v[1] + m[2]*v[2]}
}

// axis returns the first axis after some rounds of power iteration from first, and the
// moment along the axis before the last round.
//
// Power iteration (Golub and Van Loan 2013, section 7.3): a product with the matrix multiplies the part along
// each axis by its eigenvalue, so the largest part grows. It starts from the direction of the farthest
// neighbor, which has the most weight in the moments. Where two eigenvalues are about equal, any direction
// between their axes serves. A fixed number of rounds gives the same bits for the same points.
func (m *moments) axis(first offset, rounds int) (_ offset, along float64) {
	for range rounds {
		next := m.times(&first)
		along = first.dot(&next)
		first = next.unit()
	}
	return first, along
}

// planeOf returns the second moments of offsets, ascending by length, the two axes of their
// plane, and its normal.
func planeOf(offsets []offset) (m moments, axes [3]offset) {
	for i := range offsets {
		m.add(&offsets[i])
	}
	axes[0], _ = m.axis(offsets[len(offsets)-1].unit(), 6)
	axes[1] = m.second(&axes[0])
	axes[2] = axes[0].cross(&axes[1])
	return m, axes
}

// along returns the second moment along a unit vector.
func (m *moments) along(v *offset) float64 {
	next := m.times(v)
	return v.dot(&next)
}

// second returns the axis of the largest moment perpendicular to the first.
//
// In the plane perpendicular to the first axis the moments are a matrix [a c; c b], whose axes are at the
// angle θ with tan 2θ = 2c/(a−b). cos θ and sin θ follow from cos 2θ by the half-angle formula, without a
// trigonometric function, whose last bits differ between libraries.
func (m *moments) second(first *offset) offset {
	x := math.Abs(first[0])
	y := math.Abs(first[1])
	z := math.Abs(first[2])
	a := offset{1, 0, 0} // the axis least along first
	switch {
	case y < x && y <= z:
		a = offset{0, 1, 0}
	case z < x:
		a = offset{0, 0, 1}
	}
	a = first.cross(&a)
	a = a.unit()
	b := first.cross(&a)
	ma := m.times(&a)
	mb := m.times(&b)
	// The half-angle formula.
	difference := ma.dot(&a) - mb.dot(&b)
	mixed := 2 * ma.dot(&b)
	// a − b and 2c; root is 0 if both moments are equal, and then every direction is an axis.
	root := math.Sqrt(difference*difference + mixed*mixed)
	if root == 0 {
		return a
	}
	// cos 2θ is difference/root. Rounding may put it outside [−1, 1], so that max is needed.
	cos := math.Sqrt(max(0, (1+difference/root)/2))
	sin := math.Copysign(math.Sqrt(max(0, (1-difference/root)/2)), mixed)
	return offset{cos*a[0] + sin*b[0], cos*a[1] + sin*b[1], cos*a[2] + sin*b[2]}
}

// The directions in a plane are divided into sectors of about 15 degrees; openSectors are a
// third of them.
const (
	sectors     = 24
	openSectors = 8
)

// openSide finds the largest range of sectors without neighbours, and sets open and middle.
//
// Angles are replaced by y/(|x|+|y|) within a quarter, which rises as the angle does. It needs one division,
// and has the same bits on every machine. Sectors are therefore of 15 degrees on average only.
//
// A free range may go around the end of the circle: so the bits are written twice, one copy behind the other,
// and a range is a run of zeros that begins in the first copy.
func (s *sides) openSide(offsets []offset) {
	taken := uint64(0)
	for i := range offsets {
		x := offsets[i].dot(&s.first)
		y := offsets[i].dot(&s.second)
		sum := math.Abs(x) + math.Abs(y)
		if sum == 0 {
			continue
		}
		// t goes from 0 to 4 around the circle: y/(|x|+|y|) is the way along a square with corners on the
		// axes.
		t := y / sum // 0, 1, 2, 3 at the axes, in turn
		if x < 0 {
			t = 2 - t
		} else if t < 0 {
			t += 4
		}
		// Rounding may make t 4 for a direction just before the first axis; min puts it in the last sector.
		taken |= 1 << min(int(t*(sectors/4)), sectors-1)
	}
	best, at := 0, 0
	// 48 bits, so that a run that begins in the first copy and goes around the end of the circle is seen
	// whole.
	for s, twice := 0, taken|taken<<sectors; s < sectors; {
		if twice>>s&1 != 0 {
			s++
			continue
		}
		run := bits.TrailingZeros64(twice >> s)
		if run > best {
			best, at = run, s
		}
		s += run
	}
	if best < openSectors {
		return
	}
	// The way back from t to a direction: on the square with corners on the axes, x falls from 1 to −1 and
	// rises again.
	t := math.Mod((float64(at)+float64(best)/2)/(sectors/4), 4)
	x := 1 - t
	if t >= 2 {
		x = t - 3
	}
	y := math.Copysign(1-math.Abs(x), 2-t)
	s.open = true
	for a := range s.middle {
		s.middle[a] = x*s.first[a] + y*s.second[a]
	}
	s.middle = s.middle.unit()
}
