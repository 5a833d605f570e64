package multilevel_test

import (
	"fmt"

	"superpoint/partition/multilevel"
	"superpoint/partition/oracle"
	"superpoint/partition/parallel"
)

// The solver of the defaults against the exact optimum of a small problem, which
// only the oracle can afford.
func ExampleSolver() {
	problem := oracle.Path(.3)
	result, err := multilevel.Solver{}.Solve(parallel.Run{}, problem)
	if err != nil {
		panic(err)
	}
	best, _ := oracle.Optimum(problem)
	fmt.Println(result.Count, "components, energy over the optimum's:", float32(result.Energy/best))
	// Output: 2 components, energy over the optimum's: 1
}
