package objects_test

import (
	"fmt"

	"superpoint/filter/objects"
)

// The width of a crown that covers 12.6 m², and what counts as a tree.
func ExampleDiameter() {
	s := objects.DefaultSettings()
	d := objects.Diameter(12.566)
	fmt.Printf("%.1f m, wide enough: %v\n", d, d >= s.MinCrown)
	// Output: 4.0 m, wide enough: true
}
