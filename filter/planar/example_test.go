package planar_test

import (
	"fmt"

	"superpoint/filter/planar"
	"superpoint/partition/parallel"
)

// Two superpoints seen from above, side by side, their corners in half cells; the
// lower point is not seen.
func ExamplePartition() {
	var v planar.View
	if err := v.Grow(planar.Cell{}, planar.Cell{Column: 3, Row: 1}); err != nil {
		panic(err)
	}
	for column := range int64(4) {
		for row := range int64(2) {
			v.Add(planar.Cell{Column: column, Row: row}, 1, int32(1+column/2))
		}
	}
	v.Add(planar.Cell{}, 0, 2)
	regions, err := planar.Partition(parallel.Run{}, &v, 2, 0, planar.Stairs())
	if err != nil {
		panic(err)
	}
	for _, r := range regions {
		fmt.Println(r.Label, r.Polygons)
	}
	// Output:
	// 1 [[[{3 2} {6 2} {6 6} {3 6} {2 5} {2 3}]]]
	// 2 [[[{9 2} {10 3} {10 5} {9 6} {6 6} {6 2}]]]
}
