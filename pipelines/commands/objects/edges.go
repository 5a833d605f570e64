// SPDX-License-Identifier: BSD-3-Clause

package objects

import "math"

// withoutShort returns a ring without edges below a length, the shortest one first. Of two parallel walls
// with a short step between them the shorter one moves onto the line of the longer one; other walls are
// extended to where they meet. A ring keeps four corners.
func (r ring) withoutShort(least float64) ring {
	for len(r) > 4 {
		k, length := r.shortest()
		if length >= least {
			break
		}
		r = r.turned(k).merged(least)
	}
	return r
}

// shortest returns the first corner of the shortest edge, and its length.
func (r ring) shortest() (first int, length float64) {
	length = math.Inf(1)
	for k, p := range r {
		q := r[(k+1)%len(r)]
		if d := math.Hypot(q[0]-p[0], q[1]-p[1]); d < length {
			first, length = k, d
		}
	}
	return first, length
}

// turned returns the ring from the corner before corner k on.
func (r ring) turned(k int) (made ring) {
	for i := range r {
		made = append(made, r[(k-1+i+len(r))%len(r)])
	}
	return made
}

// merged replaces the edge between the corners 1 and 2.
func (r ring) merged(least float64) ring {
	before := through(r[0], r[1])
	after := through(r[2], r[3])
	rest := r[4:]
	if p, meets := before.meets(after); meets {
		if math.Hypot(p[0]-r[1][0], p[1]-r[1][1]) > 2*least {
			p = [2]float64{(r[1][0] + r[2][0]) / 2, (r[1][1] + r[2][1]) / 2}
		}
		return append(ring{r[0], p, r[3]}, rest...)
	}
	if distance(r[0], r[1]) >= distance(r[2], r[3]) {
		return append(ring{r[0], before.foot(r[3])}, rest...)
	}
	return append(ring{after.foot(r[0]), r[3]}, rest...)
}

// through returns the line through two points.
func through(p, q [2]float64) line { return line{p[0], p[1], math.Atan2(q[1]-p[1], q[0]-p[0])} }

func distance(p, q [2]float64) float64 { return math.Hypot(q[0]-p[0], q[1]-p[1]) }
