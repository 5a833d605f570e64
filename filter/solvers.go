package filter

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/merge"
	"superpoint/partition/multilevel"
)

// autoSolver is the multilevel solver. On six tiles of ../shared/data/val (model
// aerial, λ̃ = 1) its energy was at most 1.008 of cut pursuit's on the whole
// graph, that of merge 1.021 to 1.044; package multilevel has newer figures. At
// equal numbers of superpoints its OOA was within 0.2 of merge's and its BP 0.5
// to 4 higher, for about 0.7 µs more a point and thread.
const autoSolver = "multilevel"

// solver is a value of the option solver.
type solver struct {
	name, help string
	partition.Solver
}

// solvers lists the solvers of the partition problem.
func solvers() []solver {
	return []solver{
		{"auto", "the best by measurement, " + autoSolver, multilevel.Solver{}},
		{"cut-pursuit", "the paper's, on the whole graph", cutpursuit.Solver{}},
		{"local", "the lowest energy, by steps that neither order nor tiles change", local.Solver{}},
		{"merge", "greedy and fastest", merge.Solver{}},
		{autoSolver, "merges, then cuts and moves from coarse to fine", multilevel.Solver{}},
	}
}

// solverChoices are the values of the option solver.
func solverChoices() (all []Choice) {
	for _, s := range solvers() {
		all = append(all, Choice{s.name, s.help})
	}
	return all
}

// newSolver returns a solver by name.
func newSolver(name string) (partition.Solver, error) {
	for _, s := range solvers() {
		if s.name == name {
			return s.Solver, nil
		}
	}
	return nil, fmt.Errorf("option solver: %q is not part of this build; use auto", name)
}
