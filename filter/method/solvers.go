package method

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/merge"
	"superpoint/partition/multilevel"
)

// The values of the option solver.
const (
	Auto       = "auto" // AutoSolver
	CutPursuit = "cut-pursuit"
	Local      = "local"
	Merge      = "merge"
	Multilevel = "multilevel"
)

// AutoSolver is the multilevel solver. On six tiles of ../shared/data/val (model
// aerial, λ̃ = 1) its energy was at most 1.008 of cut pursuit's on the whole
// graph, that of merge 1.021 to 1.044; package multilevel has newer figures. At
// equal numbers of superpoints its OOA was within 0.2 of merge's and its BP 0.5
// to 4 higher, for about 0.7 µs more a point and thread.
const AutoSolver = Multilevel

// Solver is a value of the option solver.
type Solver struct {
	Name, Help string
	partition.Solver
}

// Solvers lists the solvers of the partition problem.
func Solvers() []Solver {
	return []Solver{
		{Auto, "the best by measurement, " + AutoSolver, multilevel.Solver{}},
		{CutPursuit, "the paper's, on the whole graph", cutpursuit.Solver{}},
		{Local, "the lowest energy, by steps that neither order nor tiles change", local.Solver{}},
		{Merge, "greedy and fastest", merge.Solver{}},
		{Multilevel, "merges, then cuts and moves from coarse to fine", multilevel.Solver{}},
	}
}

// Ordered tells whether a solver decides between equals by the order of keys.
func Ordered(name string) bool { return name == Local || name == Auto && AutoSolver == Local }

// NewSolver returns a solver by name.
func NewSolver(name string) (partition.Solver, error) {
	for _, s := range Solvers() {
		if s.Name == name {
			return s.Solver, nil
		}
	}
	return nil, fmt.Errorf("option solver: %q is not part of this build; use auto", name)
}
