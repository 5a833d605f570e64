package cutpursuit_test

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

// Six vertices in a row with the values 0, 0, 0, 1, 1, 1: a cut in the middle
// costs least.
func ExampleSolver() {
	problem := &partition.Problem{
		Graph: oracle.Graph(6, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}), Dim: 1,
		Values: []float32{0, 0, 0, 1, 1, 1}, Contrast: []float32{1, 1, .1, 1, 1}, Lambda: .5, MinSize: 1,
	}
	result, err := cutpursuit.Solver{}.Solve(parallel.Run{}, problem)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Component, "energy", float32(result.Energy))
	// Output: [0 0 0 1 1 1] energy 0.05
}
