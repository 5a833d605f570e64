// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"math"
	"slices"
)

// reach is how far, in cells, a corner may be from the border.
const reach = 2 * tolerance

// withoutShort returns a ring without edges below a length, the shortest one first. Of two parallel walls
// with a short step between them the shorter one moves onto the line of the longer one; other walls are
// extended to where they meet. A ring keeps four corners. Corners that move several times, as along a bend,
// could end far from the border: the short edges that are left then stay.
func (r ring) withoutShort(least float64, border ring) ring {
	for len(r) > 4 {
		k, length := r.shortest()
		if length >= least {
			break
		}
		merged := r.turned(k).merged(least)
		isFar := func(p [2]float64) bool { return border.far(p) > reach }
		if slices.ContainsFunc(merged[:3], isFar) {
			break
		}
		r = merged
	}
	return r
}

// far returns how far a position is from the edges of a ring.
func (r ring) far(p [2]float64) float64 {
	least := math.Inf(1)
	for k, a := range r {
		b := r[(k+1)%len(r)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		along := 0.0
		if square := dx*dx + dy*dy; square > 0 {
			along = min(1, max(0, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/square))
		}
		least = min(least, math.Hypot(a[0]+along*dx-p[0], a[1]+along*dy-p[1]))
	}
	return least
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
