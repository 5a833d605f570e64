package classes

import (
	"fmt"

	"superpoint/partition/parallel"
)

// FirstCard returns the card of one network of the first pass.
func (c *Card) FirstCard() *Card {
	own := *c
	own.First, own.Networks, own.Width, own.Temperature = nil, 0, c.First.Width, 1
	own.Classes = c.Classes[:c.First.Classes]
	return &own
}

// firstTensor is the name, in a file, of a tensor of one network of the first pass.
func firstTensor(k int, name string) string { return fmt.Sprintf("first.%d.%s", k, name) }

// stored lists all tensors in file order: those of Tensors, then the first pass's.
func (c *Card) stored() []Tensor {
	all := c.Tensors()
	if c.First == nil {
		return all
	}
	one := c.FirstCard().Tensors()
	for k := range c.First.Networks {
		for _, t := range one {
			all = append(all, Tensor{Name: firstTensor(k, t.Name), Shape: t.Shape})
		}
	}
	return all
}

// FirstNetwork returns a network of the first pass. It has its tensors in common with
// the model.
func (m *Model) FirstNetwork(k int) *Model {
	one := &Model{Card: m.Card.FirstCard(), tensors: map[string][]float32{}}
	for _, t := range one.Card.Tensors() {
		one.tensors[t.Name] = m.tensors[firstTensor(k, t.Name)]
	}
	return one
}

// surrounded returns the features with what the first pass says of the surroundings, if
// the model reads that and they have it not yet.
func (m *Model) surrounded(run parallel.Run, f *Features, g *Graph) (*Features, error) {
	if m.Card.First == nil || len(f.Names) == len(m.tensors[MeanTensor]) {
		return f, nil
	}
	n := m.Card.First.Networks
	sum := make([]float64, f.Len()*m.Card.First.Classes)
	for k := range n {
		p, _, err := m.FirstNetwork(k).Probabilities(run, f, g)
		if err != nil {
			return nil, err
		}
		for i, v := range p {
			sum[i] += float64(v)
		}
	}
	mean := make([]float32, len(sum))
	for i, v := range sum {
		mean[i] = float32(v / float64(n))
	}
	return f.Surrounded(run, mean, m.Card.First)
}
