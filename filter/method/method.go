// Package method holds the ways to make superpoints: the paper's, on the partition
// problem, and those it is compared with. Each takes arrays in the order of a cloud
// and gives every point a component; the same for any number of threads.
package method

import (
	"fmt"

	"superpoint/partition"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/parallel"
)

// Method is one way to make superpoints.
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
		{Name: SSP, Help: "the paper's: learned embedding, then the partition problem",
			GMPP: true, Embeds: true, Learns: true, Graph: true, solve: solveGMPP},
		{Name: SSPCluster, Help: "learned embedding, then soft clustering",
			Embeds: true, Learns: true, Graph: true, solve: solveCluster},
		{Name: GeomGraph, Help: "the partition problem on hand-crafted features",
			GMPP: true, Embeds: true, Graph: true, solve: solveGMPP},
		{Name: VCCS, Help: "supervoxels", Lists: true, reads: vccsReads, solve: solveVCCS},
		{Name: Lin, Help: "supervoxels that keep borders", Lists: true, solve: solveLin},
	}
}

// Named returns a method by the name of the option, "" for the default; a method
// without a name if there is none.
func Named(name string) Method {
	for _, m := range Table() {
		if m.Name == name || name == "" && m.Name == Default {
			return m
		}
	}
	return Method{}
}

// Names returns the names of the methods that a test is true of; of all for nil.
func Names(test func(m *Method) bool) (names []string) {
	for _, m := range Table() {
		if test == nil || test(&m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Reads returns what a method reads beside the model's dimensions.
func (m *Method) Reads(s *Settings) Need {
	if m.reads == nil {
		return Need{}
	}
	return m.reads(s)
}

// Solve makes superpoints.
func (m *Method) Solve(run parallel.Run, in *Input) (*Result, error) { return m.solve(run, in) }

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

// Ordered reports whether a solver decides between equals by the order of keys.
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
