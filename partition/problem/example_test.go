// SPDX-License-Identifier: BSD-3-Clause

package problem_test

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// Two flat patches of a 6 × 4 grid: the left half has the value 0, the right 1.
func Example() {
	var pairs [][2]uint32
	values := make([]float32, 24)
	for u := range uint32(24) {
		if u%6 < 5 {
			pairs = append(pairs, [2]uint32{u, u + 1})
		}
		if u < 18 {
			pairs = append(pairs, [2]uint32{u, u + 6})
		}
		if u%6 >= 3 {
			values[u] = 1
		}
	}
	run := parallel.Run{}
	graph, err := neighbor.FromEdges(24, pairs)
	if err != nil {
		panic(err)
	}
	p, err := problem.Build(run, graph, problem.Terms{Embedding: values, Dim: 1, EdgeDecay: .5})
	if err != nil {
		panic(err)
	}
	p.Lambda, p.MinSize = problem.Lambda(graph, nil, 1), problem.MinSize(4, 1)
	result, err := local.Solver{}.Solve(run, p)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Count, "components, first row", result.Component[:6])
	fmt.Printf("energy %.3f: four edges of contrast exp(-2)\n", result.Energy)
	// Output:
	// 2 components, first row [0 0 0 1 1 1]
	// energy 0.085: four edges of contrast exp(-2)
}

// The smallest size grows with λ̃, as in the paper's appendix: 33 and 70 for n = 50 at λ̃ = 0.2 and 6.
func ExampleMinSize() {
	fmt.Println(problem.MinSize(50, .2), problem.MinSize(50, 1), problem.MinSize(50, 6))
	// Output: 33 50 70
}

// The weight of cut edges is λ = λ̃/(4c), with c edges per vertex: here three of four vertices.
func ExampleLambda() {
	chain, err := neighbor.FromEdges(4, [][2]uint32{{0, 1}, {1, 2}, {2, 3}})
	if err != nil {
		panic(err)
	}
	fmt.Println(problem.Lambda(chain, nil, 3))
	// Output: 1
}
