// SPDX-License-Identifier: BSD-3-Clause

// Package embed computes a learned embedding of every point of a cloud, a unit
// vector that is nearly constant inside objects and changes at their borders.
// It contains the model files, the network's shapes and the network's inputs; the
// Local Point Embedder itself (Landrieu and Boussaha 2019, appendix "3D Point
// Embedding", doi:10.1109/CVPR.2019.00762) runs in embed/lpe, hand-crafted
// features in embed/geometric.
//
// A point's embedding depends on the point, its k nearest neighbours and, if the
// model reads elevation or context, on the points within Card.Halo; not on the
// extent of a tile. Lengths are in metres. Results do not depend on the number of
// threads.
package embed

import (
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Input is the input of an Embedder. All arrays are in the cloud's own order.
type Input struct {
	Cloud *neighbor.Cloud
	// at least as many neighbours as the model's card has, if the cloud has them
	Neighbors  *neighbor.Lists
	Attributes map[string][]float32 // raw values by PDAL dimension name, such as "Intensity" or "Red"
	// distance of neighbouring points in metres, for models with a reference spacing; 0: measured on this
	// cloud
	Spacing float64
	// If not nil, a flag for each point: Embed sets the flags of isolated points, if the model reads
	// context.
	Isolated []bool
	// If not nil, a zero for each point: Embed writes their near_scattering to it, if the model reads
	// context.
	Scattering []float32
	Anchor     Anchor // for a tile: the anchor of its full cloud
}

// Anchor is the point from which the boxes of elevation and the cubes of context are counted, in metres.
// A field that is nil is measured on the cloud; a tile needs the anchor of its full cloud.
type Anchor struct {
	// Both determine every box, with the spacing of points and the lengths of the card: two tiles that have
	// the same of all these have the same boxes where they overlap.
	Corner *[2]float64 // least x and y
	Floor  *float64    // height, see BoxFloor
}

// Embedder computes one vector per point.
type Embedder interface {
	// Dim returns the length m of an embedding.
	Dim() int
	// Embed returns number of points × Dim values, row major, in the cloud's order.
	Embed(run parallel.Run, in *Input) ([]float32, error)
}
