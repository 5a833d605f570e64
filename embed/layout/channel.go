package layout

import "strings"

// Channel is how a channel is computed.
type Channel int32

// The channels, in layout.h's order. Lengths in metres.
const (
	X              Channel = iota // neighbour: (p_j − p_i)/radius, xy then transformed by Ω
	Y                             //
	Z                             //
	Column                        // both: a column of the table
	DColumn                       // neighbour: the column's value there − that at the point
	NormalTurn                    // neighbour: 1 − |n_i · n_j|, in [0, 1]
	Rise                          // neighbour: z_j − z_i, at most ±5
	Radius                        // point: standard deviation of the neighbours' positions, at most 100
	CentroidOffset                // point: distance from the neighbours' mean / radius, at most 5; large at borders
	HeightRange                   // point: highest − lowest neighbour, at most 10
	Omega                         // point: an entry of the spatial transform's matrix
)

// names are those of cards: Column has the column's own, DColumn that with its
// prefix, Omega ends with the entry's axes.
var names = [...]string{
	X: "x", Y: "y", Z: "z", Column: "", DColumn: "d_", NormalTurn: "normal_turn", Rise: "rise", Radius: "radius",
	CentroidOffset: "centroid_offset", HeightRange: "height_range", Omega: "omega_",
}

// String returns the channel's name in a card, or what that begins with.
func (c Channel) String() string { return names[c] }

// Of returns the channel of a name that a card may have.
func Of(name string) Channel {
	for c := range Channel(len(names)) {
		if c != Column && (name == names[c] || (c == DColumn || c == Omega) && strings.HasPrefix(name, names[c])) {
			return c
		}
	}
	return Column
}
