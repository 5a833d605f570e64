// SPDX-License-Identifier: BSD-3-Clause

package arrays_test

import (
	"fmt"

	"superpoint/partition/base/arrays"
)

// Ids of components become dense, in the order in which they appear first.
func ExampleNumber() {
	id := []uint32{7, 7, 2, 7, 5}
	count := arrays.Number(id, 8)
	fmt.Println(count, id)
	// Output: 3 [0 0 1 0 2]
}

// The points of each component, in ascending order.
func ExampleGroupBy() {
	component := []uint32{1, 0, 1, 1}
	groups := arrays.GroupBy(component, 2)
	fmt.Println(groups.Of(0), groups.Of(1))
	// Output: [1] [0 2 3]
}

// The most frequent class of a superpoint, the smallest of several; −1 if it has no points.
func ExampleMode() {
	fmt.Println(arrays.Mode([]int{6, 2, 6, 5}, -1), arrays.Mode([]int{6, 2}, -1), arrays.Mode(nil, -1))
	// Output: 6 2 -1
}

// The middle value, the upper of two.
func ExampleMedian() {
	fmt.Println(arrays.Median([]float64{9, 1, 4}), arrays.Median([]float64{9, 1, 4, 6}))
	// Output: 4 6
}

// A forest of disjoint sets finds connected components.
func ExampleForest() {
	f := arrays.NewForest(5)
	for _, edge := range [][2]uint32{{0, 3}, {3, 4}} {
		f.Join(edge[0], edge[1])
	}
	fmt.Println(f.Root(0) == f.Root(4), f.Root(0) == f.Root(1))
	// Output: true false
}
