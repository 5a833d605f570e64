// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
)

// logitVariance is the prior variance of the change of a logit, divided by the temperature, with inputs of
// the last layer scaled to deviation 1. It is divided among the inputs' weights: the more inputs, the smaller
// the prior variance of each.
const logitVariance = 384

// Fit returns a classifier whose last layer is fitted to labels by multinomial logistic regression; all other
// layers are unchanged. hidden is what Probabilities returned for the superpoints s with features f that the
// rows of labels refer to. The Gaussian prior has its mean at the model's weights, and at 0 for new classes,
// so a few labels correct wrong classes and hardly change the others. Classes without a label keep their
// superpoints, see Unlabelled. names are those of new classes, by code. It returns an error without labels,
// for a row that hidden does not have, and if the classes are invalid, see Card.Validate.
func (m *Model) Fit(s *Superpoints, f *Features, hidden []float32, labels []Label,
	names map[int]string) (*Model, error) {
	if len(labels) == 0 {
		return nil, errors.New("no labels; give some superpoints a class")
	}
	card := *m.Card
	card.Classes = extended(m.Card.Classes, labels, names)
	if err := card.Validate(); err != nil {
		return nil, err
	}
	unlabelled, err := m.Unlabelled(hidden, labels)
	if err != nil {
		return nil, err
	}
	r, err := m.fit(&card, hidden, labels, rehearsed(unlabelled))
	if err != nil {
		return nil, err
	}
	card.Labels = slices.Concat(m.Card.Labels, s.places(f, labels))
	out := &Model{Card: &card, tensors: maps.Clone(m.tensors)}
	out.tensors["out.weight"], out.tensors["out.bias"] = r.weights()
	return out, nil
}

// mostRehearsed is the largest number of superpoints of a class without a label that are learned together
// with the labels.
const mostRehearsed = 32

// Rehearsal is a superpoint and the probabilities of its classes before a fit.
type Rehearsal struct {
	Row           int
	Probabilities []float32
}

// Unlabelled returns the superpoints that the last layer, before a fit, gives to a class that no label names,
// by the code of that class and in the order of rows. Labels alone would make these classes less probable
// everywhere: each label is a superpoint that does not have them.
func (m *Model) Unlabelled(hidden []float32, labels []Label) (map[int][]Rehearsal, error) {
	p, err := m.Uncorrected(parallel.Run{}, hidden)
	if err != nil {
		return nil, err
	}
	isLabel, named := map[int]bool{}, map[int]bool{}
	for _, l := range labels {
		isLabel[l.Row] = true
		named[l.Code] = true
	}
	all := map[int][]Rehearsal{}
	n := len(m.Card.Classes)
	for row := range len(p) / n {
		best, _ := m.Best(p, row)
		code := int(best)
		if !isLabel[row] && !named[code] {
			all[code] = append(all[code], Rehearsal{row, p[row*n : (row+1)*n]})
		}
	}
	return all, nil
}

// rehearsed returns superpoints of the classes without a label whose probabilities are to stay as they are
// (learning without forgetting, Li and Hoiem 2018, doi:10.1109/TPAMI.2017.2773081), evenly from all rows.
func rehearsed(unlabelled map[int][]Rehearsal) (all []Rehearsal) {
	for _, code := range slices.Sorted(maps.Keys(unlabelled)) {
		rows := unlabelled[code]
		count := min(mostRehearsed, len(rows))
		for k := range count {
			all = append(all, rows[k*len(rows)/count])
		}
	}
	return all
}

// extended returns the known classes, then the new ones of labels, sorted by code.
func extended(known []Class, labels []Label, names map[int]string) []Class {
	all := slices.Clone(known)
	codes := map[int]bool{}
	for _, c := range known {
		codes[c.Code] = true
	}
	for _, l := range labels {
		codes[l.Code] = true
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if slices.ContainsFunc(all, func(c Class) bool { return c.Code == code }) {
			continue
		}
		name := names[code]
		if name == "" {
			name = fmt.Sprint("class ", code)
		}
		all = append(all, Class{code, name})
	}
	return all
}

// regression is the problem of Fit, at the temperature of the model: labels that are learned at another one
// are claimed too surely, or not surely enough. The parameters theta are differences from the weights at the
// start, for inputs scaled to deviation 1; the bias is the weight of an input that is always 1, the last one.
type regression struct {
	x       [][]float64 // labels and rehearsals × (inputs + 1), scaled
	target  [][]float64 // of each label: probabilities of the classes
	count   int         // of classes
	start   [][]float64 // (inputs + 1) × classes: weights at the start, scaled
	scale   []float64   // standard deviation of each input
	theta   []float64   // (inputs + 1) × classes: solution
	penalty float64     // 1/variance of the prior of each parameter
}

func (m *Model) fit(card *Card, hidden []float32, labels []Label, kept []Rehearsal) (*regression, error) {
	w, t := 2*m.Card.hidden(), card.Temperature
	rows := len(hidden) / w
	f := &regression{count: len(card.Classes), scale: deviations(hidden, rows, w),
		penalty: float64(w) / (t * t * logitVariance)}
	old := len(m.Card.Classes)
	for i := range w + 1 {
		row := make([]float64, f.count)
		for c := range old { // the first classes are the model's
			if i < w {
				row[c] = float64(m.tensors["out.weight"][i*old+c]) * f.scale[i]
			} else {
				row[c] = float64(m.tensors["out.bias"][c])
			}
		}
		for c := old; c < f.count; c++ {
			if i == w {
				row[c] = mean64(row[:old])
			}
		}
		f.start = append(f.start, row)
	}
	for _, l := range labels {
		if l.Row < 0 || l.Row >= rows {
			return nil, fmt.Errorf("a label of superpoint %d of %d", l.Row, rows)
		}
		target := make([]float64, f.count)
		isClass := func(c Class) bool { return c.Code == l.Code }
		target[slices.IndexFunc(card.Classes, isClass)] = 1
		f.add(hidden[l.Row*w:(l.Row+1)*w], t, target)
	}
	for _, k := range kept {
		target := make([]float64, f.count)
		for c, p := range k.Probabilities {
			target[c] = float64(p)
		}
		f.add(hidden[k.Row*w:(k.Row+1)*w], t, target)
	}
	f.solve()
	return f, nil
}

// add adds a superpoint with the probabilities that it should have.
func (f *regression) add(hidden []float32, temperature float64, target []float64) {
	x := make([]float64, len(hidden)+1)
	for i, v := range hidden {
		x[i] = float64(v) / f.scale[i] / temperature
	}
	x[len(hidden)] = 1 / temperature
	f.x = append(f.x, x)
	f.target = append(f.target, target)
}

func mean64(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// steps is the number of iterations, enough for the gradient to fall below 0.001.
const steps = 300

// solve minimises the negative log posterior by Nesterov's accelerated gradient descent
// (1983) with step 1/L. The curvature L is at most penalty + ½ Σ |x|² (Böhning 1992,
// doi:10.1007/BF00048682).
func (f *regression) solve() {
	n := len(f.start) * f.count
	curvature := f.penalty
	for _, x := range f.x {
		for _, v := range x {
			curvature += v * v / 2
		}
	}
	theta := make([]float64, n)
	ahead := make([]float64, n)
	gradient := make([]float64, n)
	for k := range steps {
		f.gradient(gradient, ahead)
		momentum := float64(k) / float64(k+3)
		for i, g := range gradient {
			next := ahead[i] - g/curvature
			ahead[i] = next + momentum*(next-theta[i])
			theta[i] = next
		}
	}
	f.theta = theta
}

// gradient sets gradient to that of the negative log posterior at t.
func (f *regression) gradient(gradient, t []float64) {
	for i, v := range t {
		gradient[i] = f.penalty * v
	}
	logits := make([]float64, f.count)
	for k, x := range f.x {
		clear(logits)
		for i, v := range x {
			if v == 0 {
				continue
			}
			for c, s := range f.start[i] {
				logits[c] += v * (s + t[i*f.count+c])
			}
		}
		top, total := slices.Max(logits), 0.0
		for c, v := range logits {
			logits[c] = math.Exp(v - top)
			total += logits[c]
		}
		for c := range logits {
			d := logits[c]/total - f.target[k][c]
			for i, v := range x {
				gradient[i*f.count+c] += v * d
			}
		}
	}
}

// weights returns the weights and biases of the last layer, for unscaled inputs.
func (f *regression) weights() (weight, bias []float32) {
	for i, scale := range f.scale {
		for c := range f.count {
			weight = append(weight, float32((f.start[i][c]+f.theta[i*f.count+c])/scale))
		}
	}
	last := len(f.scale)
	for c := range f.count {
		bias = append(bias, float32(f.start[last][c]+f.theta[last*f.count+c]))
	}
	return weight, bias
}
