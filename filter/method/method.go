// Package method holds the ways to make superpoints: the paper's, on the partition
// problem, and those it is compared with. Each takes arrays in the order of a cloud
// and gives every point a component; the same for any number of threads.
package method

import (
	"superpoint/embed"
	"superpoint/filter/message"
	"superpoint/partition"
	"superpoint/partition/neighbor"
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

// Settings are what the options say of methods. Lengths are in metres; what is nil
// or 0 is the method's to choose.
type Settings struct {
	Solver         string
	Regularization float64 // λ̃; not used where Target is set
	Target         float64 // wanted points per superpoint; 0 = none
	MinSize        int     // smallest superpoint at λ̃ = 1, in points
	MinGiven       bool    // MinSize comes from the options
	MinShare       float64 // smallest superpoint as a share of Target; 0 = a tenth
	SpatialWeight  float64 // α, per metre
	EdgeDecay      float64 // σ
	Sphere         bool    // values stay on the unit sphere

	SeedResolution, VoxelResolution float64
	Spatial, Normal, Color          *float64 // importances of VCCS
}

// Input is what a method works on, in the order of the cloud.
type Input struct {
	Settings
	Cloud      *neighbor.Cloud
	Origin     *[3]float64 // metres, from where positions count; nil for the cloud's own
	Lists      *neighbor.Lists
	Graph      *neighbor.Graph
	Embedding  []float32 // number of points × Dim
	Dim        int
	Foliage    embed.Foliage        // how scattered points take part
	Attributes map[string][]float32 // what Reads asks for

	Accelerate func(s partition.Solver) partition.Solver // with a GPU; nil = without
	Log        message.Log
}

// Result is a partition and what it was made with.
type Result struct {
	Component      []uint32 // dense from 0
	Count          int
	Energy         float64 // of the partition problem; 0 for other methods
	Regularization float64 // λ̃ in use; 0 for other methods
	Lambda         float64 // λ in use; 0 for other methods
	MinSize        int     // smallest component in use; 0 for other methods
	Resolution     float64 // distance of seeds in metres; 0 for the partition problem
}

// Need is dimensions that an option makes a method read.
type Need struct {
	Option string
	Names  []string
}

// Default is the paper's method.
const Default = "ssp"

// Table lists the methods, the default first. Options and pages follow it.
func Table() []Method {
	return []Method{
		{Name: Default, Help: "the paper's: learned embedding, then the partition problem",
			GMPP: true, Embeds: true, Learns: true, Graph: true, solve: solveGMPP},
		{Name: "ssp-cluster", Help: "learned embedding, then soft clustering",
			Embeds: true, Learns: true, Graph: true, solve: solveCluster},
		{Name: "geom-graph", Help: "the partition problem on hand-crafted features",
			GMPP: true, Embeds: true, Graph: true, solve: solveGMPP},
		{Name: "vccs", Help: "supervoxels", Lists: true, reads: vccsReads, solve: solveVCCS},
		{Name: "lin", Help: "supervoxels that keep borders", Lists: true, solve: solveLin},
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
