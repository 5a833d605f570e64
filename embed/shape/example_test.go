package shape_test

import (
	"fmt"

	"superpoint/embed/shape"
)

// Points along a line, with little across it.
func Example() {
	var m shape.Moments
	for i := range 10 {
		m.Add(float64(i)*.1, float64(i%2)*.01, 0)
	}
	c := m.Covariance()
	l := c.Eigenvalues()
	r := shape.Dimensionality(l)
	fmt.Printf("linearity %.2f, planarity %.2f, scattering %.2f\n", r.Linearity, r.Planarity, r.Scattering)
	fmt.Printf("along %.2f, verticality %.2f\n", c.Axes(l)[0], c.Verticality(l))
	// Output:
	// linearity 0.98, planarity 0.02, scattering 0.00
	// along [1.00 0.00 0.00], verticality 0.00
}
