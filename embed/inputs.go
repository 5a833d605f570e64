// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed/layout"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
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
type fill func(points []uint32, rows []float32, stride int)

// NewInputs computes the columns that the card's channels read. Its errors are those of
// Prepare.
func NewInputs(run parallel.Run, card *Card, in *Input) (*Inputs, error) {
	s, err := Prepare(run, card, in)
	if err != nil {
		return nil, err
	}
	s.table = make([]float32, s.Len()*s.width)
	return s, run.For(s.Len(), fillBlock, func(lo, hi int) {
		points := Consecutive(nil, lo, hi)
		s.Columns(points, s.table[lo*s.width:], s.width)
		if s.kept < s.width {
			s.Context(points, s.table[lo*s.width+s.kept:], s.width)
		}
	})
}

// fillBlock is the number of points of one task.
const fillBlock = 1 << 12

// Consecutive appends the points lo to hi−1 to a list.
func Consecutive(points []uint32, lo, hi int) []uint32 {
	for i := lo; i < hi; i++ {
		points = append(points, uint32(i))
	}
	return points
}

// Prepare computes what columns depend on, such as scales and the ground, but no columns:
// Columns and Context compute these for a block of points at a time. It returns an error if a
// dimension is missing or holds NaN or infinity, or if fewer neighbours are listed than the
// card has and the cloud has more.
func Prepare(run parallel.Run, card *Card, in *Input) (*Inputs, error) {
	ch := &card.Inputs
	n := in.Cloud.Len()
	if len(in.Neighbors.Index) != n*in.Neighbors.K {
		return nil, fmt.Errorf("%d neighbours for %d points with %d each", len(in.Neighbors.Index), n,
			in.Neighbors.K)
	}
	if k := in.Neighbors.K; k < min(ch.Neighbors, n-1) {
		return nil, fmt.Errorf("%d neighbours per point where model %q reads %d; search for at least as many",
			k, card.Name,
			ch.Neighbors)
	}
	s := &Inputs{
		Neighbors: ch.Neighbors, NeighborChannels: len(ch.Neighbor), PointChannels: len(ch.Point),
		lists: in.Neighbors, scattering: in.Scattering,
	}
	s.cloud, s.scale = ch.scaled(in)
	s.places, s.width = ch.places()
	s.kept = ch.Kept()
	s.set, s.point = ch.Sources()
	if err := s.prepare(run, ch, in); err != nil {
		return nil, err
	}
	return s, nil
}

// scaled returns the cloud, scaled to the reference spacing if the card has one, and the
// scale.
func (ch *Channels) scaled(in *Input) (cloud *neighbor.Cloud, scale float64) {
	if ch.Spacing == 0 {
		return in.Cloud, 1
	}
	scale = ch.Spacing / in.spacing()
	return in.Cloud.Scaled(scale), scale
}

// Kept returns the number of leading columns of a row that must be kept in a table of all
// points, because channels of neighbours may read them: all but those of context, which
// are the last, unless neighbour channels read context, too.
func (ch *Channels) Kept() int {
	places, width := ch.places()
	if slices.ContainsFunc(ch.Neighbor, func(channel string) bool { return isContext(columnOf(channel)) }) {
		return width
	}
	kept := width
	for name, at := range places {
		if isContext(name) {
			kept = min(kept, at)
		}
	}
	return kept
}

// Columns writes the first Channels.Kept columns of points to rows of stride numbers.
func (s *Inputs) Columns(points []uint32, rows []float32, stride int) {
	s.each(0, points, rows, stride)
}

// Context writes the columns after those.
func (s *Inputs) Context(points []uint32, rows []float32, stride int) {
	s.each(1, points, rows, stride)
}

func (s *Inputs) each(part int, points []uint32, rows []float32, stride int) {
	for _, f := range s.fill[part] {
		f(points, rows, stride)
	}
}

// places returns the index in a row of each column that the channels read, and the width of
// a row. A normal takes three numbers.
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

// Sources returns, for each neighbour channel and each point channel, its formula and the
// column it reads.
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

// fromCorner returns the offset of the cloud's origin in units: x and y from the corner of the survey, the
// height from 0, because heights in the headers of files may be wrong. The corner is a whole number of units
// in any unit of length; the middle is not.
func (in *Input) fromCorner() (from [3]int64) {
	units := func(v float64) int64 { return int64(math.Round(v / in.Cloud.Unit)) }
	from = [3]int64{-int64(in.Cloud.Least[0]), -int64(in.Cloud.Least[1]), units(in.Cloud.Origin.Z)}
	if in.Corner != nil {
		from[0] = units(in.Cloud.Origin.X) - units(in.Corner[0])
		from[1] = units(in.Cloud.Origin.Y) - units(in.Corner[1])
	}
	return from
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
func (s *Inputs) Measure(i int, offset [][3]float32) Neighborhood {
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
	return Neighborhood{near, 1 / (radius + layout.RadiusEpsilon), radius, away, high - low}
}

// Channel returns a point channel that is not a column; 0 for an entry of Ω.
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

// gatherSet normalises the offsets, which are the first three numbers of each
// row, and fills in the other neighbour channels.
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

// Layout returns the layout of channels and columns for kernels in C and CUDA.
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

// echoes is the number of returns at which the returns column is 1.
const echoes = 5

// prepare sets fill.
func (s *Inputs) prepare(run parallel.Run, ch *Channels, in *Input) error {
	for _, c := range ch.uses() {
		for _, d := range c.dimensions {
			if _, err := in.attribute(d); err != nil {
				return err
			}
		}
	}
	scales := in.MeasureScales()
	for _, c := range ch.uses() {
		if value := in.value(&c, scales); value != nil {
			place := s.places[c.name]
			s.fill[0] = append(s.fill[0], func(points []uint32, rows []float32, stride int) {
				for k, i := range points {
					rows[k*stride+place] = value(int(i))
				}
			})
		}
	}
	if places := s.shapePlaces(); places != noShapes {
		s.fill[0] = append(s.fill[0], func(points []uint32, rows []float32, stride int) {
			s.shapes(&places, points, rows, stride)
		})
	}
	return s.prepareDistant(run, ch, in)
}

// value returns the function that computes a column from dimensions; nil for a column
// that is not computed from dimensions.
func (in *Input) value(c *column, scales map[string]Scale) func(i int) float32 {
	number, of := in.Attributes["ReturnNumber"], in.Attributes["NumberOfReturns"]
	switch c.name {
	case "log_intensity":
		values := in.Attributes["Intensity"]
		return func(i int) float32 { return float32(arithmetic.Log(max(float64(values[i]), 1))) }
	case "red", "green", "blue", "infrared", "intensity":
		d := c.dimensions[0]
		values, scale := in.Attributes[d], scales[d]
		return func(i int) float32 { return scale.apply(values[i]) }
	case "echo":
		return func(i int) float32 { return min(max(number[i]/max(of[i], 1), 0), 1) }
	case "returns":
		return func(i int) float32 { return min(max(of[i], 0), echoes) / echoes }
	}
	return nil
}

// prepareDistant adds to fill the columns that depend on more than the nearest
// neighbors: elevation and context.
func (s *Inputs) prepareDistant(run parallel.Run, ch *Channels, in *Input) error {
	height, heights := s.places[elevationColumn]
	wide := slices.ContainsFunc(ch.uses(), func(c column) bool { return isContext(c.name) })
	if s.Len() == 0 || !heights && !wide {
		return nil
	}
	e := DefaultElevation()
	found, err := ch.layers(run, s.cloud, in)
	if err != nil {
		return err
	}
	if heights {
		g, err := e.ground(run, found)
		if err != nil {
			return err
		}
		s.fill[0] = append(s.fill[0], func(points []uint32, rows []float32, stride int) {
			at := spot{x: math.MaxInt64}
			for k, i := range points {
				rows[k*stride+height] = g.elevation(s.cloud, int(i), &at)
			}
		})
	}
	if !wide {
		return nil
	}
	out, err := found.outliers(run, s.cloud)
	if err != nil {
		return err
	}
	copy(in.Isolated, out)
	context, err := s.context(run, ch.Spacing, in.fromCorner(), out)
	part := 0
	if s.kept < s.width {
		part = 1
	}
	s.fill[part] = append(s.fill[part], context)
	return err
}
