package train

import (
	"cmp"
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition"
	"superpoint/partition/local"
	"superpoint/partition/parallel"
)

// stepper is the gorgonia graph parameters → embedding → loss with its
// gradient, and the machine that runs it on one batch after the other.
type stepper struct {
	recipe  *Recipe
	run     parallel.Run
	net     *backprop.Net[float32]
	params  []float32 // shared with the graph's node
	batch   *batch
	node    *gorgonia.Node
	machine gorgonia.VM
	cost    gorgonia.Value
	slope   []float32 // of the loss at the embedding, found together with it
	grad    []float32

	components int // of the last partition
}

func newStepper(r *Recipe, net *backprop.Net[float32], params []float32, run parallel.Run) (*stepper, error) {
	s := &stepper{recipe: r, run: run, net: net, params: params, grad: make([]float32, len(params))}
	points, m := r.Batch.Clouds*r.Batch.Points, net.Dim()
	s.slope = make([]float32, points*m)
	shape := tensor.Shape{points, m}
	embedding := &operation{name: "embed", in: []int{1}, out: shape, do: s.embed,
		gradient: &operation{name: "embed gradient", in: []int{1, 2, 2}, out: tensor.Shape{len(params)}, do: s.embedGradient}}
	loss := &operation{name: "contrastive loss", in: []int{2}, do: s.loss,
		gradient: &operation{name: "contrastive loss gradient", in: []int{2, 0, 0}, out: shape, do: s.lossGradient}}

	g := gorgonia.NewGraph()
	s.node = gorgonia.NewTensor(g, tensor.Float32, 1, gorgonia.WithName("parameters"), gorgonia.WithShape(len(params)),
		gorgonia.WithValue(tensor.New(tensor.WithShape(len(params)), tensor.WithBacking(params))))
	out, err := gorgonia.ApplyOp(embedding, s.node)
	if err != nil {
		return nil, err
	}
	cost, err := gorgonia.ApplyOp(loss, out)
	if err != nil {
		return nil, err
	}
	gorgonia.Read(cost, &s.cost)
	if _, err := gorgonia.Grad(cost, s.node); err != nil {
		return nil, err
	}
	s.machine = gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(s.node))
	s.params = floats(s.node.Value())
	return s, nil
}

// step runs the graph on a batch and lets the optimiser move the parameters.
func (s *stepper) step(b *batch, solver gorgonia.Solver) (loss float64, err error) {
	s.batch = b
	s.machine.Reset()
	if err := s.machine.RunAll(); err != nil {
		return 0, err
	}
	loss = float64(floats(s.cost)[0])
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss, fmt.Errorf("the loss is %g; lower optimise.rate", loss)
	}
	return loss, solver.Step([]gorgonia.ValueGrad{s.node})
}

func (s *stepper) close() error { return s.machine.Close() }

func (s *stepper) embed(in []gorgonia.Value) (gorgonia.Value, error) {
	e, err := s.net.Forward(s.run, floats(in[0]), &s.batch.Batch)
	if err != nil {
		return nil, err
	}
	return dense32(e, s.batch.Points, s.net.Dim()), nil
}

func (s *stepper) embedGradient(in []gorgonia.Value) (gorgonia.Value, error) {
	err := s.net.Backward(s.run, floats(in[0]), floats(in[2]), s.grad)
	return dense32(s.grad, len(s.grad)), err
}

// loss partitions the embedding, weighs the transitions by it, and computes the
// loss and its gradient; or clusters it, if that is what the recipe wants.
func (s *stepper) loss(in []gorgonia.Value) (gorgonia.Value, error) {
	e, b := floats(in[0]), s.batch
	if s.recipe.Loss.Kind == lossClusters {
		value, count, err := clusterLoss(s.run, s.recipe.clusters(), b, e, s.net.Dim(), s.slope)
		s.components = count
		return gorgonia.NewF32(float32(value)), err
	}
	edges := contrastive.NewEdges(b.graph, b.object)
	w := s.recipe.weighting()
	w.Seal = b.seal
	var component []uint32
	if w.Partition() {
		result, err := s.partition(e)
		if err != nil {
			return nil, err
		}
		component, s.components = result.Component, result.Count
	}
	w.Set(b.graph, edges, b.object, component)
	value := contrastive.Value(s.recipe.loss(), b.graph, edges, e, s.net.Dim(), s.slope)
	return gorgonia.NewF32(float32(value)), nil
}

// partition solves the partition problem of the current embedding at λ̃ of the
// loss.
func (s *stepper) partition(e []float32) (*partition.Result, error) {
	p, b := &s.recipe.Partition, s.batch
	contrast, err := partition.Contrast(b.graph, e, s.net.Dim(), p.EdgeDecay, s.run)
	if err != nil {
		return nil, err
	}
	problem, err := partition.Build(s.run, b.graph, partition.Terms{
		Embedding: e, Dim: s.net.Dim(), Contrast: contrast, Weight: s.recipe.spatial(), Position: b.at,
	})
	if err != nil {
		return nil, err
	}
	l := &s.recipe.Loss
	regularization := l.at(s.batch.step, p)
	problem.Lambda = partition.Lambda(b.graph, regularization)
	problem.MinSize = partition.MinSize(cmp.Or(l.MinSize, p.MinSize), regularization)
	return local.Solver{}.Solve(s.run, problem)
}

// at returns λ̃ of the loss in a step: the strengths take turns.
func (l *LossOptions) at(step int, p *embed.Partition) float64 {
	if turn := step % (1 + len(l.Coarser)); turn > 0 {
		return l.Coarser[turn-1]
	}
	return cmp.Or(l.Regularization, p.Regularization)
}

func (s *stepper) lossGradient(in []gorgonia.Value) (gorgonia.Value, error) {
	up := floats(in[2])[0]
	if up != 1 {
		for i := range s.slope {
			s.slope[i] *= up
		}
	}
	return dense32(s.slope, s.batch.Points, s.net.Dim()), nil
}
