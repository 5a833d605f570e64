// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed/layout"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// NewInputs computes the columns that the card's channels read. It returns the errors
// of Prepare.
func NewInputs(run parallel.Run, card *Card, in *Input) (*Inputs, error) {
	s, err := Prepare(run, card, in)
	if err != nil {
		return nil, err
	}
	// Row major, the columns of context last. Context writes to the same rows, kept columns farther, so the
	// table is the same whether columns are split or not.
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
	// A cloud of n points has n−1 neighbors of each at most; Measure repeats them.
	if k := in.Neighbors.K; k < min(ch.Neighbors, n-1) {
		return nil, fmt.Errorf("%d neighbours per point where model %q reads %d; search for at least as many",
			k, card.Name,
			ch.Neighbors)
	}
	s := &Inputs{
		Neighbors: ch.Neighbors, NeighborChannels: len(ch.Neighbor), PointChannels: len(ch.Point),
		lists: in.Neighbors, scattering: in.Scattering,
	}
	// From here on lengths are measured in s.cloud. Lists hold indices of points, which scaling does not
	// change.
	s.cloud, s.scale = ch.scaled(in)
	s.places, s.width = ch.places()
	s.kept = ch.Kept()
	s.set, s.point = ch.Sources()
	if err := s.prepare(run, ch, in); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare sets fill.
//
// Why functions in a list: a model reads few of the columns, and the choice is made once for a cloud instead
// of once for a point. All are called for the same block of points, whose rows stay in the cache.
//
// Each function writes the places of its own columns, so that their order in the list has no effect on a row.
func (s *Inputs) prepare(run parallel.Run, ch *Channels, in *Input) error {
	for _, c := range ch.uses() {
		// All dimensions before the first column: a missing one is reported before anything is computed.
		for _, d := range c.dimensions {
			if _, err := in.attribute(d); err != nil {
				return err
			}
		}
	}
	// On all points of the cloud at once. By blocks, a block would have its own scale and colours would jump.
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
	// nil if the input lacks them; prepare has checked those that the columns read.
	number, of := in.Attributes["ReturnNumber"], in.Attributes["NumberOfReturns"]
	switch c.name {
	case "log_intensity":
		values := in.Attributes["Intensity"]
		// ln 0 is −∞: an intensity below 1 counts as 1.
		return func(i int) float32 { return float32(arithmetic.Log(max(float64(values[i]), 1))) }
	case "red", "green", "blue", "infrared", "intensity":
		d := c.dimensions[0]
		values, scale := in.Attributes[d], scales[d]
		return func(i int) float32 { return scale.apply(values[i]) }
	case "echo":
		// Points without pulses, such as points from images, may have 0 returns. 0/0 is NaN, which min and
		// max return.
		return func(i int) float32 { return min(max(number[i]/max(of[i], 1), 0), 1) }
	case "returns":
		return func(i int) float32 { return min(max(of[i], 0), echoes) / echoes }
	}
	return nil
}

// prepareDistant adds to fill the columns that depend on more than the nearest
// neighbors: elevation and context.
//
// Their order matters: the boxes (layers) are counted once and serve both, the ground, which leaves out
// isolated boxes, and context, which leaves out isolated points.
func (s *Inputs) prepareDistant(run parallel.Run, ch *Channels, in *Input) error {
	height, heights := s.places[elevationColumn]
	wide := slices.ContainsFunc(ch.uses(), func(c column) bool { return isContext(c.name) })
	if s.Len() == 0 || !heights && !wide {
		return nil
	}
	// The anchor first: boxes are counted from it, and so are the cubes of context.
	e := DefaultElevation()
	from, err := ch.anchored(run, in)
	if err != nil {
		return err
	}
	found, err := ch.layers(run, s.cloud, from)
	if err != nil {
		return err
	}
	if heights {
		g, err := e.ground(run, found)
		if err != nil {
			return err
		}
		s.fill[0] = append(s.fill[0], func(points []uint32, rows []float32, stride int) {
			// The cell of no point, so the first one searches its corners. at belongs to this call: blocks
			// share nothing.
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
	// Copies nothing if the caller has no use for it: a nil slice has room for none.
	copy(in.Isolated, out)
	context, err := s.context(run, ch.Spacing, from, out)
	part := 0
	if s.kept < s.width {
		part = 1
	}
	s.fill[part] = append(s.fill[part], context)
	return err
}

// places returns the index in a row of each column that the channels read, and the width of
// a row. A normal takes three numbers.
func (ch *Channels) places() (places map[string]int, width int) {
	places = map[string]int{}
	for _, c := range ch.uses() {
		places[c.name] = width
		width++
		// x, y and z of a normal are consecutive; its place is the place of x.
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
	// A channel that reads no column, such as radius, has the column name "", and so column 0, which is not
	// read.
	return sources(ch.Neighbor, places), sources(ch.Point, places)
}

func sources(channels []string, places map[string]int) []layout.Source {
	list := make([]layout.Source, len(channels))
	for i, name := range channels {
		list[i] = layout.Source{Channel: layout.Of(name), Column: int32(places[columnOf(name)])}
	}
	return list
}

// echoes is the number of returns at which the returns column is 1.
const echoes = 5

// Kept returns the number of leading columns of a row that must be kept in a table of all
// points, because channels of neighbours may read them: all except context columns, which
// are the last, unless neighbour channels read context, too.
//
// It decides about memory: columns that only the point itself reads can be computed for a block of points,
// used, and discarded; columns that neighbors read have to be there for all points of the cloud.
func (ch *Channels) Kept() int {
	places, width := ch.places()
	if slices.ContainsFunc(ch.Neighbor, func(channel string) bool { return isContext(columnOf(channel)) }) {
		return width
	}
	kept := width
	// Context columns are the last columns of a row: all before the first of them are kept.
	for name, at := range places {
		if isContext(name) {
			kept = min(kept, at)
		}
	}
	return kept
}
