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

// A metric is a row of the table: its name in files, its field, and what it means.
func ExampleTable() {
	for _, score := range metrics.Table() {
		fmt.Printf("%s: %s\n", score.Name, score.Help)
	}
	// Output:
	// ooa: oracle overall accuracy
	// br_as_coded: boundary recall, as the authors' code computes it
	// br_as_printed: boundary recall, as the paper prints it: every predicted edge beside a true one counts
	// bp: boundary precision
	// undersegmentation_error: undersegmentation error
}

// Counts of clouds are added before the scores are computed, so that large clouds weigh more than small
// ones.
func ExampleCounts_Scores() {
	small := metrics.Counts{Points: 10, Classified: 10, Pure: 10}
	large := metrics.Counts{Points: 90, Classified: 90, Pure: 60}
	both := small
	both.Add(large)
	fmt.Printf("%.2f %.2f %.2f\n", small.Scores().OOA, large.Scores().OOA, both.Scores().OOA)
	// Output: 1.00 0.67 0.70
}
