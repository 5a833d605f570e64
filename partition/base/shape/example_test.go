// SPDX-License-Identifier: BSD-3-Clause

package shape_test

import (
	"fmt"

	"superpoint/partition/base/shape"
)

// Points of a level square have two equal directions and no height: they are planar (Demantké et al. 2011).
func ExampleMoments() {
	var m shape.Moments
	for i := range 100 {
		m.Add(float64(i%10), float64(i/10), 0)
	}
	covariance := m.Covariance()
	r := shape.Dimensionality(covariance.Eigenvalues())
	fmt.Printf("linearity %.2f, planarity %.2f, scattering %.2f\n", r.Linearity, r.Planarity, r.Scattering)
	// Output: linearity 0.00, planarity 1.00, scattering 0.00
}
