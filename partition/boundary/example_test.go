package boundary_test

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/boundary"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// A partition of six vertices whose border is one vertex off.
func ExampleImprove() {
	problem := &partition.Problem{
		Graph: oracle.Graph(6, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}), Dim: 1,
		Values: []float32{0, 0, 0, 1, 1, 1}, Contrast: []float32{1, 1, .1, 1, 1}, Lambda: .5, MinSize: 1,
	}
	label := []uint32{0, 0, 1, 1, 1, 1}
	whole, part := reduced.New(problem), reduced.New(&partition.Problem{
		Graph: oracle.Graph(2, [][2]int{{0, 1}}), Dim: 1, Values: []float32{0, .75}, Contrast: []float32{1}, Lambda: .5,
	})
	part.Size[0], part.Size[1] = 2, 4
	count, err := boundary.Improve(parallel.Run{}, whole, part, label, 1, 3)
	fmt.Println(label, count, err)
	// Output: [0 0 0 1 1 1] 2 <nil>
}
