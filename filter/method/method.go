// SPDX-License-Identifier: BSD-3-Clause

// Package method has the methods that compute superpoints: the paper's, on the
// partition problem, and those it is compared with. Each assigns a component to every
// point, the same for any number of threads.
package method

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/problem"
)

// Method computes superpoints.
type Method struct {
	Name   string
	Help   string // for the pages
	GMPP   bool   // solves the generalized minimal partition problem
	Embeds bool   // needs the embedding step and so a model
	Learns bool   // takes learned models
	Graph  bool   // partitions the adjacency graph
	Lists  bool   // needs the neighbour lists

	reads func(s *Settings) Need
	solve func(run parallel.Run, in *Input) (*Result, error)
}

// The values of the option method.
const (
	SSP        = "ssp"
	SSPCluster = "ssp-cluster"
	GeomGraph  = "geom-graph"
	VCCS       = "vccs"
	Lin        = "lin"

	Default = SSP // the paper's
)

// Table lists the methods, the default first. Options and pages follow it.
func Table() []Method {
	return []Method{
		{Name: SSP, Help: "the paper's: learned embedding and partition problem",
			GMPP: true, Embeds: true, Learns: true, Graph: true, solve: solveGMPP},
		{Name: SSPCluster, Help: "learned embedding and soft clustering",
			Embeds: true, Learns: true, Graph: true, solve: solveCluster},
		{Name: GeomGraph, Help: "the partition problem on hand-crafted features",
			GMPP: true, Embeds: true, Graph: true, solve: solveGMPP},
		{Name: VCCS, Help: "supervoxels", Lists: true, reads: vccsReads, solve: solveVCCS},
		{Name: Lin, Help: "boundary-preserving supervoxels", Lists: true, solve: solveLin},
	}
}

// Named returns a method by name, "" for the default; the zero value if there is none.
func Named(name string) Method {
	for _, m := range Table() {
		if m.Name == name || name == "" && m.Name == Default {
			return m
		}
	}
	return Method{}
}

// Names returns the names of the methods for which test is true; of all if it is nil.
func Names(test func(m *Method) bool) (names []string) {
	for _, m := range Table() {
		if test == nil || test(&m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Reads returns the dimensions that a method reads in addition to the model's.
func (m *Method) Reads(s *Settings) Need {
	if m.reads == nil {
		return Need{}
	}
	return m.reads(s)
}

// Solve computes the superpoints of a cloud.
func (m *Method) Solve(run parallel.Run, in *Input) (*Result, error) { return m.solve(run, in) }

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
