package census_test

import (
	"fmt"

	"superpoint/filter/census"
	"superpoint/partition/parallel"
)

// The classes of superpoints 3 and 7; a point without superpoint counts nowhere.
func ExampleGroups_Majority() {
	g, err := census.Group([]float64{7, 3, 7, 0, 7})
	if err != nil {
		panic(err)
	}
	class, share, err := g.Majority(parallel.Run{}, []float64{6, 2, 6, 2, 5})
	if err != nil {
		panic(err)
	}
	for k, id := range g.ID {
		fmt.Printf("superpoint %d: %d points, class %v, share %.2f\n", id, len(g.Points(k)), class[k], share[k])
	}
	// Output:
	// superpoint 3: 1 points, class 2, share 1.00
	// superpoint 7: 3 points, class 6, share 0.67
}
