package oracle_test

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/oracle"
)

// A solver of one's own is checked against exact optima, and against what holds
// for every partition; cut pursuit passes.
func ExampleSuite() {
	var solver partition.Solver = cutpursuit.Solver{}
	fmt.Println(oracle.Suite(solver, 12))
	// Output: []
}
