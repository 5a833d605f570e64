// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/embed/layout"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/shape"
)

// noShapes are the indices if no channel reads a shape column.
var noShapes = layout.Shapes{Linearity: -1, Planarity: -1, Scattering: -1, Verticality: -1,
	LogRadius: -1, Normal: -1}

// shapePlaces returns the indices in a row of the columns that describe the shape of a
// neighbourhood: the neighbours without the point itself.
func (s *Inputs) shapePlaces() layout.Shapes {
	return layout.Shapes{
		Linearity: s.place("linearity"), Planarity: s.place("planarity"), Scattering: s.place("scattering"),
		Verticality: s.place("verticality"), LogRadius: s.place("log_radius"), Normal: s.place(normalColumn),
	}
}

// place returns the index of a column in a row of the table, or −1.
func (s *Inputs) place(column string) int32 {
	if p, ok := s.places[column]; ok {
		return int32(p)
	}
	return -1
}

// plainShapes is shapes in plain Go; both compute the same bits.
//
// Shapes: rows has stride numbers for each of points, and only the places of shape columns are written. It is
// the reference of the kernel in C, which leaves some points to it.
func (s *Inputs) plainShapes(places *layout.Shapes, points []uint32, rows []float32, stride int) {
	for k, i := range points {
		row := rows[k*stride:]
		// A column that no channel reads has the place −1, and is not written.
		put := func(place int32, v float32) {
			if place >= 0 {
				row[place] = v
			}
		}
		c := s.covariance(int(i))
		// Features of Demantké et al. (2011): with σ₁ ≥ σ₂ ≥ σ₃ the square roots of the eigenvalues,
		// linearity (σ₁−σ₂)/σ₁, planarity (σ₂−σ₃)/σ₁ and scattering σ₃/σ₁, whose sum is 1.
		l := c.Eigenvalues()
		ratios := shape.Dimensionality(l)
		put(places.Linearity, ratios.Linearity)
		put(places.Planarity, ratios.Planarity)
		put(places.Scattering, ratios.Scattering)
		// The trace of the covariance is the mean squared distance from the mean. Unit turns units into
		// metres.
		radius := math.Sqrt(c.XX+c.YY+c.ZZ) * s.cloud.Unit
		put(places.LogRadius,
			float32(arithmetic.Log(min(max(radius, layout.SmallestRadius), layout.Farthest))))
		if places.Verticality >= 0 {
			put(places.Verticality, c.Verticality(l))
		}
		if p := places.Normal; p >= 0 {
			// The normal is the eigenvector of the smallest eigenvalue; where several serve, the one nearest
			// to the vertical.
			for a, v := range c.Vector(l[2], shape.Vector{0, 0, 1}) {
				row[int(p)+a] = float32(v)
			}
		}
	}
}

// covariance returns the covariance of a point's neighbours, in square units. It adds integers.
//
// Its sums are exact where neighbors are within 2²³ units (84 m at 10 µm): sums of 64 products are then
// below 2⁵³.
func (s *Inputs) covariance(i int) shape.Covariance {
	var m shape.Moments
	p := s.cloud.XYZ[i]
	for _, j := range s.NeighborsOf(i) {
		q := &s.cloud.XYZ[j]
		m.Add(float64(int64(q[0])-int64(p[0])), float64(int64(q[1])-int64(p[1])),
			float64(int64(q[2])-int64(p[2])))
	}
	return m.Covariance()
}
