// SPDX-License-Identifier: BSD-3-Clause

package operations

import (
	"fmt"
	"math"
	"math/rand/v2"

	"superpoint/embed"
	"superpoint/partition/neighbor"
)

// Case is a kind of cloud and of backend that operations are tested on.
type Case struct {
	Kind   string // of cloud
	Points int
	Short  bool // the backend has only pieceBytes bytes per point
}

// String returns a description of the case.
func (c Case) String() string {
	return fmt.Sprintf("%s, %d points%s", c.Kind, c.Points, map[bool]string{true: ", short of memory"}[c.Short])
}

// Cases returns the cases: sizes that are not multiples of blocks; duplicate points;
// densities that differ by a factor of a thousand; and memory for a part of the cloud only,
// so that there are several launches and a remainder. Large cases are for a GPU, on which
// they take several launches with all its memory; skew and crowd would take quadratic time
// in a grid of equal cells.
func Cases(large bool) []Case {
	cases := []Case{{Kind: "street", Points: 22}, {Kind: "street", Points: 129}, {Kind: "lattice", Points: 701},
		{Kind: "skew", Points: 1103}, {Kind: "stack", Points: 907},
		{Kind: "street", Points: 1601, Short: true}}
	if large {
		cases = append(cases, Case{Kind: "street", Points: 100_003}, Case{Kind: "lattice", Points: 60_001},
			Case{Kind: "skew", Points: 150_001}, Case{Kind: "skew", Points: 150_001, Short: true},
			Case{Kind: "crowd", Points: 5_000_011},
			Case{Kind: "street", Points: 1<<20 + 4099})
	}
	return cases
}

// Scene is a cloud with all inputs of operations, computed on the CPU.
type Scene struct {
	Case
	Input *embed.Input
}

// New returns a random scene of a case; it depends on the seed.
func New(c Case, seed uint64) (*Scene, error) {
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
	}
	var err error
	if in.Cloud, err = neighbor.New(xyz[0], xyz[1], xyz[2], run); err != nil {
		return nil, err
	}
	in.Neighbors, err = in.Cloud.Nearest(20, run)
	return &Scene{c, in}, err
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
	case c.Kind == "crowd" && i%4 > 0: // most points in a thousandth of the width, 1 of 4 on the rest
		return [3]float64{2 * r.Float64(), 2 * r.Float64(), .002 * r.Float64()}
	case c.Kind == "crowd":
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
