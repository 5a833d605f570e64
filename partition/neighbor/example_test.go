// SPDX-License-Identifier: BSD-3-Clause

package neighbor_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Three points on a line: the middle one is the nearest of both others.
func ExampleCloud_Nearest() {
	cloud, err := neighbor.New([]float64{0, 1, 2.5}, []float64{0, 0, 0}, []float64{0, 0, 0}, parallel.Run{})
	if err != nil {
		fmt.Println(err)
		return
	}
	lists, err := cloud.Nearest(1, parallel.Run{})
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := neighbor.Adjacency(lists, 1, parallel.Run{})
	fmt.Println(lists.K, graph.Vertices(), graph.Edges(), err)
	// Output: 1 3 2 <nil>
}
