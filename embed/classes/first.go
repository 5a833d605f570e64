package classes

import (
	"fmt"
	"math"
	"slices"

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

// Surrounded returns the features with columns beside them: for each radius of a first
// pass, the mean of the others' probabilities of each class, over the points of the
// superpoints whose middles lie within it in plan; 0 where there are none.
func (f *Features) Surrounded(run parallel.Run, p []float32, first *First) (*Features, error) {
	n, c := len(f.Names), first.Classes
	if len(p) != f.Len()*c {
		return nil, fmt.Errorf("classes: %d probabilities of %d classes for %d superpoints", len(p), c, f.Len())
	}
	out := &Features{Names: slices.Clone(f.Names), Present: slices.Clone(f.Present), Size: f.Size, Place: f.Place}
	for _, r := range first.Radii {
		for k := range c {
			out.Names = append(out.Names, fmt.Sprintf("class%d_within_%g", k, r))
			out.Present = append(out.Present, true)
		}
	}
	out.Values = make([]float32, f.Len()*len(out.Names))
	weights := f.weights(p, c)
	t := newSums(f.Place, weights, c+1)
	return out, run.For(f.Len(), 64, func(lo, hi int) {
		within := make([]int64, c+1)
		for k := lo; k < hi; k++ {
			row := out.Row(k)
			copy(row, f.Row(k))
			for at, r := range first.Radii {
				for i, v := range weights[k*(c+1) : (k+1)*(c+1)] {
					within[i] = -v // others only
				}
				t.add(within, f.Place[k], r)
				means(row[n+at*c:n+(at+1)*c], within)
			}
		}
	})
}

// weights returns, for every superpoint, its points times each probability, then its
// points times probability 1.
func (f *Features) weights(p []float32, classes int) []int64 {
	all := make([]int64, 0, f.Len()*(classes+1))
	for k, size := range f.Size {
		for _, v := range p[k*classes : (k+1)*classes] {
			all = append(all, int64(size)*share(v))
		}
		all = append(all, int64(size)*share(1))
	}
	return all
}

// means divides sums by the last of them.
func means(y []float32, sums []int64) {
	total := sums[len(y)]
	for i := range y {
		y[i] = 0
		if total > 0 {
			y[i] = float32(float64(sums[i]) / float64(total))
		}
	}
}

// share is a probability as a whole number, so that sums are the same in any order.
func share(p float32) int64 { return int64(math.Round(float64(p) * (1 << 20))) }
