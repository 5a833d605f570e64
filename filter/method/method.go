// SPDX-License-Identifier: BSD-3-Clause

// Package method has the methods that compute superpoints: the paper's, on the
// partition problem, and those it is compared with. Each assigns a component to every
// point, the same for any number of threads.
package method

import (
	"fmt"

	"superpoint/embed"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
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
	// Solve computes the superpoints of a cloud. Prepare returns the computation of the superpoints of a
	// cloud. That of the partition problem refers to a copy of the embedding, so that the caller can release
	// its own before it solves.
	Prepare func(run parallel.Run, in *Input) (Solve, error)
}

// Solve computes superpoints. It is called once.
type Solve func(run parallel.Run) (*Result, error)

// later returns the preparation of a method that reads its input when it solves.
func later(name string, solve func(run parallel.Run, in *Input) (*Result, error)) func(parallel.Run,
	*Input) (Solve,
	error) {
	return func(_ parallel.Run, in *Input) (Solve, error) {
		return func(run parallel.Run) (*Result, error) {
			r, err := solve(run, in)
			if err != nil {
				return nil, fmt.Errorf("method %s: %w", name, err)
			}
			return r, nil
		}, nil
	}
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
			GMPP: true, Embeds: true, Learns: true, Graph: true, Prepare: preparePartition},
		{Name: SSPCluster, Help: "learned embedding and soft clustering",
			Embeds: true, Learns: true, Graph: true, Prepare: later(SSPCluster, solveCluster)},
		{Name: GeomGraph, Help: "the partition problem on hand-crafted features",
			GMPP: true, Embeds: true, Graph: true, Prepare: preparePartition},
		{Name: VCCS, Help: "supervoxels", Lists: true, reads: vccsReads, Prepare: later(VCCS, solveVCCS)},
		{Name: Lin, Help: "boundary-preserving supervoxels", Lists: true, Prepare: later(Lin, solveLin)},
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

// Settings are the options of methods. Lengths are in metres; nil or 0 means the
// method's default.
type Settings struct {
	Solver         string
	Regularization float64   // λ̃; not used where TargetSize is set
	TargetSize     []float64 // wanted points per superpoint of each level, the finest first; nil = none
	Measured       *Measured // on a sample of the cloud; nil = the cloud itself is measured
	MinSize        int       // smallest superpoint at λ̃ = 1, in points
	MinGiven       bool      // MinSize comes from the options
	MinShare       float64   // smallest superpoint as a share of the target size
	SpatialWeight  float64   // α, per metre
	EdgeDecay      float64   // σ
	Volume         *embed.Volume

	SeedResolution, VoxelResolution float64
	// importances: of distance for VCCS and SSP-cluster, of normals and colours for
	// VCCS, of the embedding for SSP-cluster
	Spatial, Normal, Color, Embed *float64
	Clusters                      *embed.Clusters // of the model, for SSP-cluster
}

// Measured has the values of a whole cloud that are measured on a sample.
type Measured struct {
	Spacing          float64            // of the points, in metres
	problem.Strength                    // 0 for methods without λ
	Coarser          []problem.Strength // of coarser levels
	// there are scan lines, so edges across them unless the options say otherwise
	AcrossLines bool
}

// Input is the input of a method. Arrays are in the order of the cloud.
type Input struct {
	Settings
	Cloud      *neighbor.Cloud
	Origin     *[3]float64 // origin of positions in metres; nil for the cloud's own
	Spacing    float64     // of the points, in metres
	Lists      *neighbor.Lists
	Graph      *neighbor.Graph
	Embedding  []float32 // number of points × Dim
	Dim        int
	Scattering []float32            // near_scattering, for models with volume; else nil
	Isolated   []bool               // isolated points, see embed.Input; nil for none
	Border     []bool               // points at the sides of a sample's squares; nil for a whole cloud
	Attributes map[string][]float32 // the dimensions of Reads

	Log message.Log
}

// Result is a partition and the parameters of the method.
type Result struct {
	Level
	Coarser    []Level // the components of each are unions of those of the level before
	Resolution float64 // distance of seeds in metres; 0 for the partition problem

	Embedding []float32 // of the input
}

// Level is a partition. Energy and strength are 0 for other methods than the partition problem.
type Level struct {
	problem.Result
	problem.Strength // in use
}

// Need lists the dimensions that a method reads because of an option.
type Need struct {
	Option string
	Names  []string
}
