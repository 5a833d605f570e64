// SPDX-License-Identifier: BSD-3-Clause

package patch_test

import (
	"fmt"

	"superpoint/pipelines/shapes/patch"
)

// Twice the signed area of a triangle: above 0 if its corners are counter-clockwise.
func ExampleCross() {
	a, b, c := patch.Point{X: 0, Y: 0}, patch.Point{X: 4, Y: 0}, patch.Point{X: 0, Y: 3}
	fmt.Println(patch.Cross(a, b, c), patch.Cross(a, c, b))
	// Output: 12 -12
}

// Four corners and the middle of a square have four triangles.
func ExampleTriangulate() {
	t, err := patch.Triangulate([]patch.Point{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 4}, {X: 0, Y: 4},
		{X: 2, Y: 2}})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(t.Corner) / 3)
	// Output: 4
}
