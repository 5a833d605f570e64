package forest_test

import (
	"fmt"

	"superpoint/partition/forest"
)

// Sets that pairs of numbers make.
func Example() {
	f := forest.New(5)
	f.Join(3, 1)
	f.Join(4, 3)
	set, count := f.Number()
	fmt.Println(set, count, f.Root(4))
	// Output: [0 1 2 1 1] 3 1
}
