// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/softcluster"
	"superpoint/testdata/must"
)

// TestScoreByHand: OOA counts twice, boundary recall as coded and precision once; what is not defined is 0.
// Boundary recall as printed, and sizes, do not count.
func TestScoreByHand(t *testing.T) {
	nan := metrics.Ratio(math.NaN())
	for _, c := range []struct {
		name                string
		ooa, coded, printed metrics.Ratio
		precision           metrics.Ratio
		want                float64
	}{
		{"all are known", .9, .5, .7, .1, (2*.9 + .5 + .1) / 4},
		{"no border", .9, nan, nan, nan, 2 * .9 / 4},
		{"no class", nan, .5, .7, .1, (.5 + .1) / 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &metrics.Report{Scores: metrics.Scores{OOA: c.ooa, BRAsCoded: c.coded,
				BRAsPrinted: c.printed,
				BP:          c.precision}}
			must.Hold(t, math.Abs(score(r)-c.want) <= 1e-12, "score %v, want %v", score(r), c.want)
		})
	}
}

// TestBordersOfFiveNeighbors: the paper measures borders on the graph of the five nearest neighbors, whatever
// graph partitions are made on.
func TestBordersOfFiveNeighbors(t *testing.T) {
	_, one, j := scanLines{newMemory()}.of(t, "partition: {adjacency_knn: 8}")
	want := must.Get(neighbor.Adjacency(one.lists, 5, parallel.Run{}))(t)
	must.Equal(t, j.border.Head, want.Head, "heads of the edges of borders")
	must.Equal(t, j.border.Start, want.Start, "rows of the edges of borders")
	must.Hold(t, j.graph.Edges() > j.border.Edges(), "partitions are made on %d edges, borders on %d",
		j.graph.Edges(), j.border.Edges())
}

// TestAdamByHand: gradients are clipped on both sides before they enter the moments, and the moments are
// corrected for their start (Kingma and Ba, algorithm 1).
func TestAdamByHand(t *testing.T) {
	const rate, clip = .1, 1.
	steps := [][]float32{{1000, -1000, .5, 0}, {-3, 3, .25, 0}, {.5, .5, -.5, 0}}
	a, weights := &adam{Rate: rate, Clip: clip}, make([]float32, 4)
	want, mean, power := make([]float64, 4), make([]float64, 4), make([]float64, 4)
	for s, gradient := range steps {
		a.step(weights, gradient)
		for i, x := range gradient {
			g := math.Max(-clip, math.Min(clip, float64(x)))
			mean[i] = .9*mean[i] + .1*g
			power[i] = .999*power[i] + .001*g*g
			m := mean[i] / (1 - math.Pow(.9, float64(s+1)))
			v := power[i] / (1 - math.Pow(.999, float64(s+1)))
			want[i] -= rate * m / (math.Sqrt(v) + 1e-8)
			must.Hold(t, math.Abs(float64(weights[i])-want[i]) <= 1e-5,
				"step %d: weight %d is %v, want %v", s+1, i,
				weights[i], want[i])
		}
	}
}

// source64 returns given numbers, then fails.
type source64 struct {
	t       *testing.T
	numbers []uint64
}

func (s *source64) Uint64() uint64 {
	must.Need(s.t, len(s.numbers) > 0, "more than the wanted numbers are drawn")
	next := s.numbers[0]
	s.numbers = s.numbers[1:]
	return next
}

// TestNoiseHasBitsOfItsOwn: each number has five values of noise, of twelve bits each; no two values share a
// bit.
func TestNoiseHasBitsOfItsOwn(t *testing.T) {
	ch := &embed.Channels{Neighbors: 2, Neighbor: []string{"x", "y", "z"}}
	a := newAugmenter(AugmentOptions{Noise: 1, Clip: 9}, ch)
	for i := range a.table {
		a.table[i] = float32(i)
	}
	places := []uint64{1, 20, 300, 4000, 4095, 6, 70, 800, 900}
	numbers := make([]uint64, 2)
	for k, place := range places {
		numbers[k/5] |= place << (12 * (k % 5))
	}
	source := &source64{t: t, numbers: numbers}
	set := make([]float32, len(places))
	a.noise(set, 3, 3, rand.New(source))
	for k, place := range places {
		must.Equal(t, set[k], float32(place), "value %d", k)
	}
	must.Equal(t, len(source.numbers), 0, "numbers that are not drawn")
}

// TestRateByHand: the rate is multiplied by decay from each of the named epochs on, which count from 0.
func TestRateByHand(t *testing.T) {
	tr := &trainer{state: new(state), o: Options{Recipe: new(Recipe)}}
	o := &tr.o.Recipe.Optimise
	o.Rate = 8
	o.Decay = 0.5
	o.DecayAt = []int{2, 4}
	for epoch, want := range []float64{8, 8, 4, 4, 2, 2} {
		tr.state.Epoch = epoch
		must.Equal(t, tr.rate(), want, "rate of epoch %d", epoch)
	}
}

// TestClustersOfValidation: validation divides by SSP-cluster with γ and κ of the recipe, each in its place.
func TestClustersOfValidation(t *testing.T) {
	const dim = 2
	r, one, j := scanLines{newMemory()}.of(t,
		"loss: {kind: clusters, clusters: {size: 60, embedding: 9, spatial: 0.5}}")
	rng := rand.New(rand.NewPCG(5, 6))
	e := make([]float32, dim*one.cloud.Len())
	for i := range one.cloud.Len() {
		angle := 2 * math.Pi * rng.Float64()
		e[dim*i], e[dim*i+1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	}
	divided := func(embedding, spatial float64) []uint32 {
		o := softcluster.Defaults()
		o.TargetSize, o.Embedding, o.Spatial = 60, embedding, spatial
		s := must.Get(softcluster.Segment(parallel.Run{},
			softcluster.Input{Cloud: one.cloud, Graph: j.graph, Embedding: e, Dim: dim}, o))(t)
		return s.Component
	}
	got, count, err := j.cluster(parallel.Run{}, e, dim, 60, r)
	must.OK(t, err)
	must.Hold(t, count > 1, "%d components of 3,000 points", count)
	must.Equal(t, got, divided(9, 0.5), "components")
	must.Hold(t, !slices.Equal(got, divided(0.5, 9)), "the weights make no difference: nothing is tested")
}
