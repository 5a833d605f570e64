// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/embed/layout"
	"superpoint/partition/neighbor"
)

// Inputs computes the channels of a card for any point of a cloud, for inference
// and for training. It may be used from several goroutines at once.
type Inputs struct {
	Neighbors, NeighborChannels, PointChannels int // k, c and p

	cloud *neighbor.Cloud // scaled to the card's reference spacing, if it has one
	scale float64         // by which it is scaled
	lists *neighbor.Lists
	// number of points × width: the columns that channels read; nil unless NewInputs made it
	table      []float32
	width      int
	scattering []float32      // Input.Scattering
	kept       int            // see Channels.Kept
	fill       [2][]fill      // functions that compute the first kept columns, and the others
	places     map[string]int // index of a column in a row of table
	set        []layout.Source
	point      []layout.Source
}

// fill writes columns of points to consecutive rows of stride numbers.
//
// It writes to the rows of its points only, so that several blocks can be computed at once.
type fill func(points []uint32, rows []float32, stride int)

// Consecutive appends the points lo to hi−1 to a list.
func Consecutive(points []uint32, lo, hi int) []uint32 {
	for i := lo; i < hi; i++ {
		points = append(points, uint32(i))
	}
	return points
}

// Columns writes the first Channels.Kept columns of points to rows of stride numbers.
func (s *Inputs) Columns(points []uint32, rows []float32, stride int) {
	s.each(0, points, rows, stride)
}

// Context writes the columns that follow the first Channels.Kept.
//
// A row begins with column kept. It writes nothing if all columns are kept: Columns then writes the
// context columns, too.
func (s *Inputs) Context(points []uint32, rows []float32, stride int) {
	s.each(1, points, rows, stride)
}

func (s *Inputs) each(part int, points []uint32, rows []float32, stride int) {
	for _, f := range s.fill[part] {
		f(points, rows, stride)
	}
}

// Cloud returns the cloud that channels are computed from: scaled to the card's
// reference spacing, if it has one.
func (s *Inputs) Cloud() *neighbor.Cloud { return s.cloud }

// Scale returns the factor by which lengths of the original cloud are multiplied
// in Cloud.
func (s *Inputs) Scale() float64 { return s.scale }

// Len returns the number of points.
func (s *Inputs) Len() int { return s.cloud.Len() }

// NeighborsOf returns the first k neighbours of a point, or all if it has fewer.
//
// Lists may have more for other steps; the nearest come first.
func (s *Inputs) NeighborsOf(i int) []uint32 {
	row := s.lists.Of(i)
	return row[:min(len(row), s.Neighbors)]
}

// Neighborhood holds the neighbours of a point and statistics of their positions. Lengths are in metres of
// Cloud.
type Neighborhood struct {
	Near           []uint32 // up to k neighbours; the point itself if it has none
	Scale          float32  // 1/(Radius + layout.RadiusEpsilon)
	Radius         float32  // standard deviation of the neighbours' positions
	CentroidOffset float32  // distance from the point to their mean
	Height         float32  // highest − lowest
}

// Measure returns the neighbourhood of point i and sets offset to the offsets of its k
// neighbours from it, in metres. A cloud of fewer than k + 1 points repeats its neighbours in order; a
// single point is its own neighbour.
//
// The spread is computed in two passes, first the mean, then the differences from it. Sums are in the order
// of the list of neighbors, as in the kernels in C and CUDA, which give the same bits.
func (s *Inputs) Measure(i int, offset [][3]float32) Neighborhood {
	// A single point has no neighbors: its offset is 0, k times.
	near := s.NeighborsOf(i)
	if len(near) == 0 {
		near = []uint32{uint32(i)}
	}
	k := s.Neighbors
	p := s.cloud.XYZ[i]
	unit := float32(s.cloud.Unit)
	var sum, square [3]float32
	for r := range k {
		q := &s.cloud.XYZ[near[r%len(near)]]
		for a := range 3 {
			// The difference of integers is exact, in 64 bits because it may exceed 32. Positions in float32
			// would lose it: they have up to 31 bits, and float32 has 24.
			offset[r][a] = float32(int64(q[a])-int64(p[a])) * unit
			sum[a] += offset[r][a]
		}
	}
	per := 1 / float32(k)
	for a := range 3 {
		// From here on sum is the mean.
		sum[a] *= per
	}
	low, high := offset[0][2], offset[0][2]
	for r := range k {
		for a := range 3 {
			// In two passes, because Σd² − (Σd)²/k is the difference of large numbers where the neighbors are
			// far from the point but near one another.
			d := offset[r][a] - sum[a]
			square[a] += d * d
		}
		low, high = min(low, offset[r][2]), max(high, offset[r][2])
	}
	radius := float32(math.Sqrt(float64((square[0] + square[1] + square[2]) * per)))
	// Offsets are from the point, so that the length of their mean is the distance of the point to it.
	away := float32(math.Sqrt(float64(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])))
	return Neighborhood{near, 1 / (radius + layout.RadiusEpsilon), radius, away, high - low}
}

// Channel returns a point channel that is not a column; 0 for an entry of Ω.
//
// Each is limited, as its exponent in the integer network is for a known range. The radius is a length in
// metres, the offset of the centroid is relative to it.
func (m *Neighborhood) Channel(c layout.Channel) float32 {
	switch c {
	case layout.Radius:
		return min(m.Radius, layout.Farthest)
	case layout.CentroidOffset:
		return min(m.CentroidOffset*m.Scale, layout.FarthestMean)
	case layout.HeightRange:
		return min(m.Height, layout.HighestExtent)
	}
	return 0
}

// Gather writes the channels of point i: set, k × c values, one row per neighbour,
// nearest first, and point, p values. The entries of Ω among the point channels are
// set to 0.
//
// It reads columns of neighbors from the table, so it needs inputs from NewInputs: inputs from Prepare
// have no table.
func (s *Inputs) Gather(i int, set, point []float32) {
	var offsets [layout.MostNeighbors][3]float32
	m := s.Measure(i, offsets[:])
	for r := range s.Neighbors {
		// Metres for now: gatherSet divides them by the radius, which is known only after all were measured.
		copy(set[r*s.NeighborChannels:], offsets[r][:])
	}
	s.gatherSet(i, m.Near, set, m.Scale)
	for h, src := range s.point {
		if src.Channel == layout.Column {
			// A column at the point itself, else a number that follows from the neighborhood.
			point[h] = s.table[i*s.width+int(src.Column)]
		} else {
			point[h] = m.Channel(src.Channel)
		}
	}
}

// gatherSet normalises the offsets, which are the first three numbers of each
// row, and fills in the other neighbour channels.
//
// Offsets and rises are limited, because the integer network needs ranges that are known beforehand: its
// registers hold the largest possible sums, and no more (integer.go).
func (s *Inputs) gatherSet(i int, near []uint32, set []float32, scale float32) {
	c := s.NeighborChannels
	own := s.table[i*s.width : (i+1)*s.width]
	for r := range s.Neighbors {
		row := set[r*c : (r+1)*c]
		// Read before it is divided by the radius: a rise is in metres.
		dz := row[2]
		for a := range 3 {
			row[a] = min(max(row[a]*scale, -layout.Farthest), layout.Farthest)
		}
		if c == 3 {
			continue
		}
		// The same repetition as in Measure, so that all channels of row r belong to one neighbor.
		j := int(near[r%len(near)])
		other := s.table[j*s.width : (j+1)*s.width]
		for h := 3; h < c; h++ {
			switch src := s.set[h]; src.Channel {
			case layout.Column:
				row[h] = other[src.Column]
			case layout.DColumn:
				row[h] = other[src.Column] - own[src.Column]
			case layout.NormalTurn:
				row[h] = turned(own[src.Column:src.Column+3], other[src.Column:src.Column+3])
			case layout.Rise:
				row[h] = min(max(dz, -layout.HighestRise), layout.HighestRise)
			}
		}
	}
}

// turned returns 1 − |a · b| of two normals.
//
// |a · b|, because the sign of a normal is arbitrary. Rounded, the product of unit vectors may exceed 1: max
// leaves no negative turn.
func turned(a, b []float32) float32 {
	d := a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
	if d < 0 {
		d = -d
	}
	return max(1-d, 0)
}

// GatherBatch gathers any points: set is len(points) × k × c and point
// len(points) × p, both row major.
func (s *Inputs) GatherBatch(points []uint32, set, point []float32) {
	rows, width := s.Neighbors*s.NeighborChannels, s.PointChannels
	for b, i := range points {
		s.Gather(int(i), set[b*rows:(b+1)*rows], point[b*width:(b+1)*width])
	}
}

// Column writes a column that the card's channels read, for the points lo to
// hi−1, to out, whose values are stride apart.
func (s *Inputs) Column(name string, lo, hi int, out []float32, stride int) {
	place, ok := s.places[name]
	if !ok {
		panic("embed: no channel of the card reads column " + name)
	}
	for i := lo; i < hi; i++ {
		out[(i-lo)*stride] = s.table[i*s.width+place]
	}
}

// Layout returns the layout of channels and columns for kernels in C and CUDA.
//
// Near is the number of neighbors of the first point: all lists have the same length. The cloud
// must not be empty.
func (s *Inputs) Layout() *layout.Inputs {
	in := &layout.Inputs{
		Neighbors: int32(s.Neighbors), Near: int32(len(s.NeighborsOf(0))), Listed: int32(s.lists.K),
		NeighborChannels: int32(s.NeighborChannels), PointChannels: int32(s.PointChannels),
		Width: int32(s.width),
	}
	copy(in.Neighbor[:], s.set)
	copy(in.Point[:], s.point)
	return in
}

// Table returns the columns of all points, number of points × Layout's Width.
func (s *Inputs) Table() []float32 { return s.table }

// Lists returns the lists of neighbours.
func (s *Inputs) Lists() *neighbor.Lists { return s.lists }
