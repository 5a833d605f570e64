// SPDX-License-Identifier: BSD-3-Clause

// Package method has the methods that compute superpoints: the paper's, on the
// partition problem, and those it is compared with. Each assigns a component to every
// point, the same for any number of threads.
package method

import "superpoint/partition/base/parallel"

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
	// Solve computes the superpoints of a cloud. The partition problem has a copy of the embedding: an
	// embedding to which only the input refers is freed before the problem is solved. The result has it
	// again.
	Solve func(run parallel.Run, in *Input) (*Result, error)
}

// Table lists the methods, the default first. Options and pages follow it.
func Table() []Method {
	return []Method{
		{Name: SSP, Help: "the paper's: learned embedding and partition problem",
			GMPP: true, Embeds: true, Learns: true, Graph: true, Solve: solvePartition},
		{Name: SSPCluster, Help: "learned embedding and soft clustering",
			Embeds: true, Learns: true, Graph: true, Solve: solveCluster},
		{Name: GeomGraph, Help: "the partition problem on hand-crafted features",
			GMPP: true, Embeds: true, Graph: true, Solve: solvePartition},
		{Name: VCCS, Help: "supervoxels", Lists: true, reads: vccsReads, Solve: solveVCCS},
		{Name: Lin, Help: "boundary-preserving supervoxels", Lists: true, Solve: solveLin},
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
