// SPDX-License-Identifier: BSD-3-Clause

package cutpursuit_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// A chain of eight vertices with the values 0 and 1: the cut is where the value changes.
func ExampleSolver_Solve() {
	var pairs [][2]uint32
	for u := range uint32(7) {
		pairs = append(pairs, [2]uint32{u, u + 1})
	}
	graph, err := neighbor.FromEdges(8, pairs)
	if err != nil {
		panic(err)
	}
	p := &problem.Problem{Graph: graph, Dim: 1, Values: []float32{0, 0, 0, 0, 1, 1, 1, 1},
		Contrast: []float32{1, 1, 1, 1, 1, 1, 1}, Lambda: .1, MinSize: 1}
	r, err := cutpursuit.Solver{}.Solve(parallel.Run{}, p)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Component, r.Count)
	// Output: [0 0 0 0 1 1 1 1] 2
}
