package method

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
)

// The values of the option solver.
const (
	Auto       = "auto" // AutoSolver
	CutPursuit = "cut-pursuit"
	Local      = "local"
)

// AutoSolver is the local solver: what it finds does not depend on the order of
// points or on tiles, so a view, any number of threads and a survey in tiles give
// the same superpoints.
const AutoSolver = Local

// Solver is a value of the option solver.
type Solver struct {
	Name, Help string
	partition.Solver
}

// Solvers lists the solvers of the partition problem.
func Solvers() []Solver {
	return []Solver{
		{Auto, "the best by measurement, " + AutoSolver, local.Solver{}},
		{CutPursuit, "the paper's, on the whole graph", cutpursuit.Solver{}},
		{Local, "the lowest energy, by steps that neither order nor tiles change", local.Solver{}},
	}
}

// Ordered tells whether a solver decides between equals by the order of keys.
func Ordered(name string) bool { return name == Local || name == Auto && AutoSolver == Local }

// newSolver returns a solver by name.
func newSolver(name string) (partition.Solver, error) {
	for _, s := range Solvers() {
		if s.Name == name {
			return s.Solver, nil
		}
	}
	return nil, fmt.Errorf("option solver: %q is not part of this build; use auto", name)
}
