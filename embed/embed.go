// Package embed turns every point of a cloud into a learned embedding, a unit
// vector that is nearly constant inside objects and changes at their borders.
// It holds the model files, the network's shapes and the network's inputs; the
// Local Point Embedder itself (Landrieu and Boussaha 2019, appendix "3D Point
// Embedding", doi:10.1109/CVPR.2019.00762) runs in embed/lpe, hand-crafted
// features in embed/geometric.
//
// A point's embedding depends on the point, its k nearest neighbours and, if
// the model's card asks for elevation, on the lowest points within a stated
// window; never on where the tile ends. Lengths are in metres. Results do not
// depend on the number of threads.
package embed

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Input is what an Embedder reads. All arrays are in the cloud's own order.
type Input struct {
	Cloud      *neighbor.Cloud
	Neighbors  *neighbor.Lists      // at least as many neighbours as the model's card asks for, if the cloud has them
	Attributes map[string][]float32 // raw values by PDAL dimension name, such as "Intensity" or "Red"
	Scales     map[string]Scale     // how attributes are brought to [0, 1]; nil means measured on this cloud
	// of the points, in metres, for models with a reference spacing; 0 means measured on this cloud
	Spacing float64
	// If not nil, a flag for each point: Embed sets those of isolated points, of a model that reads context
	Isolated []bool
	// If not nil, number of points × PlacementWidth zeros: Embed writes the placements there, of a
	// model that has Partition.Volume.
	Placed []float32
	Around *Cells // boxes with points of the survey that the cloud is a part of; nil for none
	// of that survey, in metres, from where cubes of context count, but for heights; nil for the cloud's own
	Origin *[3]float64
}

// Embedder computes one vector per point.
type Embedder interface {
	// Dim returns the length m of an embedding.
	Dim() int
	// Embed returns number of points × Dim values, row major, in the cloud's order.
	Embed(run parallel.Run, in *Input) ([]float32, error)
}

// PlacementWidth is the length of a placement: how a point takes part in the partition
// problem. It is an offset in metres by which the position is moved, and the share by which
// the embedding is damped.
const PlacementWidth = 4
