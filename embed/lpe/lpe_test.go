// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/embed/lpe/reference"
	"superpoint/embed/train/quantize"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// cards returns networks of many shapes; the first is the paper's.
func cards() map[string]*embed.Card {
	paper := embed.PaperCard()
	shape := func(change func(c *embed.Card)) *embed.Card {
		c := embed.PaperCard()
		change(c)
		return c
	}
	return map[string]*embed.Card{
		"paper": paper,
		"xyz": shape(func(c *embed.Card) {
			c.Inputs.Neighbor = c.Inputs.Neighbor[:3]
			c.Inputs.Point = []string{"radius", "omega_xx", "omega_yy"}
		}),
		"table": shape(func(c *embed.Card) { c.Network.LPE.Conv = []int{32, 128} }),
		"no transform": shape(
			func(c *embed.Card) { c.Network.ST = embed.PointNet{}; c.Inputs.Point = c.Inputs.Point[:7] }),
		"odd widths": shape(func(c *embed.Card) {
			c.Inputs.Neighbors = 13
			c.Network.ST = embed.PointNet{Conv: []int{5, 20}, FC: []int{7, 4}}
			c.Network.LPE = embed.PointNet{Conv: []int{7, 33, 90, 17}, FC: []int{50, 9, 3}}
		}),
		"no point channels": shape(
			func(c *embed.Card) { c.Inputs.Point = nil; c.Network.LPE.FC = []int{8, 6} }),
		"every channel": shape(func(c *embed.Card) {
			c.Inputs.Neighbor, c.Inputs.Point = embed.NeighborChannelNames(), embed.PointChannelNames()
			c.Inputs.Spacing = 0.25
			c.Network.LPE = embed.PointNet{Conv: []int{24, 40, 90}, FC: []int{50, 70, 20, 5}}
		}),
	}
}

// randomModel returns a model whose integer network has reproducible numbers.
func randomModel(t testing.TB, c *embed.Card, seed uint64) *embed.Model {
	t.Helper()
	m := must.Get(embed.NewModel(c))(t)
	must.OK(t, m.RandomizeIntegers(seed))
	return m
}

func embedWith(t testing.TB, m *embed.Model, kernel string, threads int, in *embed.Input) []float32 {
	t.Helper()
	e := must.Get(NewKernel(m, kernel))(t)
	return must.Get(e.Embed(parallel.Run{Threads: threads}, in))(t)
}

func TestEmbeddingsIndependentOfThreadsAndBatch(t *testing.T) {
	points := 3001
	if testing.Short() { // under the race detector the plain kernels are a hundred times slower
		points = 301
	}
	in := mountain(t, points, [3]float64{})
	m := randomModel(t, embed.PaperCard(), 12)
	for _, kernel := range Kernels() {
		one := embedWith(t, m, kernel, 1, in)
		for _, threads := range []int{2, 5} {
			must.Equal(t, one, embedWith(t, m, kernel, threads, in), "%s: embeddings on %d threads",
				kernel, threads)
		}
		e, inputs, s, w := prepared(t, m, kernel, in)
		out := make([]float32, len(one))
		for lo, n := 0, 1; lo < inputs.Len(); lo, n = lo+n, n%70+1 { // blocks of 1, 2, 3, …
			hi := min(lo+n, inputs.Len())
			if lo >= 300 { // and chunks
				must.OK(t, s.take(parallel.Run{}, e.net, e.kernel, inputs, lo, hi))
			}
			w.embed(e.net, e.kernel, inputs, s, lo, hi, out[lo*e.Dim():hi*e.Dim()])
		}
		must.Hold(t, slices.Equal(one, out), "%s: results depend on the batches of points", kernel)
	}
}

// prepared returns the arguments of a kernel.
func prepared(t testing.TB, m *embed.Model, kernel string, in *embed.Input) (e *Embedder,
	inputs *embed.Inputs,
	s *chunk, w worker) {
	t.Helper()
	e = must.Get(NewKernel(m, kernel))(t)
	inputs = must.Get(embed.Prepare(parallel.Run{}, m.Card, in))(t)
	s = &chunk{}
	must.OK(t, s.take(parallel.Run{}, e.net, e.kernel, inputs, 0, inputs.Len()))
	return e, inputs, s, e.net.worker(e.kernel)
}

// TestEmbeddingsDependOnSurroundingsOnly moves and crops the cloud.
func TestEmbeddingsDependOnSurroundingsOnly(t *testing.T) {
	card := cards()["xyz"]
	m := randomModel(t, card, 13)
	whole := mountain(t, 4000, [3]float64{})
	want := embedWith(t, m, Kernels()[0], 2, whole)
	moved := mountain(t, 4000, [3]float64{650_123.456, 6_860_000.789, 1_234.5})
	must.Hold(t, slices.Equal(want, embedWith(t, m, Kernels()[0], 2, moved)),
		"a translation by whole millimetres changed embeddings")

	var keep []uint32 // the middle of the cloud, and a margin
	var xyz [3][]float64
	for i := range uint32(whole.Cloud.Len()) {
		p := whole.Cloud.Position(i).Add(whole.Cloud.Origin)
		if p.X > 3 && p.X < 15 && p.Y > 3 {
			keep = append(keep, i)
			for a, v := range []float64{p.X, p.Y, p.Z} {
				xyz[a] = append(xyz[a], math.Round(v*1000)/1000)
			}
		}
	}
	cloud := must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(20, parallel.Run{}))(t)
	got := embedWith(t, m, Kernels()[0], 2, &embed.Input{Cloud: cloud, Neighbors: lists})
	same := 0
	for i := range cloud.Len() {
		o := int(keep[cloud.Order[i]])
		if !sameNeighbors(lists.Of(i), whole.Neighbors.Of(o), cloud.Order, keep) {
			continue
		}
		same++
		must.Need(t, slices.Equal(got[i*4:i*4+4], want[o*4:o*4+4]),
			"point %d with the same neighbours: %v in the crop, %v in the full cloud", i, got[i*4:i*4+4],
			want[o*4:o*4+4])
	}
	must.Hold(t, same >= cloud.Len()/2, "only %d of %d points keep their neighbours", same, cloud.Len())
}

func sameNeighbors(crop, whole []uint32, order, keep []uint32) bool {
	for r, j := range crop {
		if keep[order[j]] != whole[r] {
			return false
		}
	}
	return true
}

func TestDegenerateClouds(t *testing.T) {
	many := func(n int, f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	zero, ramp := func(int) float64 { return 0 }, func(i int) float64 { return float64(i) }
	for name, xyz := range map[string][3][]float64{
		"empty":      {},
		"one point":  {{5}, {6}, {7}},
		"two points": {{0, 1}, {0, 1}, {0, 1}},
		"duplicates": {many(50, zero), many(50, zero), many(50, zero)},
		"line":       {many(50, ramp), many(50, zero), many(50, zero)},
		"plane": {many(64, func(i int) float64 { return float64(i % 8) }),
			many(64, func(i int) float64 { return float64(i / 8) }), many(64, zero)},
		"far from a pile": {append(many(30, zero), 1e4), append(many(30, zero), 1e4),
			append(many(30, zero), 1e4)},
		"6,000 km from origin": {many(30, func(i int) float64 { return 6e6 + float64(i)/100 }),
			many(30, zero),
			many(30, zero)},
		"ten million units far": {{0, 1e4, 2e4}, {0, 1e4, 0}, {0, 0, 9e3}},
	} {
		run := parallel.Run{}
		cloud, err := neighbor.New(xyz[0], xyz[1], xyz[2], run)
		must.Need(t, err == nil, "%s: %v", name, err)
		lists, err := cloud.Nearest(20, run)
		must.Need(t, err == nil, "%s: %v", name, err)
		n := cloud.Len()
		grey := make([]float32, n)
		in := &embed.Input{Cloud: cloud, Neighbors: lists,
			Attributes: map[string][]float32{"Red": grey, "Green": grey, "Blue": grey}}
		card := embed.PaperCard()
		card.Inputs.Neighbor = append(card.Inputs.Neighbor, "normal_turn", "rise", "d_log_radius",
			"d_elevation",
			"scattering")
		card.Inputs.Point = append(card.Inputs.Point, "centroid_offset", "height_range", "linearity",
			"log_radius")
		for _, kernel := range Kernels() {
			out := embedWith(t, randomModel(t, card, 14), kernel, 1, in)
			must.Need(t, len(out) == n*4, "%s: %d values", name, len(out))
			for i := range n {
				var square float64
				for _, v := range out[i*4 : i*4+4] {
					square += float64(v) * float64(v)
				}
				must.Hold(t, math.Abs(math.Sqrt(square)-1) < 1e-6, "%s, %s: point %d has %v", name, kernel, i,
					out[i*4:i*4+4])
			}
		}
	}
}

func TestNoDirectionBecomesTheFirstAxis(t *testing.T) {
	m := randomModel(t, embed.PaperCard(), 1)
	layers := m.Integers()
	for i := range layers {
		clear(layers[i].Weight)
		clear(layers[i].Bias)
	}
	must.OK(t, m.SetIntegers(m.Card.Integer, layers))
	for _, kernel := range Kernels() {
		out := embedWith(t, m, kernel, 1, mountain(t, 50, [3]float64{}))
		must.Hold(t, slices.Equal(out[:4], []float32{1, 0, 0, 0}), "%s: %v", kernel, out[:4])
	}
}

func TestFloatsAreRefused(t *testing.T) {
	m := randomModel(t, embed.PaperCard(), 1)
	m.Card.Integer = nil
	must.Fail(New(m))(t, "train it again")
}

// TestModelsInFloats: models with group normalisation or embeddings off the sphere are computed in floats,
// equal for any number of threads; the GPU and the integer network refuse them.
func TestModelsInFloats(t *testing.T) {
	group, off := embed.PaperCard(), embed.PaperCard()
	group.Network.Norm, group.Network.Groups, off.Network.Sphere = embed.NormGroup, 4, new(bool)
	for name, card := range map[string]*embed.Card{"group": group, "off": off} {
		m := must.Get(embed.NewModel(card))(t)
		m.Randomize(17)
		m = must.Get(embed.Load(must.Get(m.Save())(t)))(t)
		in := mountain(t, 500, [3]float64{})
		out := embedWith(t, m, arithmetic.PlainKernel, 1, in)
		must.Equal(t, out, embedWith(t, m, Kernels()[0], 3, in), "%s: embeddings of other threads or kernels",
			name)
		inputs := must.Get(embed.NewInputs(parallel.Run{}, card, in))(t)
		set, point := make([]float32, inputs.Neighbors*inputs.NeighborChannels),
			make([]float32, inputs.PointChannels)
		inputs.Gather(7, set, point)
		square := 0.0
		for d, v := range reference.Embed(m, set, point) {
			square += v * v
			must.Hold(t, out[4*7+d] == float32(v), "%s: value %d is %v, the reference %v", name, d,
				out[4*7+d], v)
		}
		must.Equal(t, math.Abs(square-1) < 1e-9, card.Network.OnSphere(),
			"%s: on the sphere, squared length %v", name, square)
		one := must.Get(neighbor.New([]float64{1}, []float64{2}, []float64{3}, parallel.Run{}))(t)
		grey := []float32{0}
		alone := &embed.Input{Cloud: one, Neighbors: must.Get(one.Nearest(20, parallel.Run{}))(t),
			Attributes: map[string][]float32{"Red": grey, "Green": grey, "Blue": grey}}
		must.Equal(t, len(embedWith(t, m, arithmetic.PlainKernel, 1, alone)), 4,
			"%s: values of one point", name)
		must.Fail(NewGPU(nil, m))(t, "device=cpu")
		must.Fail(quantize.Model(parallel.Run{}, m, nil))(t, "computed in floats")
		m.Tensor("lpe.fc.3.weight")[0], m.Tensor("lpe.fc.2.beta")[0] = float32(math.Inf(1)), 1
		must.Fail(must.Get(New(m))(t).Embed(parallel.Run{}, in))(t, "no finite embedding")
	}
}

func TestMissingDimensionIsNamed(t *testing.T) {
	in := mountain(t, 50, [3]float64{})
	delete(in.Attributes, "Green")
	e, _ := New(randomModel(t, embed.PaperCard(), 15))
	must.Fail(e.Embed(parallel.Run{}, in))(t, "Green")
	in.Attributes["Green"] = slices.Clone(in.Attributes["Red"])
	in.Attributes["Green"][3] = float32(math.NaN())
	must.Fail(e.Embed(parallel.Run{}, in))(t, fmt.Sprintf("point %d", in.Cloud.Order[3]))
	must.Fail(NewKernel(e.Model(), "abacus"))(t)
}
