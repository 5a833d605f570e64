// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"superpoint/embed"
	"superpoint/filter/message"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
)

// The values of the option method.
const (
	SSP        = "ssp"
	SSPCluster = "ssp-cluster"
	GeomGraph  = "geom-graph"
	VCCS       = "vccs"
	Lin        = "lin"

	Default = SSP // the paper's
)

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
	BoxFloor         float64            // height in metres from which boxes are counted, see embed.Anchor
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
	Coarser    []Level // the components of each are unions of components of the level before
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
