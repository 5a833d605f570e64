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

// A group of quantities is present or absent together.
type group struct {
	name       string
	dimensions []string // PDAL dimensions, all of which it needs
	quantities []quantity
	channels   bool // quantities are columns of a model's channels, see embed/models/README.md
}

// groups has the quantities in the order of the features; those of the embedding follow. Intensity and colour are
// not among them, as they differ more between surveys than between classes; see Body.Dark.
var groups = [...]group{
	{name: "heights", quantities: []quantity{
		{"above", true, true},                         // as the channel elevation of most models
		{"above_ground", true, true},                  // see aboveGround
		{"under", true, false}, {"over", true, false}, // see columns
	}},
	{name: "terrain", quantities: []quantity{{"above_smrf", true, true}, {name: "density"}}}, // see findTerrain
	{name: "voids", quantities: []quantity{{name: "voids"}, {name: "voids_wide"}}},           // see voids
	{name: "shape", channels: true, quantities: []quantity{
		{name: "linearity"}, {name: "planarity"}, {name: "scattering"}, {name: "verticality"}, {name: "log_radius"},
	}},
	{name: "echoes", dimensions: []string{"ReturnNumber", "NumberOfReturns"}, channels: true,
		quantities: []quantity{{name: "echo"}, {name: "returns"}}},
	{name: "intensity", dimensions: []string{"Intensity"}}, // see Body.Dark
}

// wideVoids is the index of the quantity voids_wide.
const wideVoids = 7

// columnSide is the side, in metres, of the vertical columns in which the lowest and the
// highest point are found.
const columnSide = 1.5

// points computes the quantities of every point: a slice for each, in the order of groups,
// nil for one that is absent.
func (s *Superpoints) points(run parallel.Run) ([][]float32, error) {
	above, err := embed.DefaultElevation().Measure(run, s.Cloud, s.low)
	if err != nil {
		return nil, err
	}
	under, over := s.columns()
	all := append([][]float32{above, s.aboveGround(), under, over, s.terrain.smrf, s.terrain.density}, s.voids()...)
	for k := range groups {
		g := &groups[k]
		if !g.channels {
			continue
		}
		if !s.has(g.dimensions) {
			all = append(all, make([][]float32, len(g.quantities))...)
			continue
		}
		columns, err := s.channels(run, g)
		if err != nil {
			return nil, err
		}
		all = append(all, columns...)
	}
	return all, nil
}

// has reports whether all dimensions are present. A dimension that is 0 at every point was
// not recorded.
func (s *Superpoints) has(dimensions []string) bool {
	return !slices.ContainsFunc(dimensions, func(d string) bool {
		return !slices.ContainsFunc(s.Attributes[d], func(v float32) bool { return v != 0 })
	})
}

// channels computes the quantities of a group as channels of a model.
func (s *Superpoints) channels(run parallel.Run, g *group) ([][]float32, error) {
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
		return nil, fmt.Errorf("classes: %w", err)
	}
	columns := make([][]float32, len(g.quantities))
	for k, q := range g.quantities {
		columns[k] = make([]float32, inputs.Len())
		inputs.Column(q.name, 0, inputs.Len(), columns[k], 1)
	}
	return columns, nil
}

// columns returns the height of each point above the lowest point of its vertical column,
// and that of the highest point above it, in metres. Columns are aligned with the world.
func (s *Superpoints) columns() (under, over []float32) {
	c := s.Cloud
	side := max(1, int64(math.Round(columnSide/c.Unit)))
	x0, y0 := int64(math.Round(c.Origin.X/c.Unit)), int64(math.Round(c.Origin.Y/c.Unit))
	type span struct{ low, high int32 }
	spans, number := []span{}, map[[2]int64]int32{}
	at := make([]int32, c.Len())
	var last [2]int64
	k := int32(-1)
	for i, p := range c.XYZ {
		cell := [2]int64{arithmetic.FloorDiv(x0+int64(p[0]), side), arithmetic.FloorDiv(y0+int64(p[1]), side)}
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
			spans[k].low, spans[k].high = min(spans[k].low, p[2]), max(spans[k].high, p[2])
		}
	}
	under, over = make([]float32, c.Len()), make([]float32, c.Len())
	for i, p := range c.XYZ {
		if at := spans[at[i]]; at.low <= at.high { // false in a column of ignored points only
			under[i] = float32(float64(max(0, int64(p[2])-int64(at.low))) * c.Unit)
			over[i] = float32(float64(max(0, int64(at.high)-int64(p[2]))) * c.Unit)
		}
	}
	return under, over
}
