package patch_test

import (
	"errors"
	"fmt"

	"superpoint/filter/patch"
)

// Two triangles of a square, as one polygon; and what is no surface.
func ExampleTriangulate() {
	t, err := patch.Triangulate([]patch.Point{{0, 0}, {10, 0}, {10, 10}, {0, 10}})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(t.Corner)/3, "triangles,", len(t.Polygons([]bool{true, true})), "polygon")
	_, err = patch.Triangulate([]patch.Point{{0, 0}, {1, 1}, {2, 2}})
	fmt.Println(errors.Is(err, patch.ErrFlat))
	// Output:
	// 2 triangles, 1 polygon
	// true
}
