// SPDX-License-Identifier: BSD-3-Clause

package local_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// A larger λ makes cuts dearer: the small step of the chain is then no border.
func ExampleSolver_Solve() {
	var pairs [][2]uint32
	for u := range uint32(8) {
		pairs = append(pairs, [2]uint32{u, u + 1})
	}
	graph, err := neighbor.FromEdges(9, pairs)
	if err != nil {
		panic(err)
	}
	p := &problem.Problem{Graph: graph, Dim: 1, Values: []float32{0, 0, 0, .3, .3, .3, 5, 5, 5},
		Contrast: []float32{1, 1, 1, 1, 1, 1, 1, 1}, MinSize: 1}
	for _, lambda := range []float64{.01, 1} {
		p.Lambda = lambda
		r, err := local.Solver{}.Solve(parallel.Run{}, p)
		if err != nil {
			panic(err)
		}
		fmt.Println(lambda, r.Component)
	}
	// Output:
	// 0.01 [0 0 0 1 1 1 2 2 2]
	// 1 [0 0 0 0 0 0 1 1 1]
}
