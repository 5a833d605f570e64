package embed

import "superpoint/embed/layout"

// Table returns what Gather reads, for code that gathers elsewhere: how the
// channels lie, and the columns of all points, number of points × Width.
func (s *Inputs) Table() (in *layout.Inputs, table []float32) {
	return s.layout(len(s.neighborsOf(0)), s.Neighbors), s.table
}

// layout describes the channels for C, of points with near neighbours in sets of
// so many rows.
func (s *Inputs) layout(near, rows int) *layout.Inputs {
	in := &layout.Inputs{
		Neighbors: int32(s.Neighbors), Near: int32(near), Rows: int32(rows), Listed: int32(s.lists.K),
		NeighborChannels: int32(s.NeighborChannels), PointChannels: int32(s.PointChannels), Width: int32(s.width),
	}
	copy(in.Neighbor[:], s.set)
	copy(in.Point[:], s.point)
	return in
}
