package neighbor

import (
	"math/bits"
	"sync/atomic"

	"superpoint/partition/parallel"
)

// marks are a bit for each point.
type marks []uint32

// add marks a point and tells whether it was not.
func (m marks) add(i uint32) bool {
	bit := uint32(1) << (i % 32)
	return atomic.LoadUint32(&m[i/32])&bit == 0 && atomic.OrUint32(&m[i/32], bit)&bit == 0
}

func (m marks) has(i uint32) bool { return m[i/32]>>(i%32)&1 != 0 }

// points returns the marked points, ascending.
func (m marks) points() (points []uint32) {
	for at, word := range m {
		for ; word != 0; word &= word - 1 {
			points = append(points, uint32(32*at+bits.TrailingZeros32(word)))
		}
	}
	return points
}

// weigh finds which points may keep a wish, whatever those at a border find beyond,
// and which of those have to look: most wishes where there are no scan lines
// disagree too much already.
func (w *wishes) weigh(run parallel.Run) (need marks, err error) {
	n := w.cloud.Len()
	w.hope, need = make(marks, (n+31)/32), make(marks, (n+31)/32)
	// A multiple of 32: each writes its own words of hope.
	return need, run.For(n, 2048, func(lo, hi int) { w.weighAll(need, lo, hi) })
}

// weighGo does so for the points from lo to hi−1.
func (w *wishes) weighGo(need marks, lo, hi int) {
	for i := uint32(lo); i < uint32(hi); i++ {
		if w.which[i] == 0 || !w.mayKeep(i) {
			continue
		}
		w.hope[i/32] |= 1 << (i % 32)
		if w.which[i] > ranks {
			need.add(i)
		}
		for _, j := range w.row(i) {
			if w.which[j] > ranks {
				need.add(j)
			}
		}
	}
}

// mayKeep tells whether any direction can agree well enough with the wishes of a
// point and its neighbours: with those beside, not known yet, fully, and with the
// others as well as the norm of their summed squares allows.
func (w *wishes) mayKeep(i uint32) bool {
	row := w.row(i)
	points, wishes := 1, bits.OnesCount32(w.which[i])
	for _, j := range row {
		if which := w.which[j]; which != 0 {
			points++
			wishes += bits.OnesCount32(which)
		}
	}
	if points < fewWishes {
		return false
	}
	const rounding = 1e-6
	a := agreement{most: (1-sameDirection)*float64(wishes) + rounding}
	if !a.add(w, i) {
		return false
	}
	for _, j := range row {
		if w.which[j] != 0 && !a.add(w, j) {
			return false
		}
	}
	return true
}

// agreement is how far directions agree: their number less the Frobenius norm of
// the sum of their squares, which no direction's squared cosines exceed in sum, only
// grows.
type agreement struct {
	squares moments
	seen    float64
	most    float64 // that the number may exceed the norm
}

// add adds the wishes of a point among its neighbours, and tells whether directions
// may still agree well enough.
func (a *agreement) add(w *wishes, i uint32) bool {
	for which := w.which[i] & ranks; which != 0; which &= which - 1 {
		o := w.cloud.between(i, w.lists.Index[int(i)*w.lists.K+bits.TrailingZeros32(which)])
		f := 1 / o.square()
		x, y, z := o[0]*f, o[1]*f, o[2]*f
		m := &a.squares
		m[0], m[1], m[2] = m[0]+x*o[0], m[1]+y*o[1], m[2]+z*o[2]
		m[3], m[4], m[5] = m[3]+x*o[1], m[4]+x*o[2], m[5]+y*o[2]
		a.seen++
	}
	least := a.seen - a.most
	m := &a.squares
	return least <= 0 ||
		m[0]*m[0]+m[1]*m[1]+m[2]*m[2]+2*(m[3]*m[3]+m[4]*m[4]+m[5]*m[5]) >= least*least
}
