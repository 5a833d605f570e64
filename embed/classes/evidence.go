// SPDX-License-Identifier: BSD-3-Clause

package classes

import "slices"

// LAS classes that the physics of water and ground is about.
const (
	groundCode   = 2
	buildingCode = 6
	waterCode    = 9
)

// unsure is the greatest confidence of a class that the network and the evidence disagree on: less than 0.6 as float32,
// too.
const unsure = 0.5999

// likely is the greatest confidence of ground that has the form of water or the height of low plants: less than 0.9, as
// no feature tells these apart.
const likely = 0.89

// Limits of what may be water. A dry field may be as level as a lake, so that the form alone is no evidence.
const (
	waterTilt   = 0.001 // metres per metre
	waterSmall  = 60    // m², below which the tilt is not known
	waterLower  = 0.05  // share of the rim that is lower: overhanging banks, noise
	waterVoids  = 0.06  // Body.Voids: few pulses return from water
	waterSparse = 0.3   // Body.Sparse
	waterDark   = 0.5   // Body.Dark: water absorbs near infrared, but so does asphalt
	flowTilt    = 0.003 // metres per metre, of water that flows slowly, as level across the flow as standing water
	flowLevel   = 0.05  // metres
	rapidAcross = 0.2   // metres; rapids and surf, which are rough, are shown by
	rapidVoids  = 0.1   // both voids
	rapidSparse = 0.4   // and sparse points
	basinArea   = 150   // m²
	basinHigher = 0.1   // share of the rim that is higher
	clearHigher = 0.3   // that of clear banks
	leastWater  = 0.1   // probability of water below which the form alone leaves ground likely
)

// evident reports whether voids or sparse points show that a body may be water.
func (b *Body) evident() bool { return b.Voids >= waterVoids || b.Sparse >= waterSparse }

// level reports whether a body is as level as standing or slowly flowing water, with nothing lower at its rim.
func (b *Body) level() bool {
	return b.Lower <= waterLower &&
		(b.Tilt <= waterTilt || b.Area < waterSmall || b.Tilt <= flowTilt && b.Across <= flowLevel)
}

// rapid reports whether a body may be rough water, or such with lower water beside it, as at a weir.
func (b *Body) rapid() bool {
	return b.Across <= rapidAcross && b.Voids >= rapidVoids && b.Sparse >= rapidSparse
}

// standing reports whether a body has the form of a pond or a lake.
func (b *Body) standing() bool {
	return b.Tilt <= waterTilt && b.Lower <= waterLower && b.Area >= basinArea && b.Higher >= basinHigher
}

// mayBeWater reports whether the physics allows that a body is water.
func (b *Body) mayBeWater() bool {
	return b.level() && b.evident() || b.rapid() || b.standing() && b.Dark >= waterDark
}

// isDoubtful reports whether a body that the network takes for ground may be water, by its form, or by a form that is
// less clear and evidence.
func (b *Body) isDoubtful() bool {
	banks := b.Area >= waterSmall && b.Higher >= clearHigher
	return b.standing() || b.rapid() || b.level() && banks && (b.evident() || b.Dark >= waterDark)
}

// isWater reports whether form and evidence say that a body is water, whatever the network says.
func (b *Body) isWater() bool {
	return b.standing() && b.evident() || b.rapid() && b.Tilt <= waterTilt && b.Area >= basinArea
}

// raisedSmall is the area in m² up to which level ground above all around is a hedge or the like, and no mound or dike.
const raisedSmall = 20

// isRaised reports whether the land is lower at most of the rim of a body and nowhere higher, as around roofs, decks
// and hedges that SMRF takes for ground, as they reach the border of the cloud or are low or wide. Dikes, terraces and
// mounds are higher, too, but have no walls all around.
func (b *Body) isRaised() bool {
	return b.Lower >= 0.5 && b.Higher == 0 && (b.rim == walled || b.Area < raisedSmall)
}

// weigh corrects the probabilities of superpoints, superpoints × classes, by the form of bodies. Water without
// evidence becomes ground; a lake of ground becomes water with evidence; raised ground that is hardly sure becomes the
// most probable class of things that stand on it; these, and ground in a basin, are not sure. A building that SMRF
// takes for ground is not sure if it lacks walls, and becomes ground where its rim is open.
// A label in a body is evidence, too: where one says water, water needs no other, and where one says ground, ground is
// not corrected. A classifier without these classes is not corrected.
func (m *Model) weigh(f *Features, p []float32) {
	water, ground, building := m.Index(waterCode), m.Index(groundCode), m.Index(buildingCode)
	if water < 0 || ground < 0 {
		return
	}
	told := map[[2]int]bool{} // by body and class
	for _, l := range f.Labels {
		if seed := f.Bodies[l.Row].seed; seed >= 0 {
			told[[2]int{seed, l.Code}] = true
		}
	}
	n := len(m.Card.Classes)
	for k := range f.Bodies {
		row, body := p[k*n:(k+1)*n], &f.Bodies[k]
		switch slices.Index(row, slices.Max(row)) {
		case water:
			if !body.mayBeWater() && !told[[2]int{body.seed, waterCode}] {
				move(row, water, ground)
			}
		case building:
			switch {
			case !body.land || body.rim == walled || told[[2]int{body.seed, buildingCode}]:
			case body.rim == open:
				move(row, building, ground)
			default:
				limit(row, building, unsure)
			}
		case ground:
			switch {
			case told[[2]int{body.seed, groundCode}]:
			case body.isWater():
				row[ground], row[water] = row[water], row[ground]
				limit(row, water, unsure)
			case body.isDoubtful() && row[water] >= leastWater:
				limit(row, ground, unsure)
			case body.isRaised() && row[ground] < disputedGround:
				rest := slices.Clone(row)
				rest[ground], rest[water] = 0, 0
				if slices.Max(rest) >= leastScaled {
					scale(rest, unsure)
					for c, v := range rest { // the rest of 1 is anything: only half of such points are of the class
						row[c] = v + (1-unsure)/float32(len(row))
					}
					limit(row, slices.Index(row, slices.Max(row)), unsure)
				}
			case body.isDoubtful():
				limit(row, ground, likely)
			}
		}
	}
}

// Index returns the index of the class of a code, or −1.
func (m *Model) Index(code int) int {
	return slices.IndexFunc(m.Card.Classes, func(c Class) bool { return c.Code == code })
}

// move adds the probability of a class to that of another, which is not sure.
func move(row []float32, from, to int) {
	row[to] += row[from]
	row[from] = 0
	limit(row, to, unsure)
}

// limit sets the probability of a class to at most most, and scales the others so that the sum is 1.
func limit(row []float32, class int, most float32) {
	most = min(row[class], most)
	row[class] = 0
	if slices.Max(row) < leastScaled {
		for c := range row {
			row[c] = 1
		}
		row[class] = 0
	}
	scale(row, 1-most)
	row[class] = most
}

// leastScaled is the least probability by which 1 can be divided in float32.
const leastScaled = 1e-38

// scale scales probabilities, one of them at least leastScaled, to a sum.
func scale(row []float32, sum float32) {
	all := float32(0)
	for _, v := range row {
		all += v
	}
	for c := range row {
		row[c] *= sum / all
	}
}

// disputedGround is the least confidence of ground that is disputed or raised.
const disputedGround = 0.7

// best returns the index of the most probable class, and its probability.
func best(row []float32) (class int, confidence float32) {
	confidence = slices.Max(row)
	return slices.Index(row, confidence), confidence
}

// AtLevel returns the probabilities of the classes of points of a superpoint at a level, of which the greatest is the
// confidence. If their superpoint is ground, points that are too high, or disputed and not at all sure, get the most
// probable class of things that stand on the ground; these, and other ground and buildings that are disputed or on a
// deck, are never sure, and ground as high as low plants is only likely. Vegetation that is not above the ground is not
// sure: most such points are ground at the feet of plants. The sum is below 1 where the rest may be anything.
func (m *Model) AtLevel(row []float32, level Level) []float32 {
	class, confidence := best(row)
	ground, most := class == m.Index(groundCode), float32(unsure)
	if level == Cover {
		most = likely
	}
	plants := level == Low && class == m.Index(highVegetation)
	switch {
	case !plants && (level == Low || !ground && (level == Cover || class != m.Index(buildingCode))):
		return row
	case level <= OnDeck || level == Disputed && !(ground && confidence < disputedGround):
		if confidence > most {
			row = slices.Clone(row)
			limit(row, class, most)
		}
		return row
	case !ground:
		return row
	}
	rest, sum := slices.Clone(row), float32(0)
	rest[class] = 0
	if water := m.Index(waterCode); water >= 0 {
		rest[water] = 0
	}
	for _, v := range rest {
		sum += v
	}
	if sum < leastScaled {
		return row
	}
	for c, v := range rest {
		rest[c] = unsure * v / sum
	}
	return rest
}
