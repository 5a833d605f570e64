// SPDX-License-Identifier: BSD-3-Clause

package paint_test

import (
	"fmt"

	"superpoint/filter/paint"
)

// The most frequent label of each superpoint.
func ExampleMajority() {
	label := []int32{2, 2, 6, 6, 6, 2}
	superpoint := []uint32{0, 0, 0, 1, 1, 1}
	fmt.Println(paint.Majority(label, superpoint, 2))
	// Output: [2 6]
}
