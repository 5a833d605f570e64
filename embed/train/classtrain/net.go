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
	graph  *gorgonia.ExprGraph
	weight map[string]*gorgonia.Node // weights and biases of the layers, by name
	err    error
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
	g := &builder{graph: gorgonia.NewGraph(), weight: map[string]*gorgonia.Node{}}
	n := new(net)
	card := t.model.Card
	for _, w := range card.Tensors() {
		if !classes.IsWeight(w.Name) {
			continue
		}
		node := g.matrix(w.Name, t.model.Tensor(w.Name), w.Shape...)
		g.weight[w.Name] = node
		n.weights = append(n.weights, node)
	}
	touching := g.indices("touching", b.touching)
	near := g.indices("near", b.near)
	x := g.matrix("x", b.x, t.Batch, t.model.Inputs())
	first := g.rectified("in", x)
	h := first
	for r := range card.Rounds {
		fromTouching := g.meanOf(h, touching, t.Batch, card.Width)
		fromNear := g.meanOf(h, near, t.Batch, card.Width)
		all := g.do(gorgonia.Concat(1, h, fromTouching, fromNear))
		h = g.rectified(fmt.Sprintf("round.%d", r), all)
	}
	last := g.do(gorgonia.Concat(1, first, h))
	p := g.do(gorgonia.SoftMax(g.layer("out", last)))
	target := g.matrix("target", b.target, t.Batch, len(t.sets))
	n.loss = t.negativeLogLikelihood(g, p, target)
	if g.err != nil {
		return nil, g.err
	}
	if _, err := gorgonia.Grad(n.loss, n.weights...); err != nil {
		return nil, err
	}
	n.machine = gorgonia.NewTapeMachine(g.graph, gorgonia.BindDualValues(n.weights...))
	return n, nil
}

// layer is x·W + b with the weights of a layer.
func (b *builder) layer(name string, x *gorgonia.Node) *gorgonia.Node {
	y := b.do(gorgonia.Mul(x, b.weight[name+".weight"]))
	return b.do(gorgonia.BroadcastAdd(y, b.weight[name+".bias"], nil, []byte{0}))
}

// rectified is max(0, layer).
func (b *builder) rectified(name string, x *gorgonia.Node) *gorgonia.Node {
	return b.do(gorgonia.Rectify(b.layer(name, x)))
}

// meanOf is the mean of those rows of h, of a width, that each of rows rows names in index.
func (b *builder) meanOf(h, index *gorgonia.Node, rows, width int) *gorgonia.Node {
	named := b.do(gorgonia.ByIndices(h, index, 0))
	named = b.do(gorgonia.Reshape(named, tensor.Shape{rows, classes.Fan, width}))
	return b.do(gorgonia.Mean(named, 1))
}

// negativeLogLikelihood is −Σ target · ((1 − Smooth) · ln(p·M) + Smooth · mean ln p), where M adds up the
// classes of each set: label smoothing (Szegedy et al. 2016, arXiv:1512.00567). The second term bounds the
// logits: without it a network gives up a class that it seldom sees, with a logit that outvotes all others in
// their mean.
func (t *trainer) negativeLogLikelihood(g *builder, p, target *gorgonia.Node) *gorgonia.Node {
	count := len(t.model.Card.Classes)
	columns := len(t.sets) + count
	members := g.matrix("sets", t.members(count), count, columns)
	probability := g.do(gorgonia.Mul(p, members))
	positive := g.do(gorgonia.Add(probability, gorgonia.NewConstant(float32(1e-6))))
	logarithm := g.do(gorgonia.Log(positive))
	shares := g.matrix("share", t.shares(count), len(t.sets), columns)
	weight := g.do(gorgonia.Mul(target, shares))
	terms := g.do(gorgonia.HadamardProd(weight, logarithm))
	sum := g.do(gorgonia.Sum(terms))
	return g.do(gorgonia.Neg(sum))
}

// members returns M and the identity beside it: a row for each of count classes, with a 1 in the column of
// each set that has the class and in the column of the class itself.
func (t *trainer) members(count int) []float32 {
	sets := len(t.sets)
	columns := sets + count
	member := make([]float32, count*columns)
	for s, set := range t.sets {
		for _, c := range set {
			member[c*columns+s] = 1
		}
	}
	for c := range count {
		member[c*columns+sets+c] = 1
	}
	return member
}

// shares returns the factors of the logarithms in the columns of members: a row for each set, with 1 − Smooth
// for the set and Smooth in equal parts for all classes.
func (t *trainer) shares(count int) []float32 {
	sets := len(t.sets)
	columns := sets + count
	share := make([]float32, sets*columns)
	for s := range sets {
		row := share[s*columns : (s+1)*columns]
		row[s] = float32(1 - t.Smooth)
		for c := range count {
			row[sets+c] = float32(t.Smooth / float64(count))
		}
	}
	return share
}

// step takes one step and returns the loss before it.
func (n *net) step(solver gorgonia.Solver) (float64, error) {
	defer n.machine.Reset()
	if err := n.machine.RunAll(); err != nil {
		return 0, err
	}
	return float64(n.loss.Value().Data().(float32)), solver.Step(gorgonia.NodesToValueGrads(n.weights))
}
