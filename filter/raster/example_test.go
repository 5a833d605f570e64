// SPDX-License-Identifier: BSD-3-Clause

package raster_test

import (
	"fmt"

	"superpoint/filter/georef"
	"superpoint/filter/raster"
	"superpoint/partition/base/parallel"
)

// An image as a cloud: its pixels in rows, joined to the four beside them.
func ExampleNew() {
	var x, y []float64
	for i := range 12 {
		x, y = append(x, 100+.5*float64(i%4)), append(y, 200+.5*float64(i/4))
	}
	r, err := raster.New(parallel.Run{}, x, y, georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}, func(string) {})
	if err != nil {
		panic(err)
	}
	g, err := r.Graph(false)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Cloud.Len(), "pixels of", r.Side, "m,", g.Edges(), "edges")
	// Output: 12 pixels of 0.5 m, 17 edges
}
