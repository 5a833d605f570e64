// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// everything returns a card that reads every channel.
func everything() *Card {
	c := PaperCard()
	c.Inputs.Neighbor = slices.DeleteFunc(NeighborChannelNames(), func(string) bool { return false })
	c.Inputs.Point = PointChannelNames()
	c.Inputs.Spacing = 0.25 // of the clouds below, so that lengths are not scaled
	return c
}

// cloud returns a reproducible cloud: slopes, walls, duplicates and outliers, with every attribute.
func cloud(t testing.TB, n int, shift [3]float64) *Input {
	t.Helper()
	r := rand.New(rand.NewPCG(8, uint64(n)))
	var xyz [3][]float64
	for i := range n {
		p := [3]float64{r.Float64() * 60, r.Float64() * 40, 0}
		p[2] = 0.1*p[0] + 3*math.Sin(p[1]/9)
		switch i % 5 {
		case 1:
			p[0], p[2] = 30, p[2]+r.Float64()*9
		case 2:
			p[2] += r.Float64() * 12
		case 3:
			if i%500 == 103 {
				p = [3]float64{xyz[0][i-100] - shift[0], xyz[1][i-100] - shift[1], xyz[2][i-100] - shift[2]}
			}
		}
		for a := range p {
			xyz[a] = append(xyz[a], math.Round(p[a]*1000)/1000+shift[a])
		}
	}
	c := must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	l := must.Get(c.Nearest(20, parallel.Run{}))(t)
	in := &Input{Cloud: c, Neighbors: l, Spacing: 0.25, Attributes: map[string][]float32{}}
	for name, high := range map[string]int{"Red": 65536, "Green": 65536, "Blue": 256, "Infrared": 256,
		"Intensity":    4000,
		"ReturnNumber": 4, "NumberOfReturns": 7} {
		raw := make([]float32, n)
		for i := range raw {
			raw[i] = float32(r.IntN(high))
		}
		for _, o := range c.Order {
			in.Attributes[name] = append(in.Attributes[name], raw[o])
		}
	}
	return in
}

func inputs(t testing.TB, c *Card, in *Input) *Inputs {
	t.Helper()
	return must.Get(NewInputs(parallel.Run{}, c, in))(t)
}

func TestEveryChannelByItsDefinition(t *testing.T) {
	card := everything()
	must.OK(t, card.Validate())
	in := cloud(t, 2000, [3]float64{})
	s := inputs(t, card, in)
	set, point := make([]float32, 20*s.NeighborChannels), make([]float32, s.PointChannels)
	at := func(name string) int { return slices.Index(card.Inputs.Neighbor, name) }
	of := func(name string) float64 { return float64(point[slices.Index(card.Inputs.Point, name)]) }
	for i := range s.Len() {
		s.Gather(i, set, point)
		var mean, spread [3]float64
		p := in.Cloud.Position(uint32(i))
		low, high := math.Inf(1), math.Inf(-1)
		for _, j := range in.Neighbors.Of(i) {
			d := in.Cloud.Position(j).Sub(p)
			for a, v := range []float64{d.X, d.Y, d.Z} {
				mean[a] += v / 20
				spread[a] += v * v / 20
			}
			low, high = min(low, d.Z), max(high, d.Z)
		}
		radius, away := 0.0, 0.0
		for a := range mean {
			radius += spread[a] - mean[a]*mean[a]
			away += mean[a] * mean[a]
		}
		radius, away = math.Sqrt(radius), math.Sqrt(away)
		near(t, "radius", of("radius"), radius, 1e-5)
		near(t, "log_radius", of("log_radius"), math.Log(radius), 1e-4)
		near(t, "centroid_offset", of("centroid_offset"), away/radius, 1e-4)
		near(t, "height_range", of("height_range"), min(high-low, 10), 1e-5)
		near(t, "omega", of("omega_xx"), 0, 0)
		near(t, "dimensionality", of("linearity")+of("planarity")+of("scattering"), 1, 1e-5)
		near(t, "red", of("red"), float64(in.Attributes["Red"][i])/65535, 1e-6)
		near(t, "blue", of("blue"), float64(in.Attributes["Blue"][i])/65535, 1e-6) // scaled as red
		near(t, "echo", of("echo"), min(1,
			float64(in.Attributes["ReturnNumber"][i])/max(1, float64(in.Attributes["NumberOfReturns"][i]))),
			1e-6)
		near(t, "returns", of("returns"), min(5, float64(in.Attributes["NumberOfReturns"][i]))/5, 1e-6)
		for r, j := range in.Neighbors.Of(i) {
			row := set[r*s.NeighborChannels : (r+1)*s.NeighborChannels]
			d := in.Cloud.Position(j).Sub(p)
			near(t, "x", float64(row[0]), d.X/radius, 1e-3)
			near(t, "z", float64(row[2]), d.Z/radius, 1e-3)
			near(t, "rise", float64(row[at("rise")]), min(max(d.Z, -5), 5), 1e-5)
			near(t, "green", float64(row[at("green")]), float64(in.Attributes["Green"][j])/65535, 1e-6)
			near(t, "d_green", float64(row[at("d_green")]),
				float64(in.Attributes["Green"][j]-in.Attributes["Green"][i])/65535,
				1e-6)
			turn := row[at("normal_turn")]
			must.Need(t, turn >= 0, "normal_turn %v, want at least 0", turn)
			must.Need(t, turn <= 1, "normal_turn %v, want at most 1", turn)
		}
	}
}

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	must.Need(t, math.Abs(got-want) <= tolerance, "%s is %v, want %v", name, got, want)
}

func TestGatherBatchIsGather(t *testing.T) {
	in := cloud(t, 300, [3]float64{})
	s := inputs(t, everything(), in)
	points := []uint32{299, 0, 17}
	size := 20 * s.NeighborChannels
	set, point := make([]float32, 3*size), make([]float32, 3*s.PointChannels)
	s.GatherBatch(points, set, point)
	one, own := make([]float32, size), make([]float32, s.PointChannels)
	for b, i := range points {
		s.Gather(int(i), one, own)
		must.Hold(t, slices.Equal(one, set[b*size:(b+1)*size]),
			"point %d differs: one is not set[b*size:(b+1)*size]", i)
		must.Hold(t, slices.Equal(own, point[b*s.PointChannels:(b+1)*s.PointChannels]),
			"point %d differs: own is not point[b*s.PointChannels:(b+1)*s.PointChannels]", i)
	}
}

func TestFewNeighborsAreRepeated(t *testing.T) {
	in := cloud(t, 4, [3]float64{})
	s := inputs(t, everything(), in)
	c := s.NeighborChannels
	set, point := make([]float32, 20*c), make([]float32, s.PointChannels)
	s.Gather(2, set, point)
	for r := 3; r < 20; r++ {
		must.Hold(t, slices.Equal(set[r*c:(r+1)*c], set[(r-3)*c:(r-2)*c]), "row %d is not row %d", r, r-3)
	}
}

func TestTooFewNeighborsListed(t *testing.T) {
	in := cloud(t, 100, [3]float64{})
	in.Neighbors = must.Get(in.Cloud.Nearest(10, parallel.Run{}))(t)
	must.Fail(NewInputs(parallel.Run{}, everything(), in))(t, "10 neighbours")
	in.Neighbors.Index = in.Neighbors.Index[1:]
	must.Fail(NewInputs(parallel.Run{}, everything(), in))(t) // a list of the wrong length
}

func TestColumnsIndependentOfThreads(t *testing.T) {
	in := cloud(t, 30_000, [3]float64{})
	one := must.Get(NewInputs(parallel.Run{Threads: 1}, everything(), in))(t)
	many := must.Get(NewInputs(parallel.Run{Threads: 7}, everything(), in))(t)
	must.Hold(t, slices.Equal(one.table, many.table), "columns differ between 1 and 7 threads")
}

func TestScales(t *testing.T) {
	intensity := make([]float32, 1000)
	for i := range intensity {
		intensity[i] = float32(i)
	}
	intensity[5] = 1e9 // a glint
	for name, test := range map[string]struct {
		dimension string
		values    []float32
		want      Scale
	}{
		"8 bit":          {"Red", []float32{0, 255, 17}, Scale{0, 255}},
		"16 bit":         {"Red", []float32{0, 256}, Scale{0, 65535}},
		"none":           {"Red", nil, Scale{0, 255}},
		"intensity":      {"Intensity", intensity, Scale{11, 990}},
		"flat intensity": {"Intensity", []float32{7, 7, 7}, Scale{7, 8}},
		"no intensity":   {"Intensity", nil, Scale{0, 1}},
		"other":          {"NumberOfReturns", []float32{9}, Scale{0, 1}},
	} {
		must.Equal(t, MeasureScale(test.dimension, test.values), test.want, "%s", name)
	}
	for _, v := range []float32{0, 7, 1 << 25, math.MaxFloat32, -1e30} {
		scaled := MeasureScale("Intensity", []float32{v, v, v}).apply(v)
		must.Hold(t, scaled == 0, "equal intensities of %v are scaled to %v, want 0", v, scaled)
	}
	in := &Input{Attributes: map[string][]float32{"Red": {300}, "Blue": {3}, "Intensity": {1, 2}}}
	scales := in.MeasureScales()
	must.Equal(t, scales["Blue"], scales["Red"], `scales["Blue"]`)
	must.Equal(t, scales["Red"].High, 65535, `scales["Red"].High`)
	s := Scale{10, 20}
	must.Equal(t, s.apply(9), 0, "a scale does not clamp: s.apply(9)")
	must.Equal(t, s.apply(15), 0.5, "a scale does not clamp: s.apply(15)")
	must.Equal(t, s.apply(99), 1, "a scale does not clamp: s.apply(99)")
}
