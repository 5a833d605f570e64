package filter

import (
	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/merge"
	"superpoint/partition/multilevel"
)

// autoSolver is the multilevel solver. With model aerial at λ̃ = 1 on six tiles
// of ../shared/data/val its energy was 0.992 to 1.008 of cut pursuit's on the
// whole graph, that of merge 1.021 to 1.044; at equal numbers of superpoints OOA
// was within 0.2 of merge's and BP 0.5 to 4 higher. It takes about 0.7 µs a
// point and thread more than merge, and a hundredth of cut pursuit's time.
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
