package arrays_test

import (
	"fmt"

	"superpoint/partition/arrays"
)

// The components of six points get dense numbers, and their points are listed.
func Example() {
	component := []uint32{40, 40, 7, 40, 7, 12}
	count := arrays.Number(component, 41)
	groups := arrays.GroupBy(component, count)
	for k := range count {
		fmt.Println(k, groups.Of(k))
	}
	// Output:
	// 0 [0 1 3]
	// 1 [2 4]
	// 2 [5]
}
