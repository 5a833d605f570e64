package metrics_test

import (
	"fmt"

	"superpoint/partition/metrics"
)

// Two labellings that differ in names only agree fully.
func ExampleAdjustedRand() {
	agreement, err := metrics.AdjustedRand([]int32{1, 1, 2, 2}, []int32{7, 7, 3, 3})
	fmt.Println(float64(agreement), err)
	// Output: 1 <nil>
}
