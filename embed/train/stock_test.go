package train

import (
	"fmt"
	"testing"
	"time"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"superpoint/embed"
	"superpoint/testdata/must"
)

// stock builds the paper's network of gorgonia's own operations, to compare
// the speed of a step. Where gorgonia has no gradient (the maximum over an
// axis) the mean stands in, which is cheaper.
type stock struct {
	g      *G.ExprGraph
	params G.Nodes
}

func (s *stock) linear(x *G.Node, l embed.Layer) (*G.Node, error) {
	w := G.NewMatrix(s.g, tensor.Float32, G.WithShape(l.In, l.Out), G.WithName(l.Name+".weight"), G.WithInit(G.GlorotU(1)))
	s.params = append(s.params, w)
	x, err := G.Mul(x, w)
	if err != nil || !l.Norm {
		return x, err
	}
	gamma := G.NewMatrix(s.g, tensor.Float32, G.WithShape(1, l.Out), G.WithName(l.Name+".gamma"), G.WithInit(G.Ones()))
	beta := G.NewMatrix(s.g, tensor.Float32, G.WithShape(1, l.Out), G.WithName(l.Name+".beta"), G.WithInit(G.Zeroes()))
	s.params = append(s.params, gamma, beta)
	if x, _, _, _, err = G.BatchNorm(x, gamma, beta, 0.9, 1e-5); err != nil {
		return nil, err
	}
	return G.Rectify(x)
}

func (s *stock) chain(x *G.Node, layers []embed.Layer) (*G.Node, error) {
	var err error
	for _, l := range layers {
		if x, err = s.linear(x, l); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// unit applies layers to rows of neighbours and pools over them.
func (s *stock) unit(x *G.Node, layers []embed.Layer, points, k int) (*G.Node, error) {
	x, err := s.chain(x, layers)
	if err != nil {
		return nil, err
	}
	if x, err = G.Reshape(x, tensor.Shape{points, k, x.Shape()[1]}); err != nil {
		return nil, err
	}
	return G.Mean(x, 1)
}

func (s *stock) network(card *embed.Card, points int) (*G.Node, error) {
	k, c, p := card.Inputs.Neighbors, len(card.Inputs.Neighbor), len(card.Inputs.Point)
	layers := card.Layers()
	input := func(name string, shape ...int) *G.Node {
		return G.NewTensor(s.g, tensor.Float32, len(shape), G.WithShape(shape...), G.WithName(name),
			G.WithInit(G.Gaussian(0, 1)))
	}
	flat, rest, point := input("xy", points, k, 2), input("rest", points*k, c-2), input("point", points, p-4)
	rows, err := G.Reshape(flat, tensor.Shape{points * k, 2})
	if err != nil {
		return nil, err
	}
	x, err := s.unit(rows, layers.STConv, points, k)
	if err != nil {
		return nil, err
	}
	omega, err := s.chain(x, layers.STFC)
	if err != nil {
		return nil, err
	}
	matrix, err := G.Reshape(omega, tensor.Shape{points, 2, 2})
	if err != nil {
		return nil, err
	}
	turned, err := G.BatchedMatMul(flat, matrix)
	if err != nil {
		return nil, err
	}
	if turned, err = G.Reshape(turned, tensor.Shape{points * k, 2}); err != nil {
		return nil, err
	}
	set, err := G.Concat(1, turned, rest)
	if err != nil {
		return nil, err
	}
	y, err := s.unit(set, layers.LPEConv, points, k)
	if err != nil {
		return nil, err
	}
	if y, err = G.Concat(1, y, point, omega); err != nil {
		return nil, err
	}
	return s.chain(y, layers.LPEFC)
}

// BenchmarkStock measures forward and backward of the paper's network in
// gorgonia's own operations, in points a second; compare with BenchmarkStep of
// package backprop. Run alone and with GOMAXPROCS=1 for one core.
func BenchmarkStock(b *testing.B) {
	const points = 1000
	s := &stock{g: G.NewGraph()}
	e := must.Get(s.network(embed.PaperCard(), points))(b)
	square := must.Get(G.Square(e))(b)
	cost := must.Get(G.Sum(square))(b)
	if _, err := G.Grad(cost, s.params...); err != nil {
		b.Fatal(fmt.Errorf("gradient: %w", err))
	}
	m := G.NewTapeMachine(s.g, G.BindDualValues(s.params...))
	defer m.Close()
	start := time.Now()
	for b.Loop() {
		must.OK(b, m.RunAll())
		m.Reset()
	}
	b.ReportMetric(float64(b.N)*points/time.Since(start).Seconds(), "points/s")
}
