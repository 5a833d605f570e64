package classes

import (
	"fmt"
	"math"

	"superpoint/embed"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// grain is the number of points a worker takes at a time.
const grain = 1 << 13

// A quantity is one value a point, of which superpoints have mean and spread.
type quantity struct {
	name   string
	length bool // metres: of what is made of it the network reads asinh, for a tower is not ten houses
	ends   bool // superpoints also have the lowest and the highest
}

// A group of quantities is there or absent as a whole.
type group struct {
	name       string
	dimensions []string // PDAL dimensions that it needs all
	quantities []quantity
	channels   bool // quantities are columns of a model's channels, see embed/models/README.md
}

// groups are the quantities, in the order of the features. Embeddings follow. Intensity and colour are not among
// them: they differ more between surveys than between classes.
var groups = [...]group{
	{name: "heights", quantities: []quantity{
		{"above", true, true},                         // as the channel elevation of most models
		{"above_ground", true, true},                  // see aboveGround
		{"under", true, false}, {"over", true, false}, // see columns
	}},
	{name: "shape", channels: true, quantities: []quantity{
		{name: "linearity"}, {name: "planarity"}, {name: "scattering"}, {name: "verticality"}, {name: "log_radius"},
	}},
	{name: "echoes", dimensions: []string{"ReturnNumber", "NumberOfReturns"}, channels: true,
		quantities: []quantity{{name: "echo"}, {name: "returns"}}},
}

// columnSide is the side, in metres, of the upright columns in which a point has
// others under and over it.
const columnSide = 1.5

// points computes the quantities of every point: a slice for each that is there,
// in the order of groups, nil for one that is absent.
func (s *Superpoints) points(run parallel.Run) ([][]float32, error) {
	above, err := embed.DefaultElevation().Measure(run, s.Cloud, s.low)
	if err != nil {
		return nil, err
	}
	under, over := s.columns()
	all := [][]float32{above, s.aboveGround(), under, over}
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

// has reports whether the dimensions are there. A dimension that is 0 everywhere
// was never recorded.
func (s *Superpoints) has(dimensions []string) bool {
	for _, d := range dimensions {
		recorded := false
		for _, v := range s.Attributes[d] {
			if v != 0 {
				recorded = true
				break
			}
		}
		if !recorded {
			return false
		}
	}
	return true
}

// channels computes the quantities of a group as the channels of a model.
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

// columns returns how far the lowest point of its upright column is under each
// point, and the highest over it, in metres. Columns are aligned with the world.
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
		if k < 0 || cell != last { // points that follow each other lie together
			known, ok := number[cell]
			if !ok {
				known = int32(len(spans))
				number[cell] = known
				spans = append(spans, span{math.MaxInt32, math.MinInt32})
			}
			k, last = known, cell
		}
		at[i] = k
		if !s.apart(i) {
			spans[k].low, spans[k].high = min(spans[k].low, p[2]), max(spans[k].high, p[2])
		}
	}
	under, over = make([]float32, c.Len()), make([]float32, c.Len())
	for i, p := range c.XYZ {
		if at := spans[at[i]]; at.low <= at.high { // not of points apart alone
			under[i] = float32(float64(max(0, int64(p[2])-int64(at.low))) * c.Unit)
			over[i] = float32(float64(max(0, int64(at.high)-int64(p[2]))) * c.Unit)
		}
	}
	return under, over
}
