// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/bits"

	"superpoint/partition/base/arrays"
)

// selector decides which candidates of points are selected, one point after the other.
type selector struct {
	*candidates
	search borderSearch
	lo     int
	block  []moments // of the candidates of the points from lo on
}

// selectEdges sets keep for the points from lo to hi−1: a bit for each candidate that is
// selected.
//
// Two loops, because a point needs the moments of its neighbors: those in the block are computed once, others
// again.
func (k *selector) selectEdges(keep []uint32, lo, hi int) {
	k.lo = lo
	k.block = arrays.Resized(k.block, hi-lo)
	for i := range k.block {
		k.block[i] = k.moments(uint32(lo + i))
	}
	for i := lo; i < hi; i++ {
		keep[i] = k.of(uint32(i))
	}
}

// moments returns the second moments of the directions of a point's candidates.
//
// The second moment of unit vectors v along a direction u is Σ (u·v)²: six numbers stand for any number of
// candidates.
func (w *candidates) moments(i uint32) (m moments) {
	for which := w.which[i]; which != 0; which &= which - 1 {
		o := w.direction(i, bits.TrailingZeros32(which))
		m.add(&o)
	}
	return m
}

const (
	// steepest is the sine of the largest angle between an edge across a gap and the
	// planes of the neighbours at its ends: beside scan lines the surface continues in
	// its plane, while a window pane is behind its wall.
	steepest = 0.3
	// planeTolerance is the greatest distance of the other end from the plane in standard
	// deviations of its prediction, which are large for a narrow bundle of lines.
	planeTolerance = 4
)

// of returns the bits of the candidates of point i that are selected: those that agree with
// the directions of the candidates of i and its neighbours and fulfil may. The sum of the
// squared cosines between a direction and others is their second moment along it.
//
// Claim: the selection does not depend on the order of points or on blocks. Reason: it reads candidates,
// which are complete, and writes the bits of its own point only. The moments of the neighbors are added in
// the order of the list, which is fixed (Nearest), so they are rounded alike in every run, and in every tile
// that has these points.
func (k *selector) of(i uint32) (kept uint32) {
	if k.which[i] == 0 {
		return 0
	}
	all := k.block[int(i)-k.lo]
	points := 1
	candidates := bits.OnesCount32(k.which[i])
	for _, j := range k.row(i) {
		of := k.which[j]
		if of == 0 {
			continue
		}
		points++
		candidates += bits.OnesCount32(of)
		var own moments
		// The same sum in the same order as in the block: equal bits, whichever way is taken.
		if at := int(j) - k.lo; at >= 0 && at < len(k.block) {
			own = k.block[at]
		} else {
			own = k.moments(j)
		}
		for c := range all {
			all[c] += own[c]
		}
	}
	if points < minCandidates {
		return 0
	}
	for which := k.which[i]; which != 0; which &= which - 1 {
		bit := bits.TrailingZeros32(which)
		o := k.direction(i, bit)
		mean := all.along(&o) / float64(candidates)
		// Below the lower of the two limits may cannot help; it costs more than all before.
		if mean < min(sameDirection, levelDirection) {
			continue
		}
		if least, may := k.may(i, k.end(i, bit), bit >= Around && k.border[i] == 1); may && mean >= least {
			kept |= 1 << bit
		}
	}
	return kept
}

// may reports whether an edge may be selected, and returns the mean squared cosine that it
// needs, which is lower for a level edge across a gap. Other edges must not be too long.
//
// An edge to a wire fails here: seen from the ground it is the nearest point beyond a gap, but the candidates
// and the k-th neighbor of the point on the wire are far nearer.
func (k *selector) may(i, j uint32, gap bool) (least float64, may bool) {
	if gap {
		if regular, level := k.regular(i, j); level || !regular {
			return levelDirection, regular
		}
	}
	return sameDirection, float64(k.cloud.squared(i, j)) <= uneven*uneven*k.shortest(j)
}

// regular reports whether an edge across a gap is in the plane of the neighbours of both
// ends, and has another gap behind its other end, too. Between a window bar and the pane
// beside it there is also a gap, but none behind the border of the pane. It also reports
// whether the edge is level.
func (k *selector) regular(i, j uint32) (regular, level bool) {
	in, level := k.inPlane(i, j)
	if !in {
		return false, false
	}
	// This order matters: inPlane sets the current point, and gapBehind searches behind it: behind j, the
	// point of the last call.
	if in, _ = k.inPlane(j, i); !in {
		return false, false
	}
	back := k.cloud.between(j, i)
	return k.search.gapBehind(back, math.Sqrt(k.search.square[k.k-1])), level // is at j since inPlane
}

// inPlane reports whether the edge from i to j is in the plane of the neighbours of i, within
// steepest or within planeTolerance standard deviations of the prediction of the plane at j by
// linear regression; and whether it is level.
//
// The prediction: the neighbors of i give a plane by their second moments S. At the distances a and b along
// its two axes its height has the variance
//
//	σ² (1 + a²/S₁ + b²/S₂),   σ² = S₃ / (n − 2)
//
// as a new observation has in a linear regression. A bundle of two lines has a small S₂ across them, so the
// plane is uncertain there, and ground beyond the gap may lie somewhat off it. A wide bundle is strict.
func (k *selector) inPlane(i, j uint32) (in, flat bool) {
	near := k.search.load(i, k.row(i))
	m, axes := planeOf(near)
	edge := k.cloud.between(i, j)
	flat = level(&axes[0], &edge)
	out := edge.dot(&axes[2])
	if out*out <= steepest*steepest*edge.square() {
		return true, flat
	}
	variance := 1.0
	for a := range 2 {
		along := edge.dot(&axes[a])
		variance += along * along / m.along(&axes[a])
	}
	variance *= m.along(&axes[2]) / float64(max(len(near)-2, 1))
	return out*out <= planeTolerance*planeTolerance*variance, flat
}

// direction returns the unit vector along a candidate.
func (w *candidates) direction(i uint32, bit int) offset {
	o := w.cloud.between(i, w.end(i, bit))
	return o.unit()
}
