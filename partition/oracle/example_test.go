package oracle_test

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/multilevel"
	"superpoint/partition/oracle"
)

// A solver of one's own is checked against exact optima, and against what holds
// for every partition; multilevel passes.
func ExampleSuite() {
	var solver partition.Solver = multilevel.Solver{}
	fmt.Println(oracle.Suite(solver, 12))
	// Output: []
}
