// SPDX-License-Identifier: BSD-3-Clause

package classes

import "slices"

// LAS classes that the physics of water and ground is about.
const (
	groundCode = 2
	waterCode  = 9
)

// unsure is the greatest confidence of a class that the network and the evidence disagree on: less than 0.6 as float32,
// too.
const unsure = 0.5999

// Limits of a level body that may be water, and of what is evidence of it: a dry field may be as level as a lake, so
// that the form alone is none.
const (
	waterTilt   = 0.003 // metres per metre: noise over a small body
	waterSmall  = 60    // m², below which the tilt is not known
	waterLower  = 0.4   // share of the rim that is lower
	waterVoids  = 0.06  // Body.Voids: few pulses return from water
	waterSparse = -0.3  // Body.Density
	surfVoids   = 0.1   // rough and flowing water, which is not level, has both
	surfSparse  = -0.4
)

// evident reports whether voids or sparse points show that a body may be water.
func (b *Body) evident() bool { return b.Voids >= waterVoids || b.Density <= waterSparse }

// mayBeWater reports whether the physics allows that a body is water.
func (b *Body) mayBeWater() bool {
	level := (b.Tilt <= waterTilt || b.Area < waterSmall) && b.Lower <= waterLower
	return level && b.evident() || b.Voids >= surfVoids && b.Density <= surfSparse
}

// basin reports whether a body may be standing water by its form: level, with hardly anything lower at its rim.
func (b *Body) basin() bool {
	return b.Area >= 60 && b.Tilt <= 0.002 && b.Lower <= 0.05 && b.Higher >= 0.1
}

// lake reports whether a body has the form of standing water clearly.
func (b *Body) lake() bool {
	return b.Area >= 150 && b.Tilt <= 0.001 && b.Lower <= 0.02 && b.Higher >= 0.3
}

// weigh corrects the probabilities of superpoints, superpoints × classes, by the evidence of water. Water without
// evidence becomes ground; a lake of ground becomes water with evidence; these, and ground in a basin, are not sure. A
// classifier fitted to labels of a user, and one without these classes, is not corrected.
func (m *Model) weigh(f *Features, p []float32) {
	water, ground := m.index(waterCode), m.index(groundCode)
	if water < 0 || ground < 0 || m.fitted() {
		return
	}
	n := len(m.Card.Classes)
	for k := range f.Bodies {
		row, body := p[k*n:(k+1)*n], &f.Bodies[k]
		switch slices.Index(row, slices.Max(row)) {
		case water:
			if !body.mayBeWater() {
				row[ground] += row[water]
				row[water] = 0
				limit(row, ground)
			}
		case ground:
			switch {
			case body.lake() && body.evident():
				row[ground], row[water] = row[water], row[ground]
				limit(row, water)
			case body.basin():
				limit(row, ground)
			}
		}
	}
}

// index returns the index of the class of a code, or −1.
func (m *Model) index(code int) int {
	return slices.IndexFunc(m.Card.Classes, func(c Class) bool { return c.Code == code })
}

// limit sets the probability of a class to at most unsure, and scales the others so that the sum is 1.
func limit(row []float32, class int) {
	most := min(row[class], unsure)
	rest := float32(0)
	for c, v := range row {
		if c != class {
			rest += v
		}
	}
	for c := range row {
		switch {
		case c == class:
			row[c] = most
		case rest > 0:
			row[c] *= (1 - most) / rest
		default:
			row[c] = (1 - most) / float32(len(row)-1)
		}
	}
}

// aboveTerrain returns the code and the confidence of a point that is too high above the SMRF surface for ground: if
// its superpoint is ground, those of the most probable class of things that stand on the ground. It is never sure.
func (m *Model) aboveTerrain(row []float32) (code uint8, confidence float32) {
	ground := m.index(groundCode)
	if ground < 0 || slices.Max(row) > row[ground] || m.fitted() {
		return m.best(row)
	}
	rest := slices.Clone(row)
	rest[ground] = 0
	if water := m.index(waterCode); water >= 0 {
		rest[water] = 0
	}
	sum := float32(0)
	for _, v := range rest {
		sum += v
	}
	if sum == 0 {
		return m.best(row)
	}
	code, confidence = m.best(rest)
	return code, unsure * confidence / sum
}
