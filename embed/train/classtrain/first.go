package classtrain

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

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

// join makes one model of several that were trained alike: the networks lie side by
// side, and its logits are the mean of theirs. Their features have one mean and
// deviation.
func join(models []*classes.Model) (*classes.Model, error) {
	one := models[0].Card
	card := *one
	card.Networks, card.Weights = len(models), ""
	if err := card.Validate(); err != nil {
		return nil, fmt.Errorf("%d networks side by side: %w", len(models), err)
	}
	joined, err := classes.New(&card)
	if err != nil {
		return nil, err
	}
	for _, t := range card.Tensors() {
		to := joined.Tensor(t.Name)
		for m, model := range models {
			from := model.Tensor(t.Name)
			switch {
			case t.Name == classes.MeanTensor || t.Name == classes.DeviationTensor:
				copy(to, from)
			case t.Name == "out.bias":
				for i, v := range from {
					to[i] += v / float32(len(models))
				}
			case strings.HasSuffix(t.Name, ".bias"):
				copy(to[m*one.Width:], from)
			case strings.HasPrefix(t.Name, "round."):
				copy(to[m*len(from):], from)
			default:
				place(to, t, from, m, one)
			}
		}
	}
	return joined, nil
}

// place puts the weights of a network's first or last layer, inputs × outputs, among
// those of all. All share the inputs of the first and the outputs of the last, which
// reads two layers, in each of which a network has its own part.
func place(to []float32, t classes.Tensor, from []float32, m int, one *classes.Card) {
	if t.Name == "in.weight" {
		for i, row := range slices.Collect(slices.Chunk(from, one.Width)) {
			copy(to[i*t.Shape[1]+m*one.Width:], row)
		}
		return
	}
	models := t.Shape[0] / (2 * one.Width)
	for i, row := range slices.Collect(slices.Chunk(from, len(one.Classes))) {
		at := (i/one.Width*models+m)*one.Width + i%one.Width
		for j, v := range row {
			to[at*t.Shape[1]+j] = v / float32(models)
		}
	}
}

// calibrate chooses the temperature by which held-out labels are likeliest (Guo et
// al. 2017, arXiv:1706.04599).
func (t *trainer) calibrate() error {
	t.model.Card.Temperature = 1
	var rows []calibrated
	for _, s := range t.samples {
		p, _, err := t.model.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			return err
		}
		c, sets, points := len(t.model.Card.Classes), len(t.sets), 0.0
		for _, n := range s.Label {
			points += float64(n)
		}
		for k := range s.Features.Len() {
			if heldOut(s, k) {
				rows = append(rows, calibrated{p[k*c : (k+1)*c], s.Label[k*sets : (k+1)*sets],
					cmp.Or(s.Weight, 1) / max(1, points)})
			}
		}
	}
	best, least := 1.0, math.Inf(1)
	for step := -20; step <= 20; step++ {
		temperature := math.Exp(float64(step) / 10)
		if loss := t.loss(rows, temperature); loss < least {
			best, least = temperature, loss
		}
	}
	t.model.Card.Temperature = math.Round(best*1000) / 1000
	return nil
}

// calibrated is a held-out superpoint: probabilities at temperature 1, labels, and the
// weight of a point.
type calibrated struct {
	p, label []float32
	weight   float64
}

// loss is the negative logarithm of the labels' likelihood. Files count by their weights,
// the points of a file alike: so a large file is no more than a small one.
func (t *trainer) loss(rows []calibrated, temperature float64) (sum float64) {
	y := make([]float32, len(t.model.Card.Classes))
	for _, r := range rows {
		for c, p := range r.p {
			y[c] = float32(math.Log(float64(p) + 1e-12))
		}
		classes.Softmax(y, float32(temperature))
		for s, points := range r.label {
			q := 1e-6
			for _, c := range t.sets[s] {
				q += float64(y[c])
			}
			sum -= r.weight * float64(points) * math.Log(q)
		}
	}
	return sum
}
