// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"cmp"
	"fmt"
	"math"

	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/partition/problem"
)

// stepper takes steps: parameters → embedding → loss, its gradient, and other parameters.
type stepper struct {
	recipe *Recipe
	run    parallel.Run
	net    *backprop.Net[float32]
	params []float32
	slope  []float32 // of the loss at the embedding, computed together with it
	grad   []float32

	components int // of the last partition
}

func newStepper(r *Recipe, net *backprop.Net[float32], params []float32, run parallel.Run) *stepper {
	return &stepper{recipe: r, run: run, net: net, params: params, grad: make([]float32, len(params)),
		slope: make([]float32, r.Batch.Clouds*r.Batch.Points*net.Dim())}
}

// step returns the loss of a batch and changes the parameters by move, which gets them and the gradient.
func (s *stepper) step(b *batch, move func(params, gradient []float32)) (loss float64, err error) {
	e, err := s.net.Forward(s.run, s.params, &b.Batch)
	if err != nil {
		return 0, err
	}
	if loss, err = s.loss(b, e); err != nil {
		return 0, err
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, fmt.Errorf("the loss is %g; lower optimise.rate", loss)
	}
	if err := s.net.Backward(s.run, s.params, s.slope, s.grad); err != nil {
		return 0, err
	}
	move(s.params, s.grad)
	return loss, nil
}

// loss partitions the embedding, weighs the transitions by it, and computes the loss
// and its gradient; or clusters it, if the recipe has the loss clusters.
func (s *stepper) loss(b *batch, e []float32) (float64, error) {
	if s.recipe.Loss.Kind == lossClusters {
		value, count, err := clusterLoss(s.run, &s.recipe.Loss.Clusters, b, e, s.net.Dim(), s.slope)
		s.components = count
		return value, err
	}
	edges := contrastive.NewEdges(b.graph, b.object)
	w := s.recipe.Loss.Weighting
	var component []uint32
	if w.Partition() {
		result, err := s.partition(b, e)
		if err != nil {
			return 0, err
		}
		component, s.components = result.Component, result.Count
	}
	w.Set(b.graph, edges, b.object, component)
	return contrastive.Value(s.recipe.Loss.Loss, b.graph, edges, e, s.net.Dim(), s.slope), nil
}

// partition solves the partition problem of the current embedding at λ̃ of the
// loss.
func (s *stepper) partition(b *batch, e []float32) (*problem.Result, error) {
	p := &s.recipe.Partition
	gmpp, err := problem.Build(s.run, b.graph, problem.Terms{
		Embedding: e, Dim: s.net.Dim(), EdgeDecay: p.EdgeDecay, Weight: s.recipe.spatial(), Position: b.at,
	})
	if err != nil {
		return nil, err
	}
	l := &s.recipe.Loss
	regularization := cmp.Or(l.Regularization, p.Regularization)
	gmpp.Lambda = problem.Lambda(b.graph, nil, regularization)
	gmpp.MinSize = problem.MinSize(cmp.Or(l.MinSize, p.MinSize), regularization)
	return local.Solver{}.Solve(s.run, gmpp)
}
