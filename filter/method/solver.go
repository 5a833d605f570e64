// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"fmt"

	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/problem"
)

// The values of the option solver.
const (
	Auto       = "auto" // AutoSolver
	CutPursuit = "cut-pursuit"
	Local      = "local"
)

// AutoSolver is the local solver: its result does not depend on the order of points,
// the number of threads or tiles.
const AutoSolver = Local

// Solver is a value of the option solver.
type Solver struct {
	Name, Help string
	problem.Solver
}

// Solvers lists the solvers of the partition problem.
func Solvers() []Solver {
	return []Solver{
		{Auto, "the default, " + AutoSolver, local.Solver{}},
		{CutPursuit, "the paper's, on the whole graph", cutpursuit.Solver{}},
		{Local, "lowest energy; independent of the order of points and of tiles", local.Solver{}},
	}
}

// Ordered reports whether a solver breaks ties by the order of keys.
func Ordered(name string) bool { return name == Local || name == Auto && AutoSolver == Local }

// Nests reports whether a solver finds nested partitions.
func Nests(name string) bool {
	s, _ := newSolver(name)
	_, is := s.(problem.NestingSolver)
	return is
}

// newSolver returns a solver by name.
func newSolver(name string) (problem.Solver, error) {
	for _, s := range Solvers() {
		if s.Name == name {
			return s.Solver, nil
		}
	}
	return nil, fmt.Errorf("option solver: %q is not part of this build; use auto", name)
}
