package paint_test

import (
	"fmt"

	"superpoint/filter/paint"
)

func ExampleMajority() {
	class := []int32{2, 2, 6, 6, 6, -1}      // −1 has no vote
	superpoint := []uint32{0, 0, 0, 1, 1, 2} // of each point
	fmt.Println(paint.Majority(class, superpoint, 3))
	// Output: [2 6 -1]
}
