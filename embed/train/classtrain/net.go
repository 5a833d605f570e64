// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"superpoint/embed/classes"
)

// net is the network of classes.Model as a graph of gorgonia's operations, from a
// batch to the loss.
type net struct {
	machine gorgonia.VM
	weights gorgonia.Nodes
	loss    *gorgonia.Node
}

// builder makes nodes, and keeps the first error.
type builder struct {
	graph *gorgonia.ExprGraph
	err   error
}

func (b *builder) do(n *gorgonia.Node, err error) *gorgonia.Node {
	if b.err == nil {
		b.err = err
	}
	return n
}

func (b *builder) matrix(name string, values []float32, shape ...int) *gorgonia.Node {
	return gorgonia.NewTensor(b.graph, tensor.Float32, len(shape), gorgonia.WithShape(shape...),
		gorgonia.WithName(name),
		gorgonia.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(values))))
}

func (b *builder) indices(name string, values []int) *gorgonia.Node {
	return gorgonia.NewVector(b.graph, tensor.Int, gorgonia.WithShape(len(values)), gorgonia.WithName(name),
		gorgonia.WithValue(tensor.New(tensor.WithShape(len(values)), tensor.WithBacking(values))))
}

// newNet builds the graph on the arrays of a batch and of the model: what is
// written into them counts at the next step.
func newNet(t *trainer, b *batch) (*net, error) {
	g := &builder{graph: gorgonia.NewGraph()}
	n := new(net)
	weight := map[string]*gorgonia.Node{}
	for _, w := range t.model.Card.Tensors() {
		if !classes.IsWeight(w.Name) {
			continue
		}
		weight[w.Name] = g.matrix(w.Name, t.model.Tensor(w.Name), w.Shape...)
		n.weights = append(n.weights, weight[w.Name])
	}
	rows := t.Batch
	touching := g.indices("touching", b.touching)
	near := g.indices("near", b.near)
	layer := func(x *gorgonia.Node, name string) *gorgonia.Node {
		y := g.do(gorgonia.Mul(x, weight[name+".weight"]))
		return g.do(gorgonia.BroadcastAdd(y, weight[name+".bias"], nil, []byte{0}))
	}
	heard := func(h, index *gorgonia.Node) *gorgonia.Node {
		all := g.do(gorgonia.ByIndices(h, index, 0))
		all = g.do(gorgonia.Reshape(all, tensor.Shape{rows, classes.Fan, t.model.Card.Width}))
		return g.do(gorgonia.Mean(all, 1))
	}
	x := g.matrix("x", b.x, rows, t.model.Inputs())
	first := g.do(gorgonia.Rectify(layer(x, "in")))
	h := first
	for r := range t.model.Card.Rounds {
		all := g.do(gorgonia.Concat(1, h, heard(h, touching), heard(h, near)))
		h = g.do(gorgonia.Rectify(layer(all, fmt.Sprintf("round.%d", r))))
	}
	p := g.do(gorgonia.SoftMax(layer(g.do(gorgonia.Concat(1, first, h)), "out")))
	n.loss = t.negativeLogLikelihood(g, p, g.matrix("target", b.target, rows, len(t.sets)))
	if g.err != nil {
		return nil, g.err
	}
	if _, err := gorgonia.Grad(n.loss, n.weights...); err != nil {
		return nil, err
	}
	n.machine = gorgonia.NewTapeMachine(g.graph, gorgonia.BindDualValues(n.weights...))
	return n, nil
}

// negativeLogLikelihood is −Σ target · ((1 − Smooth) · ln(p·M) + Smooth · mean ln p), where M adds up the
// classes of each set: label smoothing (Szegedy et al. 2016, arXiv:1512.00567). The second term bounds the
// logits: without it a network gives up a class that it seldom sees, with a logit that outvotes all others in
// their mean.
func (t *trainer) negativeLogLikelihood(g *builder, p, target *gorgonia.Node) *gorgonia.Node {
	classes := len(t.model.Card.Classes)
	columns := len(t.sets) + classes
	member := make([]float32, classes*columns)
	share := make([]float32, len(t.sets)*columns)
	for s, set := range t.sets {
		for _, c := range set {
			member[c*columns+s] = 1
		}
		share[s*columns+s] = float32(1 - t.Smooth)
		for c := range classes {
			share[s*columns+len(t.sets)+c] = float32(t.Smooth / float64(classes))
		}
	}
	for c := range classes {
		member[c*columns+len(t.sets)+c] = 1
	}
	q := g.do(gorgonia.Mul(p, g.matrix("sets", member, classes, columns)))
	q = g.do(gorgonia.Log(g.do(gorgonia.Add(q, gorgonia.NewConstant(float32(1e-6))))))
	all := g.do(gorgonia.Mul(target, g.matrix("share", share, len(t.sets), columns)))
	return g.do(gorgonia.Neg(g.do(gorgonia.Sum(g.do(gorgonia.HadamardProd(all, q))))))
}

// step takes one step and returns the loss before it.
func (n *net) step(solver gorgonia.Solver) (float64, error) {
	defer n.machine.Reset()
	if err := n.machine.RunAll(); err != nil {
		return 0, err
	}
	return float64(n.loss.Value().Data().(float32)), solver.Step(gorgonia.NodesToValueGrads(n.weights))
}
