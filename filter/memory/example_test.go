// SPDX-License-Identifier: BSD-3-Clause

package memory_test

import (
	"fmt"
	"math"
	"strings"

	"superpoint/filter/memory"
)

// A view that needs more memory than any computer has is refused before anything is computed.
func ExampleCheck() {
	fmt.Println(memory.Check("the view", 1000, 300))
	err := memory.Check("the view", math.MaxInt32, 1e9)
	text, _, _ := strings.Cut(err.Error(), ":")
	fmt.Println(text)
	// Output:
	// <nil>
	// not enough memory for 2147483647 points of the view
}
