package maxflow_test

import (
	"fmt"

	"superpoint/partition/maxflow"
)

// Four vertices in a row: the first wants to be on the source's side, the last on
// the sink's, and the weakest edge is cut.
func ExampleNetwork() {
	var n maxflow.Network
	n.Reset(4)
	n.Connect(0, 1, 3)
	n.Connect(1, 2, 1)
	n.Connect(2, 3, 2)
	side := make([]bool, 4)
	n.Cut([]float32{5, 0, 0, -5}, 1, side)
	fmt.Println(side)
	// Output: [true true false false]
}
