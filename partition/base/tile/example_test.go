// SPDX-License-Identifier: BSD-3-Clause

package tile_test

import (
	"fmt"

	"superpoint/partition/base/tile"
)

// Two points of one cube become one point, with the mean colour, also of near infrared, and the smaller of
// the two classes.
func ExampleThin() {
	x, y, z := []float64{.01, .02, .51}, []float64{0, 0, 0}, []float64{0, 0, 0}
	values := map[string][]float64{"Red": {10, 21, 30}, "Infrared": {8, 4, 9}, "Classification": {6, 2, 6}}
	if err := tile.Thin(tile.Points{X: &x, Y: &y, Z: &z, Values: values}, .05); err != nil {
		panic(err)
	}
	fmt.Println(x, values)
	// Output: [0.015 0.51] map[Classification:[2 6] Infrared:[6 9] Red:[16 30]]
}
