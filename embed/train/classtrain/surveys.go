// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// deal gives every survey the number of the network that learns without it, so that each sample has a
// network for which it is unseen, or nobody. With fewer surveys than networks it deals tiles, whose
// samples are of one name, and with fewer of these it returns fewer networks. A single network learns all
// samples.
func deal(samples []*classes.Sample, networks int) (without []int, used int) {
	if Surveys(samples) >= networks {
		return dealBy(samples, networks, func(s *classes.Sample) string { return s.Survey })
	}
	return dealBy(samples, networks, func(s *classes.Sample) string { return s.Name })
}

// Surveys returns the number of surveys that a network may learn without.
func Surveys(samples []*classes.Sample) int {
	all := map[string]bool{}
	for _, s := range samples {
		if !s.Always {
			all[s.Survey] = true
		}
	}
	return len(all)
}

func dealBy(samples []*classes.Sample, networks int, key func(s *classes.Sample) string) (
	without []int, used int) {
	number := map[string]int{}
	for _, s := range samples {
		if _, known := number[key(s)]; !known && !s.Always {
			number[key(s)] = len(number)
		}
	}
	used = max(1, min(networks, len(number)))
	for _, s := range samples {
		if s.Always {
			without = append(without, nobody)
		} else {
			without = append(without, number[key(s)]%used)
		}
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
// the weights of all networks. All share the inputs of the first and the outputs of the last, which
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

// calibrate sets the temperature (Guo et al. 2017, arXiv:1706.04599) by the median, over surveys, of the
// negative log-likelihood of what the networks have not learned. It is a proper score: no other confidence
// than the share of right answers has a smaller mean, so that what is surely wrong costs most; the expected
// calibration error is none, and nearly the same at all temperatures. Of the median, as a survey whose labels
// mean other things makes every cloud unsure by the mean. Corrections by evidence and levels follow the
// temperature, as in use.
func (t *trainer) calibrate() error {
	losses, samples := map[string][]float64{}, map[string]float64{}
	for i, s := range t.samples {
		if t.without[i] == nobody {
			continue
		}
		m := t.all[t.without[i]]
		_, hidden, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			return err
		}
		if losses[s.Survey] == nil {
			losses[s.Survey] = make([]float64, temperatures)
		}
		samples[s.Survey]++
		for step := range temperatures {
			m.Card.Temperature = temperature(step)
			p, err := m.Last(parallel.Run{}, s.Features, hidden)
			if err != nil {
				return err
			}
			of := newTally(len(m.Card.Classes))
			t.count(of, s, p)
			losses[s.Survey][step] += of.loss / max(1, of.points)
		}
	}
	medians := make([]float64, temperatures)
	for step := range medians {
		var all []float64
		for survey, of := range losses {
			all = append(all, of[step]/samples[survey])
		}
		medians[step] = arrays.Median(all)
	}
	t.model.Card.Temperature = temperature(slices.Index(medians, slices.Min(medians)))
	return nil
}

// temperatures is the number of those that are tried.
const temperatures = 77

// temperature returns one of those, from 0.2 to 4.
func temperature(step int) float64 { return float64(step+4) / 20 }
