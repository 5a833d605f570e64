package neighbor

import "math/bits"

// kept finds which wishes of one point after the other are kept.
type kept struct {
	*wishes
	own []candidate
}

// candidate is an edge, and how well it agrees with those around.
type candidate struct {
	bit       uint32
	direction offset
	sum       float64 // of squared cosines
}

// of returns those of a point's wishes that have the direction of its
// neighbours' and are not too long.
func (k *kept) of(i uint32) (kept uint32) {
	w := k.wishes
	if !w.hope.has(i) || w.which[i] == 0 {
		return 0
	}
	row := w.row(i)
	points, wishes := 1, bits.OnesCount32(w.which[i])
	for _, j := range row {
		if of := w.which[j]; of != 0 {
			points++
			wishes += bits.OnesCount32(of)
		}
	}
	if points < fewWishes {
		return 0
	}
	k.own = k.own[:0]
	for which := w.which[i]; which != 0; which &= which - 1 {
		bit := bits.TrailingZeros32(which)
		if j := w.end(i, bit); float64(w.cloud.squared(i, j)) <= uneven*uneven*w.shortest(j) {
			k.own = append(k.own, candidate{bit: 1 << bit, direction: w.direction(i, bit)})
		}
	}
	seen := k.compare(i, 0, wishes)
	for _, j := range row {
		if len(k.own) == 0 {
			return 0
		}
		seen = k.compare(j, seen, wishes)
	}
	for c := range k.own {
		if k.own[c].sum >= sameDirection*float64(wishes) {
			kept |= k.own[c].bit
		}
	}
	return kept
}

// compare adds the squared cosines between the candidates and the wishes of a
// point, and drops the candidates that cannot agree well enough any more. Of all
// wishes it has seen so many.
func (k *kept) compare(j uint32, seen, wishes int) int {
	if k.wishes.which[j] == 0 {
		return seen
	}
	for which := k.wishes.which[j]; which != 0; which &= which - 1 {
		o := k.direction(j, bits.TrailingZeros32(which))
		for c := range k.own {
			cos := k.own[c].direction.dot(&o)
			k.own[c].sum += cos * cos
		}
		seen++
	}
	const rounding = 1e-9
	least := sameDirection*float64(wishes) - float64(wishes-seen)*(1+rounding) - rounding
	left := k.own[:0]
	for _, c := range k.own {
		if c.sum >= least {
			left = append(left, c)
		}
	}
	k.own = left
	return seen
}

// direction returns the unit vector along a wish.
func (w *wishes) direction(i uint32, bit int) offset {
	o := w.cloud.between(i, w.end(i, bit))
	return o.unit()
}
