// SPDX-License-Identifier: BSD-3-Clause

package georef_test

import (
	"fmt"

	"superpoint/filter/georef"
	"superpoint/partition/base/parallel"
)

// Coordinates in feet become metres.
func ExampleReference_Metres() {
	const foot = 0.3048
	feet := georef.Reference{HorizontalUnit: foot, VerticalUnit: foot}
	x, y, z, err := feet.Metres(parallel.Run{}, []float64{0, 10}, []float64{0, 100}, []float64{0, 1000}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f %.3f %.3f\n", x[1]-x[0], y[1]-y[0], z[1]-z[0])
	// Output: 3.048 30.480 304.800
}

func ExampleIsWKT2() {
	fmt.Println(georef.IsWKT2(`PROJCS["UTM"]`), georef.IsWKT2(`PROJCRS["UTM"]`))
	// Output: false true
}
