package classtrain

import (
	"fmt"
	"math/rand/v2"

	"superpoint/embed/classes"
	"superpoint/partition/parallel"
)

// firstPass trains the networks of the card's first pass, each without one part of the
// files, and gives the samples of that part what it says of them: of files that it
// learned it would be surer than it is of others (stacking, Wolpert 1992,
// doi:10.1016/S0893-6080(05)80023-1).
func (t *trainer) firstPass(run Run, card *classes.Card) ([]*classes.Model, error) {
	if card.First == nil {
		return nil, nil
	}
	if err := card.Validate(); err != nil {
		return nil, err
	}
	part, err := deal(t.samples, card.First.Networks)
	if err != nil {
		return nil, err
	}
	all := make([]*classes.Model, card.First.Networks)
	told := make([]*classes.Sample, len(t.samples))
	for k := range all {
		rest := &trainer{Settings: t.Settings, sets: t.sets}
		for i, s := range t.samples {
			if part[i] != k {
				rest.samples = append(rest.samples, s)
			}
		}
		rest.cumulate()
		if err := rest.network(run, card.FirstCard(), t.samples, rand.New(rand.NewPCG(t.Seed+uint64(k), 2))); err != nil {
			return nil, err
		}
		all[k] = rest.model
		for i, s := range t.samples {
			if part[i] != k {
				continue
			}
			if told[i], err = tell(all[k], s, card.First); err != nil {
				return nil, err
			}
		}
	}
	t.samples = told
	return all, nil
}

// deal gives every file a part, one after the other, so that files that follow each
// other, as those of one survey do, lie in all parts. A file's samples are of one part.
func deal(samples []*classes.Sample, parts int) ([]int, error) {
	number := map[string]int{}
	part := make([]int, len(samples))
	for i, s := range samples {
		k, known := number[s.Name]
		if !known {
			k = len(number)
			number[s.Name] = k
		}
		part[i] = k % parts
	}
	if len(number) < parts {
		return nil, fmt.Errorf("a first pass of %d networks wants as many files, to leave some out; there are "+
			"%d: give more, or leave first out of the rules", parts, len(number))
	}
	return part, nil
}

// tell returns a sample with what a network says of its superpoints' surroundings.
func tell(m *classes.Model, s *classes.Sample, first *classes.First) (*classes.Sample, error) {
	p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
	if err != nil {
		return nil, err
	}
	own := *s
	own.Features, err = s.Features.Surrounded(parallel.Run{}, p, first)
	return &own, err
}

// adopt puts the networks of a first pass into a model.
func adopt(m *classes.Model, first []*classes.Model) {
	for k, one := range first {
		to := m.FirstNetwork(k)
		for _, t := range to.Card.Tensors() {
			copy(to.Tensor(t.Name), one.Tensor(t.Name))
		}
	}
}
