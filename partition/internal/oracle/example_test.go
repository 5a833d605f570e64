// SPDX-License-Identifier: BSD-3-Clause

package oracle_test

import (
	"fmt"

	"superpoint/partition/cutpursuit"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
)

// A solver is checked against exact optima, and against the properties of every partition.
func ExampleSuite() {
	var solver problem.Solver = cutpursuit.Solver{}
	fmt.Println(oracle.Suite(solver, 12))
	// Output: []
}
