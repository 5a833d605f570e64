// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// pointsPerTask is the number of points of one task of parallel.Run.For.
const pointsPerTask = 1 << 13

// A quantity is one value per point, of which superpoints have mean and deviation.
type quantity struct {
	name   string
	length bool // in metres: features are its asinh, so that very high objects do not dominate
	ends   bool // superpoints also have minimum and maximum
}

// width returns the number of features of a quantity.
func (q *quantity) width() int {
	if q.ends {
		return 4
	}
	return 2
}

// A group of quantities is present or absent together.
type group struct {
	name       string   // of its dimensions, for messages
	dimensions []string // PDAL dimensions, all of which it needs
	quantities []quantity
	channels   bool // quantities are columns of a model's channels, see embed/models/README.md
}

// groups has the quantities in the order of the features; the embedding follows. Intensity and colour
// are not among them, as they differ more between surveys than between classes; see Body.Dark.
var groups = [...]group{
	{quantities: []quantity{
		{"above", true, true},                         // as the channel elevation of most models
		{"above_ground", true, true},                  // see aboveGround
		{"under", true, false}, {"over", true, false}, // see columns
	}},
	{quantities: []quantity{{"above_smrf", true, true}, {name: "density"}}}, // see findTerrain
	{quantities: []quantity{{name: "voids"}, {name: "voids_wide"}}},         // see voids
	{channels: true, quantities: []quantity{
		{name: "linearity"}, {name: "planarity"}, {name: "scattering"}, {name: "verticality"},
		{name: "log_radius"},
	}},
	{name: Returns, dimensions: []string{returnNumber, numberOfReturns}, channels: true,
		quantities: []quantity{{name: "echo"}, {name: "returns"}}},
	{name: "intensity", dimensions: []string{intensityName}}, // see Body.Dark
}

// Returns is the name of the group of returns, the others are PDAL dimensions.
const (
	Returns         = "returns"
	returnNumber    = "ReturnNumber"
	numberOfReturns = "NumberOfReturns"
	intensityName   = "Intensity"
)

// columnSide is the side, in metres, of the vertical columns in which the lowest and the
// highest point are found.
const columnSide = 1.5

// points passes the quantities of every point to add, one after the other, in the order of groups; without
// values where one is absent. It returns voids_wide, which is also of bodies; add must keep no other.
func (s *Superpoints) points(run parallel.Run, add func(v values) error) (voids []float32, err error) {
	to, err := embed.DefaultElevation().Measure(run, s.Cloud, s.low)
	if err == nil {
		err = add(values{to, 1, 0})
	}
	under, over := s.columns()
	voidsNear, voidsWide := s.voids()
	for _, fill := range [...]func(to []float32){s.aboveGround, under, over, s.terrain.aboveSMRF,
		s.terrain.fillDensity,
		voidsNear, voidsWide} {
		if err == nil {
			fill(to)
			err = add(values{to, 1, 0})
		}
	}
	for k := range groups {
		if err == nil && groups[k].channels {
			err = s.channels(run, &groups[k], add)
		}
	}
	return to, err
}

// leastSeveral is the share of points of pulses with several returns below which returns carry no
// information: the sensor, or the maker of the file, kept one return of each pulse. Half of the parts of
// training have no returns either.
const leastSeveral = 0.005

// informs reports whether the dimensions of a group are there and carry information. Values that are the same
// at all points do not: they were not recorded.
func (s *Superpoints) informs(g *group) bool {
	for _, name := range g.dimensions {
		if len(s.Attributes[name]) == 0 {
			return false
		}
	}
	if g.name == Returns { // the numbers of first returns are all 1
		return s.hasSeveral() && slices.Max(s.Attributes[returnNumber]) > 0
	}
	return !slices.ContainsFunc(g.dimensions,
		func(name string) bool { return isConstant(s.Attributes[name]) })
}

// isConstant reports whether all values are the same.
func isConstant(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return v != values[0] })
}

// hasSeveral reports whether more than a few pulses have several returns.
func (s *Superpoints) hasSeveral() bool {
	several := 0
	for _, v := range s.Attributes[numberOfReturns] {
		if v > 1 {
			several++
		}
	}
	return float64(several) >= leastSeveral*float64(s.Cloud.Len())
}

// blank returns the names of the groups of dimensions that the cloud has, and that carry no information.
func (s *Superpoints) blank() (names []string) {
	for k := range groups {
		g := &groups[k]
		missing := func(name string) bool { return s.Attributes[name] == nil }
		if g.name != "" && !slices.ContainsFunc(g.dimensions, missing) && !s.informs(g) {
			names = append(names, g.name)
		}
	}
	return names
}

// channels passes the quantities of a group, which are channels of a model, to add.
func (s *Superpoints) channels(run parallel.Run, g *group, add func(v values) error) error {
	if len(g.dimensions) > 0 && !s.informs(g) {
		for range g.quantities {
			if err := add(values{}); err != nil {
				return err
			}
		}
		return nil
	}
	card := embed.PaperCard()
	card.Inputs.Neighbor, card.Inputs.Point = []string{"x", "y", "z"}, nil
	card.Inputs.Neighbors = min(ShapeNeighbors, s.Neighbors.K)
	for _, q := range g.quantities {
		card.Inputs.Point = append(card.Inputs.Point, q.name)
	}
	in := &embed.Input{Cloud: s.Cloud, Neighbors: s.Neighbors, Attributes: map[string][]float32{}}
	for _, d := range g.dimensions {
		in.Attributes[d] = s.Attributes[d]
	}
	inputs, err := embed.NewInputs(run, card, in)
	if err != nil {
		return fmt.Errorf("classes: %w", err)
	}
	_, places := card.Inputs.Sources()
	for _, at := range places {
		if err := add(values{inputs.Table(), int(inputs.Layout().Width), int(at.Column)}); err != nil {
			return err
		}
	}
	return nil
}

// span is the lowest and the highest point of a vertical column, in units of the cloud.
type span struct{ low, high int32 }

// isEmpty reports whether a column has ignored points only.
func (c span) isEmpty() bool { return c.low > c.high }

// columns returns two functions that fill in heights in metres: under, of each point above the lowest point
// of its vertical column; over, of the highest point of the column above it. Columns are aligned with the
// world.
func (s *Superpoints) columns() (under, over func(to []float32)) {
	spans, at := s.spans()
	fill := func(to []float32, height func(z int64, in span) int64) {
		for i, p := range s.Cloud.XYZ {
			to[i] = 0
			if in := spans[at[i]]; !in.isEmpty() {
				to[i] = float32(float64(max(0, height(int64(p[2]), in))) * s.Cloud.Unit)
			}
		}
	}
	under = func(to []float32) { fill(to, func(z int64, in span) int64 { return z - int64(in.low) }) }
	over = func(to []float32) { fill(to, func(z int64, in span) int64 { return int64(in.high) - z }) }
	return under, over
}

// spans returns the vertical columns, and the index of the column of each point.
func (s *Superpoints) spans() (spans []span, at []int32) {
	c := s.Cloud
	side := max(1, int64(math.Round(columnSide/c.Unit)))
	east := int64(math.Round(c.Origin.X / c.Unit))
	north := int64(math.Round(c.Origin.Y / c.Unit))
	at = make([]int32, c.Len())
	number := map[[2]int64]int32{}
	var last [2]int64
	k := int32(-1)
	for i, p := range c.XYZ {
		cell := [2]int64{arithmetic.FloorDiv(east+int64(p[0]), side),
			arithmetic.FloorDiv(north+int64(p[1]), side)}
		if k < 0 || cell != last { // consecutive points are mostly in one cell
			known, ok := number[cell]
			if !ok {
				known = int32(len(spans))
				number[cell] = known
				spans = append(spans, span{math.MaxInt32, math.MinInt32})
			}
			k, last = known, cell
		}
		at[i] = k
		if !s.ignored(i) {
			spans[k].low = min(spans[k].low, p[2])
			spans[k].high = max(spans[k].high, p[2])
		}
	}
	return spans, at
}
