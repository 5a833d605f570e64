package filter

import (
	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/merge"
	"superpoint/partition/multilevel"
)

// autoSolver is the multilevel solver. On six tiles of ../shared/data/val (model
// aerial, λ̃ = 1) its energy was at most 1.008 of cut pursuit's on the whole
// graph, that of merge 1.021 to 1.044; package multilevel has newer figures. At
// equal numbers of superpoints its OOA was within 0.2 of merge's and its BP 0.5
// to 4 higher, for about 0.7 µs more a point and thread.
const autoSolver = "multilevel"

// solvers returns the solvers by the names of the option.
func solvers() map[string]partition.Solver {
	return map[string]partition.Solver{
		"auto":        multilevel.Solver{},
		"merge":       merge.Solver{},
		"cut-pursuit": cutpursuit.Solver{},
		"multilevel":  multilevel.Solver{},
	}
}
