// SPDX-License-Identifier: BSD-3-Clause

package naming_test

import (
	"fmt"

	"superpoint/filter/naming"
)

// A wrong name of an option gets a suggestion, as the end of an error.
func ExampleDidYouMean() {
	options := []string{"target_size", "regularization", "threads"}
	fmt.Printf("unknown option regularisation%s\n", naming.DidYouMean("regularisation", options))
	fmt.Printf("unknown option colour%s\n", naming.DidYouMean("colour", options))
	// Output:
	// unknown option regularisation (did you mean regularization?)
	// unknown option colour
}
