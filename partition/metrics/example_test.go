// SPDX-License-Identifier: BSD-3-Clause

package metrics_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

// Six points in a row, of which the first three are ground (2) and the others roof (6). The first superpoint
// has a point of the roof, which a classifier of superpoints cannot get right: OOA is 5 of 6.
func ExampleEvaluate() {
	row, err := neighbor.FromEdges(6, [][2]uint32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}})
	if err != nil {
		panic(err)
	}
	truth := metrics.Truth{Class: []int32{2, 2, 2, 6, 6, 6}}
	report, err := metrics.Evaluate(parallel.Run{}, row, truth, []uint32{0, 0, 0, 0, 1, 1}, 2)
	if err != nil {
		panic(err)
	}
	fmt.Printf("OOA %.3f\n", report.OOA)
	// Output: OOA 0.833
}
