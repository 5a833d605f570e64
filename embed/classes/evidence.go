// SPDX-License-Identifier: BSD-3-Clause

package classes

// Limits of what may be water. A dry field may be as level as a lake, so that the form alone is no evidence.
const (
	waterTilt   = 0.001 // metres per metre
	waterSmall  = 60    // m², below which the tilt is not known
	waterLower  = 0.05  // share of the rim that is lower: overhanging banks, noise
	waterVoids  = 0.06  // Body.Voids: few pulses return from water
	waterSparse = 0.3   // Body.Sparse
	waterDark   = 0.5   // Body.Dark: water absorbs near infrared, but so does asphalt
	// metres per metre, of water that flows slowly, as level across the flow as standing water
	flowTilt    = 0.003
	flowLevel   = 0.05 // metres
	rapidAcross = 0.2  // metres; rapids and surf, which are rough, are shown by
	rapidVoids  = 0.1  // both voids
	rapidSparse = 0.4  // and sparse points
	// land is hardly ever as level, on this area, and smoother than land around it
	calmTilt    = 0.0002 // metres per metre
	calmArea    = 1000   // m²
	calmSmooth  = 2      // Body.Smooth
	calmDark    = -0.3   // Body.Dark: water is not brighter than its banks
	basinArea   = 150    // m²
	basinHigher = 0.1    // share of the rim that is higher
	clearHigher = 0.3    // the same share, of clear banks
)

// evident reports whether voids, sparse points or a calm surface show that a body may be water.
func (b *Body) evident() bool {
	return b.Voids >= waterVoids || b.Sparse >= waterSparse || b.calm()
}

// calm reports whether a body is large, and more level and smoother than land.
func (b *Body) calm() bool {
	return b.Area >= calmArea && b.Tilt <= calmTilt && b.Smooth >= calmSmooth && b.Dark >= calmDark
}

// level reports whether a body is as level as standing or slowly flowing water, with nothing lower at its
// rim.
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

// isDoubtful reports whether a body that the network takes for ground may be water, by its form, or by a form
// that is less clear and evidence.
func (b *Body) isDoubtful() bool {
	banks := b.Area >= waterSmall && b.Higher >= clearHigher
	return b.standing() || b.rapid() || b.level() && banks && (b.evident() || b.Dark >= waterDark)
}

// isWater reports whether form and evidence say that a body is water, whatever the network says.
func (b *Body) isWater() bool {
	return b.standing() && b.evident() || b.rapid() && b.Tilt <= waterTilt && b.Area >= basinArea
}

// isInsideWater reports whether nothing but the body adjoins the superpoint, and more than the voids or the
// sparse points alone, which dry fields have as well, shows that it is water.
func (b *Body) isInsideWater() bool { return b.inner && b.isWater() && (b.calm() || b.rapid()) }

// raisedSmall is the area in m² up to which level ground above all around is a hedge or the like, and no
// mound or dike.
const raisedSmall = 20

// isRaised reports whether the land is lower at most of the rim of a body and nowhere higher, as around
// roofs, decks and hedges that SMRF takes for ground, as they reach the border of the cloud or are low or
// wide. Dikes, terraces and mounds are higher, too, but have no walls all around.
func (b *Body) isRaised() bool {
	return b.Lower >= 0.5 && b.Higher == 0 && (b.walled || b.Area < raisedSmall)
}
