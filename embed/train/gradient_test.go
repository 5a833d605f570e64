// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition/base/parallel"
	"superpoint/partition/rivals/softcluster"
	"superpoint/testdata/must"
)

// oneStep is a step of training, its results, and its network in float64.
type oneStep struct {
	recipe *Recipe
	batch  *batch
	step   *stepper
	loss   float64
	grad   []float32
	params []float64

	exact *backprop.Net[float64]
	wide  *backprop.Batch[float64]
}

func newOneStep(t *testing.T, r *Recipe) *oneStep {
	t.Helper()
	one := must.Get((&source{host: newMemory(), truth: "Classification"}).read("cloud_1.las", r, 0))(t)
	s := &oneStep{recipe: r}
	s.exact = must.Get(backprop.NewPlain[float64](r.Card()))(t)
	net := must.Get(backprop.New(r.Card()))(t)
	params := net.Initial(rand.New(rand.NewPCG(3, 3)))
	s.batch = must.Get(newBatcher(r, newLoader(r, []*labelled{one}), 1).make(parallel.Run{}, 1))(t)
	s.step = newStepper(r, net, params, parallel.Run{})
	s.loss = must.Get(s.step.step(s.batch, func(_, g []float32) { s.grad = slices.Clone(g) }))(t)
	b := s.batch
	s.wide = &backprop.Batch[float64]{Points: b.Points, Set: widen(b.Set), Point: widen(b.Point)}
	s.params = widen(params)
	return s
}

// embeddings returns the embeddings of the batch with the present parameters.
func (s *oneStep) embeddings(t *testing.T) []float64 {
	t.Helper()
	return must.Get(s.exact.Forward(parallel.Run{}, s.params, s.wide))(t)
}

// compare checks that value is the loss of the step, and that its central differences
// equal the gradient to a share of themselves plus floor.
func (s *oneStep) compare(t *testing.T, value func() float64, share, floor float64) {
	t.Helper()
	want := value()
	must.Hold(t, math.Abs(s.loss-want) <= 1e-4*want, "the step's loss is %g, want %g", s.loss, want)
	for i := 0; i < len(s.params); i += 61 {
		want := must.Slope(s.params, i, value)
		got := float64(s.grad[i])
		must.Hold(t, math.Abs(want-got) <= share*(floor+math.Abs(want)),
			"gradient %d is %g, by differences %g", i, got, want)
	}
}

// TestStepGradient compares the gradient of a step with central differences of network and
// loss in float64, with fixed weights of edges.
func TestStepGradient(t *testing.T) {
	r := mustParse(t, smallRecipe)
	r.Loss.Scheme = "proportional"
	s := newOneStep(t, r)
	b := s.batch
	edges := contrastive.NewEdges(b.graph, b.object)
	r.Loss.Weighting.Set(b.graph, edges, b.object, nil)
	s.compare(t, func() float64 {
		return contrastive.Value(r.Loss.Loss, b.graph, edges, s.embeddings(t), 4, nil)
	}, 2e-3, 0.1)
}

// TestClusterGradient does the same for the loss of SSP-cluster.
func TestClusterGradient(t *testing.T) {
	s := newOneStep(t, mustParse(t, clusterRecipe))
	b := s.batch
	s.compare(t, func() (sum float64) {
		e := s.embeddings(t)
		from := 0
		for _, to := range b.ends {
			label, labels := own(b.object[from:to])
			share := float64(to-from) / float64(b.Points)
			v := must.Get(softcluster.Value(parallel.Run{}, &s.recipe.Loss.Clusters, b.cloud(from, to),
				e[4*from:4*to], 4, label,
				labels, share, make([]float64, 4*(to-from))))(t)
			sum, from = sum+share*v, to
		}
		return sum
	}, 5e-3, 0.05)
}

func mustParse(t *testing.T, text string) *Recipe {
	t.Helper()
	return must.Get(ParseRecipe([]byte(text)))(t)
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
