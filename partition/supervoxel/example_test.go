package supervoxel_test

import (
	"fmt"
	"math"

	"superpoint/partition/supervoxel"
)

// The distance between seeds that gives 100 segments, where 40 m² of surface have
// one seed for each square of that side.
func ExampleSearch() {
	count := func(resolution float64) (int, error) { return int(math.Ceil(40 / (resolution * resolution))), nil }
	resolution, n, err := supervoxel.Search(100, 2, count)
	fmt.Printf("%.2f m: %d segments, %v\n", resolution, n, err)
	// Output: 0.63 m: 100 segments, <nil>
}
