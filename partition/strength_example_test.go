package partition_test

import (
	"fmt"

	"superpoint/partition"
)

// The paper's example: the smallest superpoint for n = 50 at two strengths.
func ExampleMinSize() {
	fmt.Println(partition.MinSize(50, 0.2), partition.MinSize(50, 6))
	// Output: 33 70
}
