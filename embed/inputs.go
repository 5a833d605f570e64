package embed

import (
	"fmt"
	"math"

	"superpoint/embed/layout"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Inputs computes the channels a card names for any point of a cloud. It is
// the only place that does, for inference and for training. It may be used
// from several goroutines at once.
type Inputs struct {
	Neighbors, NeighborChannels, PointChannels int // k, c and p

	cloud  *neighbor.Cloud // scaled to the card's reference spacing, if it has one
	scale  float64         // by which it is scaled
	lists  *neighbor.Lists
	table  []float32 // number of points × width: the columns that channels read
	width  int
	places map[string]int // of columns in a row of table
	set    []layout.Source
	point  []layout.Source
}

// NewInputs prepares the columns that the card's channels read. It fails if a
// dimension is missing or holds NaN or infinity, and if the cloud has more
// neighbours than are listed and the card asks for them.
func NewInputs(run parallel.Run, card *Card, in *Input) (*Inputs, error) {
	ch := &card.Inputs
	n := in.Cloud.Len()
	if len(in.Neighbors.Index) != n*in.Neighbors.K {
		return nil, fmt.Errorf("%d neighbours for %d points with %d each", len(in.Neighbors.Index), n, in.Neighbors.K)
	}
	if k := in.Neighbors.K; k < min(ch.Neighbors, n-1) {
		return nil, fmt.Errorf("%d neighbours per point where model %q reads %d; search for at least as many", k, card.Name,
			ch.Neighbors)
	}
	s := &Inputs{
		Neighbors: ch.Neighbors, NeighborChannels: len(ch.Neighbor), PointChannels: len(ch.Point),
		cloud: in.Cloud, scale: 1, lists: in.Neighbors,
	}
	if ch.Spacing > 0 {
		s.scale = ch.Spacing / in.spacing()
		s.cloud = in.Cloud.Scaled(s.scale)
	}
	s.places, s.width = ch.places()
	s.set, s.point = ch.Sources()
	s.table = make([]float32, n*s.width)
	if err := s.fill(run, ch, in); err != nil {
		return nil, err
	}
	return s, nil
}

// places returns where the columns that the channels read lie in a row, and its width.
func (ch *Channels) places() (places map[string]int, width int) {
	places = map[string]int{}
	for _, c := range ch.uses() {
		places[c.name] = width
		width++
		if c.name == normalColumn {
			width += 2
		}
	}
	return places, width
}

// Sources returns how channels are computed, and which column each reads.
func (ch *Channels) Sources() (neighbor, point []layout.Source) {
	places, _ := ch.places()
	return sources(ch.Neighbor, places), sources(ch.Point, places)
}

func sources(channels []string, places map[string]int) []layout.Source {
	list := make([]layout.Source, len(channels))
	for i, name := range channels {
		list[i] = layout.Source{Channel: layout.Of(name), Column: int32(places[columnOf(name)])}
	}
	return list
}

// spacing returns the distance of neighbouring points in metres.
func (in *Input) spacing() float64 {
	if in.Spacing > 0 {
		return in.Spacing
	}
	return in.Cloud.Spacing(in.Neighbors)
}

// Cloud returns the cloud as the network reads it: with a reference spacing,
// scaled to that.
func (s *Inputs) Cloud() *neighbor.Cloud { return s.cloud }

// Scale returns the factor between the cloud's lengths and those that the
// network reads.
func (s *Inputs) Scale() float64 { return s.scale }

// Len returns the number of points.
func (s *Inputs) Len() int { return s.cloud.Len() }

// neighborsOf returns up to k neighbours of a point.
func (s *Inputs) neighborsOf(i int) []uint32 {
	row := s.lists.Of(i)
	return row[:min(len(row), s.Neighbors)]
}

// Surroundings is what is measured of a neighbourhood.
type Surroundings struct {
	Near   []uint32 // up to k neighbours; the point itself where it has none
	Scale  float32  // 1/radius
	Radius float32  // standard deviation of the neighbours' positions
	Away   float32  // distance of their mean
	Height float32  // highest − lowest
}

// Measure measures the neighbourhood of point i and writes the offsets of its k
// neighbours. A cloud of fewer than k + 1 points repeats its neighbours in order; a
// single point is its own neighbour.
func (s *Inputs) Measure(i int, offset [][3]float32) Surroundings {
	near := s.neighborsOf(i)
	if len(near) == 0 {
		near = []uint32{uint32(i)}
	}
	k, p, unit := s.Neighbors, s.cloud.XYZ[i], float32(s.cloud.Unit)
	var sum, square [3]float32
	for r := range k {
		q := &s.cloud.XYZ[near[r%len(near)]]
		for a := range 3 {
			offset[r][a] = float32(int64(q[a])-int64(p[a])) * unit
			sum[a] += offset[r][a]
		}
	}
	per := 1 / float32(k)
	for a := range 3 {
		sum[a] *= per
	}
	low, high := offset[0][2], offset[0][2]
	for r := range k {
		for a := range 3 {
			d := offset[r][a] - sum[a]
			square[a] += d * d
		}
		low, high = min(low, offset[r][2]), max(high, offset[r][2])
	}
	radius := float32(math.Sqrt(float64((square[0] + square[1] + square[2]) * per)))
	away := float32(math.Sqrt(float64(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])))
	return Surroundings{near, 1 / (radius + layout.RadiusEpsilon), radius, away, high - low}
}

// Channel returns a point channel that is no column; 0 for an entry of Ω.
func (m *Surroundings) Channel(c layout.Channel) float32 {
	switch c {
	case layout.Radius:
		return min(m.Radius, layout.Farthest)
	case layout.CentroidOffset:
		return min(m.Away*m.Scale, layout.FarthestMean)
	case layout.HeightRange:
		return min(m.Height, layout.HighestExtent)
	}
	return 0
}

// Gather writes the channels of point i: set, k × c values, one row per neighbour,
// nearest first, and point, p values. The entries of Ω among the point channels are
// set to 0.
func (s *Inputs) Gather(i int, set, point []float32) {
	var offsets [layout.MostNeighbors][3]float32
	m := s.Measure(i, offsets[:])
	for r := range s.Neighbors {
		copy(set[r*s.NeighborChannels:], offsets[r][:])
	}
	s.gatherSet(i, m.Near, set, m.Scale)
	for h, src := range s.point {
		if src.Channel == layout.Column {
			point[h] = s.table[i*s.width+int(src.Column)]
		} else {
			point[h] = m.Channel(src.Channel)
		}
	}
}

// gatherSet normalises the offsets, which stand in the first three places of
// each row, and fills in the other neighbour channels.
func (s *Inputs) gatherSet(i int, near []uint32, set []float32, scale float32) {
	c := s.NeighborChannels
	own := s.table[i*s.width : (i+1)*s.width]
	for r := range s.Neighbors {
		row := set[r*c : (r+1)*c]
		dz := row[2]
		for a := range 3 {
			row[a] = min(max(row[a]*scale, -layout.Farthest), layout.Farthest)
		}
		if c == 3 {
			continue
		}
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

// Table returns what Gather reads, for code that gathers elsewhere: how the
// channels lie, and the columns of all points, number of points × Width.
func (s *Inputs) Table() (in *layout.Inputs, table []float32) {
	in = &layout.Inputs{
		Neighbors: int32(s.Neighbors), Near: int32(len(s.neighborsOf(0))), Listed: int32(s.lists.K),
		NeighborChannels: int32(s.NeighborChannels), PointChannels: int32(s.PointChannels), Width: int32(s.width),
	}
	copy(in.Neighbor[:], s.set)
	copy(in.Point[:], s.point)
	return in, s.table
}

// Release gives the columns back, when what follows does not read them.
func (s *Inputs) Release() { s.table = nil }

// Lists returns the lists of neighbours.
func (s *Inputs) Lists() *neighbor.Lists { return s.lists }
