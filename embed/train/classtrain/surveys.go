// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// deal gives every survey the number of the network that learns without it, so that each sample has a network for which
// it is unseen. With fewer surveys than networks it deals tiles, whose samples are of one name, and with fewer of these
// it returns fewer networks. A single network learns all samples.
func deal(samples []*classes.Sample, networks int) (without []int, used int) {
	if Surveys(samples) >= networks {
		return dealBy(samples, networks, func(s *classes.Sample) string { return s.Survey })
	}
	return dealBy(samples, networks, func(s *classes.Sample) string { return s.Name })
}

// Surveys returns the number of surveys.
func Surveys(samples []*classes.Sample) int {
	all := map[string]bool{}
	for _, s := range samples {
		all[s.Survey] = true
	}
	return len(all)
}

func dealBy(samples []*classes.Sample, networks int, key func(s *classes.Sample) string) (without []int, used int) {
	number := map[string]int{}
	for _, s := range samples {
		if _, known := number[key(s)]; !known {
			number[key(s)] = len(number)
		}
	}
	used = max(1, min(networks, len(number)))
	for _, s := range samples {
		without = append(without, number[key(s)]%used)
	}
	return without, used
}

// subset returns a trainer of the samples that a network learns from.
func (t *trainer) subset(network int) *trainer {
	if len(t.all) == 1 {
		return t
	}
	part := &trainer{Settings: t.Settings, sets: t.sets, all: t.all}
	for i, s := range t.samples {
		if t.without[i] != network {
			part.samples = append(part.samples, s)
		}
	}
	part.cumulate()
	return part
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
			case !classes.IsWeight(t.Name):
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

// calibrate sets the temperature by which confidence is nearest to the share of right answers on
// what a network has not seen: of all temperatures (Guo et al. 2017, arXiv:1706.04599) the one of
// the least median, over surveys, of the expected calibration error. A survey that is unlike all
// others does not make every cloud uncertain.
func (t *trainer) calibrate() error {
	rows := map[string][]unseen{}
	for i, s := range t.samples {
		p, err := t.predict(i, 1)
		if err != nil {
			return err
		}
		c, sets, points := len(t.model.Card.Classes), len(t.sets), 0.0
		for _, n := range s.Label {
			points += float64(n)
		}
		for k := range s.Features.Len() {
			if len(t.all) > 1 || heldOut(s, k) {
				rows[s.Survey] = append(rows[s.Survey], unseen{p[k*c : (k+1)*c], s.Label[k*sets : (k+1)*sets],
					1 / max(1, points)})
			}
		}
	}
	least := math.Inf(1)
	for step := -20; step <= 20; step++ {
		temperature := math.Exp(float64(step) / 10)
		var errors []float64
		for _, of := range rows {
			errors = append(errors, t.calibrationError(of, temperature))
		}
		if median := arrays.Median(errors); median < least {
			least, t.model.Card.Temperature = median, math.Round(temperature*1000)/1000
		}
	}
	return nil
}

// predict returns the probabilities, at a temperature, that the network which has not
// learned a sample's survey gives its superpoints.
func (t *trainer) predict(sample int, temperature float64) ([]float32, error) {
	s, m := t.samples[sample], t.all[t.without[sample]]
	m.Card.Temperature = temperature
	p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
	return p, err
}

// unseen is a superpoint that the network of p has not learned: probabilities at temperature
// 1, labels, and the weight of a point.
type unseen struct {
	p, label []float32
	weight   float64
}

// calibrationError is the expected one at a temperature. The points of a sample count alike,
// and samples do.
func (t *trainer) calibrationError(rows []unseen, temperature float64) float64 {
	of := newTally(len(t.model.Card.Classes))
	for _, r := range rows {
		y := make([]float32, len(r.p))
		for c, v := range r.p {
			y[c] = float32(math.Log(float64(v) + 1e-12))
		}
		classes.Softmax(y, float32(temperature))
		sure := slices.Max(y)
		for s, set := range t.sets {
			of.count(set, float64(r.label[s])*r.weight, slices.Index(y, sure), sure)
		}
	}
	return of.calibrationError()
}
