// SPDX-License-Identifier: BSD-3-Clause

package lasformat_test

import (
	"fmt"

	"superpoint/filter/lasformat"
)

// Point formats below 6 have five bits for a class.
func ExampleMaxClass() {
	fmt.Println(lasformat.MaxClass(3), lasformat.MaxClass(6))
	// Output: 31 255
}

func ExampleHolds() {
	fmt.Println(lasformat.Holds(6, "Red"), lasformat.Holds(7, "Red"))
	// Output: false true
}
