// SPDX-License-Identifier: BSD-3-Clause

// Package layout defines the layout in memory of a model's channels and network for
// the kernels in Go, C and CUDA. layout.h defines the same in C and documents each
// field; a test compares them. Packages whose C includes it import this one, so that go
// builds them again when it changes.
package layout

import "strings"

// Bounds of a card, and so of the arrays here.
const (
	MostNeighbors = 64
	MostChannels  = 64
	MostLayers    = 8
	MostColumns   = 32
)

// Bounds of channels, documented in layout.h.
const (
	Farthest       = 100
	SmallestRadius = 1e-5
	FarthestMean   = 5
	HighestRise    = 5
	HighestExtent  = 10
	RadiusEpsilon  = 1e-10
)

// Exponents of fixed-point numbers of the integer network, whose units are 2^−exponent.
const (
	PositionExponent = 12 // of positions, rise and Ω
	NormalExponent   = 14 // of the components of a normal, and of normal_turn
)

// Source is a channel and the index of its column in a row of the table.
type Source struct {
	Channel Channel
	Column  int32
}

// Inputs describes the channels of a neighbourhood.
type Inputs struct {
	Neighbors        int32
	Near             int32
	Listed           int32
	NeighborChannels int32
	PointChannels    int32
	Width            int32
	Neighbor, Point  [MostChannels]Source
}

// Layer is y = (b + Σ w x) >> s, clamped to 0 … Most.
type Layer struct{ In, Wide, Weight, Bias, Shift, Most int32 }

// Part is a sequence of layers.
type Part struct {
	Count int32
	Layer [MostLayers]Layer
}

// Network is a model's network.
type Network struct {
	Stride    int32
	Columns   int32
	Hidden    int32
	Near, Own int32
	Pairs     int32
	Normal    int32
	Rise      int32
	Points    int32
	Dim       int32
	Omega     [4]int32
	STConv    Part
	STFC      Part
	LPEConv   Part
	LPEFC     Part
	Scale     [MostColumns]float32
	Point     [MostChannels]float32
}

// Shapes holds the indices of the shape columns in a row of the table, −1 for none.
type Shapes struct{ Linearity, Planarity, Scattering, Verticality, LogRadius, Normal int32 }

// Channel is a kind of channel: how it is computed.
type Channel int32

// The channels, in layout.h's order. Lengths in metres.
const (
	X          Channel = iota // neighbour: (p_j − p_i)/radius, xy then transformed by Ω
	Y                         //
	Z                         //
	Column                    // both: a column of the table
	DColumn                   // neighbour: the column's value there − that at the point
	NormalTurn                // neighbour: 1 − |n_i · n_j|, in [0, 1]
	Rise                      // neighbour: z_j − z_i, at most ±5
	Radius                    // point: standard deviation of the neighbours' positions, at most 100
	// point: distance from the neighbours' mean / radius, at most 5; large at borders
	CentroidOffset
	HeightRange // point: highest − lowest neighbour, at most 10
	Omega       // point: an entry of the spatial transform's matrix
)

// names are the names of channels in cards. A Column has the name of its column, a
// DColumn the prefix and the name of its column, Omega the prefix and the axes of the
// entry.
var names = [...]string{
	X: "x", Y: "y", Z: "z", Column: "", DColumn: "d_", NormalTurn: "normal_turn", Rise: "rise",
	Radius:         "radius",
	CentroidOffset: "centroid_offset", HeightRange: "height_range", Omega: "omega_",
}

// String returns the channel's name in a card, or its prefix.
func (c Channel) String() string { return names[c] }

// Of returns the channel of a name that a card may have.
func Of(name string) Channel {
	for c := range Channel(len(names)) {
		if c != Column && (name == names[c] || (c == DColumn || c == Omega) &&
			strings.HasPrefix(name, names[c])) {
			return c
		}
	}
	return Column
}
