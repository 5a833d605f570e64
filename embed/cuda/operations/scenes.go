package operations

import (
	"fmt"
	"math"
	"math/rand/v2"

	"superpoint/embed"
	"superpoint/embed/lpe"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
)

// Case is a kind of cloud and of machine that operations are tested on.
type Case struct {
	Kind   string // of cloud
	Points int
	Short  bool // the machine has only Operation.Pieces bytes per point
}

// String returns a description of the case.
func (c Case) String() string {
	return fmt.Sprintf("%s, %d points%s", c.Kind, c.Points, map[bool]string{true: ", short of memory"}[c.Short])
}

// Cases returns the cases: sizes that are not multiples of blocks; duplicate points;
// densities that differ by a factor of a thousand; a point with hundreds of neighbours in
// the graph; and memory for a part of the cloud only, so that there are several launches
// and a remainder. Large cases are for a GPU, on which they take several launches with all
// its memory; skew and crowd would take quadratic time in a grid of equal cells.
func Cases(large bool) []Case {
	cases := []Case{{Kind: "street", Points: 22}, {Kind: "street", Points: 129}, {Kind: "lattice", Points: 701},
		{Kind: "skew", Points: 1103}, {Kind: "stack", Points: 907}, {Kind: hub, Points: 1409},
		{Kind: "street", Points: 1601, Short: true}}
	if large {
		cases = append(cases, Case{Kind: "street", Points: 100_003}, Case{Kind: "lattice", Points: 60_001},
			Case{Kind: "skew", Points: 150_001}, Case{Kind: "skew", Points: 150_001, Short: true},
			Case{Kind: hub, Points: 100_003}, Case{Kind: crowd, Points: 5_000_011},
			Case{Kind: "street", Points: 1<<20 + 4099})
	}
	return cases
}

// Scene is a cloud with all inputs of operations, computed on the CPU.
type Scene struct {
	Case
	Seed  uint64
	Input *embed.Input
	Graph *neighbor.Graph
	// Values are four random columns a point, as an embedding would be.
	Values  []float32
	Problem *partition.Problem
}

// New returns a random scene of a case; it depends on the seed.
func New(c Case, seed uint64) (*Scene, error) {
	s := &Scene{Case: c, Seed: seed}
	random := rand.New(rand.NewPCG(7+seed, uint64(c.Points)))
	var xyz [3][]float64
	in := &embed.Input{Attributes: map[string][]float32{}}
	for i := range c.Points {
		p := place(c, i, random)
		for a := range 3 {
			xyz[a] = append(xyz[a], math.Round(p[a]*1000)/1000)
		}
		for _, d := range []string{"Red", "Green", "Blue", "Infrared", "Intensity"} {
			in.Attributes[d] = append(in.Attributes[d], float32(random.IntN(256)))
		}
		in.Attributes["ReturnNumber"] = append(in.Attributes["ReturnNumber"], 1)
		in.Attributes["NumberOfReturns"] = append(in.Attributes["NumberOfReturns"], float32(1+i%3))
		angle := math.Floor(p[0]/3) + 2*math.Floor(p[1]/3) + .15*random.NormFloat64()
		s.Values = append(s.Values, float32(math.Cos(angle)), float32(math.Sin(angle)),
			float32(.05*random.NormFloat64()), float32(.02*p[2]))
	}
	s.Input = in
	var err error
	if in.Cloud, err = neighbor.New(xyz[0], xyz[1], xyz[2], run); err != nil {
		return nil, err
	}
	if in.Neighbors, err = in.Cloud.Nearest(20, run); err != nil {
		return nil, err
	}
	if s.Graph, err = graphOf(c, in.Neighbors); err != nil {
		return nil, err
	}
	weights, err := partition.Contrast(s.Graph, s.Values, 4, .5, run)
	if err != nil {
		return nil, err
	}
	order := in.Cloud.Ordered(.3)
	s.Problem = &partition.Problem{Before: order.Precedes, Key: order.Key,
		Graph: s.Graph, Dim: 4, Values: s.Values, Contrast: weights,
		Lambda: partition.Lambda(s.Graph, nil, 1), MinSize: 5}
	return s, nil
}

// Kinds of clouds: one whose graph has a point with hundreds of neighbours, and one of
// two densities.
const (
	hub   = "hub"
	crowd = "crowd"
)

// graphOf returns the adjacency graph of nearest points; in a hub, the middle point also
// has edges to points all over the cloud.
func graphOf(c Case, lists *neighbor.Lists) (*neighbor.Graph, error) {
	g, err := neighbor.Adjacency(lists, 5, run)
	if err != nil || c.Kind != hub {
		return g, err
	}
	var star [][2]uint32
	middle := uint32(c.Points / 2)
	for v := uint32(0); v < uint32(c.Points); v += uint32(1 + c.Points/2000) {
		if v != middle {
			star = append(star, [2]uint32{middle, v})
		}
	}
	spokes, err := neighbor.FromEdges(c.Points, star)
	if err != nil {
		return nil, err
	}
	return g.Union(spokes)
}

// place returns the position of point i of a cloud, in metres.
func place(c Case, i int, r *rand.Rand) [3]float64 {
	switch c.Kind {
	case "lattice": // every distance many times over, every other point twice
		j := i / 2 * 2
		return [3]float64{float64(j % 16), float64(j / 16 % 16), float64(j / 256)}
	case "skew": // densities that differ by a thousand, and lone points
		if i%211 == 0 {
			return [3]float64{5000 * r.Float64(), 5000 * r.Float64(), 0}
		}
		s := math.Pow(10, float64(i%4)-2)
		return [3]float64{50*float64(i%4) + s*r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()}
	}
	switch {
	case c.Kind == "stack" && i < 600: // one place
		return [3]float64{1, 1, 1}
	case c.Kind == crowd && i%4 > 0: // most points in a thousandth of the width, 1 of 4 on the rest
		return [3]float64{2 * r.Float64(), 2 * r.Float64(), .002 * r.Float64()}
	case c.Kind == crowd:
		return [3]float64{2000 * r.Float64(), 2000 * r.Float64(), r.Float64()}
	}
	side := math.Sqrt(float64(c.Points)) / 4 // ground, a wall and scattered points
	switch i % 3 {
	case 1:
		return [3]float64{2 + r.NormFloat64()*.02, r.Float64() * side, r.Float64() * 6}
	case 2:
		return [3]float64{r.Float64() * side, r.Float64() * side, r.Float64() * 4}
	}
	return [3]float64{r.Float64() * side, r.Float64() * side, r.NormFloat64() * .02}
}

// cards are the tested networks: the paper's, one with wide layers, and one with every kind
// of channel. The tests of embed/lpe have other shapes.
var cards = map[string]func(c *embed.Card){
	"paper": func(*embed.Card) {},
	"wide":  func(c *embed.Card) { c.Network.LPE.Conv = []int{32, 128} },
	"every channel": func(c *embed.Card) {
		c.Inputs.Neighbor = append(c.Inputs.Neighbor, "rise", "normal_turn", "d_planarity", "log_radius")
		c.Inputs.Point = append(c.Inputs.Point, "centroid_offset", "height_range", "linearity")
	},
}

// model returns a network with random weights.
func model(name string) (*embed.Model, error) {
	c := embed.PaperCard()
	cards[name](c)
	m, err := embed.NewModel(c)
	if err == nil {
		err = m.RandomizeIntegers(11)
	}
	return m, err
}

// embedding returns the operation that embeds a scene with a network.
func embedding(name string) func(m device.Machine, s *Scene) (Result, error) {
	return func(m device.Machine, s *Scene) (Result, error) {
		network, err := model(name)
		if err != nil {
			return Result{}, err
		}
		var by embed.Embedder
		if m == nil {
			by, err = lpe.New(network)
		} else {
			by, err = lpe.NewDevice(m, network)
		}
		if err != nil {
			return Result{}, err
		}
		values, err := by.Embed(run, s.Input)
		return Result{Values: values}, err
	}
}
