package layout_test

import (
	"fmt"

	"superpoint/embed/layout"
)

// What a card's channel names stand for.
func ExampleOf() {
	for _, name := range []string{"x", "planarity", "d_planarity", "height_range", "omega_xy"} {
		c := layout.Of(name)
		fmt.Println(name, c == layout.Column, c == layout.DColumn, c == layout.Omega)
	}
	// Output:
	// x false false false
	// planarity true false false
	// d_planarity false true false
	// height_range false false false
	// omega_xy false false true
}
