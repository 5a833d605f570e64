package render_test

import (
	"fmt"

	"superpoint/filter/render"
)

// Colours of a picture: of heights, and of objects by their number.
func ExampleRamp() {
	fmt.Println(render.Ramp(0), render.Ramp(1))
	fmt.Println(render.ObjectColor(1) == render.ObjectColor(2), render.Thousands(1234567))
	// Output:
	// [48 62 130] [186 76 62]
	// false 1,234,567
}
