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
// the last layer standardised to mean 0 and deviation 1 over the superpoints. It is divided among the inputs'
// weights: the more inputs, the smaller the prior variance of each. This constant and the next ones were
// chosen on tiles of validation, four surveys that training has not seen, and simulated streets, by the share
// of right points with 5 to 100 labels.
const logitVariance = 32

// biasVariance is the prior variance of the change of a logit by the bias, which changes a class everywhere.
// It is apart because few labels say little about that: classes are seldom as frequent among labels as in the
// cloud.
const biasVariance = 1

// Fit returns a classifier whose last layer is fitted to labels by multinomial logistic regression; all other
// layers are unchanged. hidden is what Probabilities returned for the superpoints s with features f that the
// rows of labels refer to. The Gaussian prior has its mean at the model's weights, and at 0 for new classes,
// so a few labels correct wrong classes and hardly change the others. What the model is sure of is rehearsed
// beside the labels, see Unlabelled and confirmed. names has the names of new classes, by code. It returns an
// error without labels, for a row that hidden does not have, and if the classes are invalid, see
// Card.Validate.
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
	b, err := m.guess(hidden, labels)
	if err != nil {
		return nil, err
	}
	kept := slices.Concat(rehearsed(b.unlabelled(labels)), b.confirmed(labels))
	r, err := m.fit(&card, hidden, labels, kept, b.excess(labels))
	if err != nil {
		return nil, err
	}
	card.Labels = slices.Concat(m.Card.Labels, s.places(f, labels))
	out := &Model{Card: &card, tensors: maps.Clone(m.tensors)}
	out.tensors["out.weight"], out.tensors["out.bias"] = r.weights()
	return out, nil
}

// mostRehearsed is the largest number of superpoints of a class that are learned together with the labels.
const mostRehearsed = 32

// Rehearsal is a superpoint and the probabilities of its classes before a fit.
type Rehearsal struct {
	Row           int
	Probabilities []float32
	Weight        float64 // 1: as much as a label
}

// guesses are the classes of all superpoints before a fit, by the last layer alone.
type guesses struct {
	*Model
	p       []float32    // superpoints × classes
	class   []int        // most probable class of each superpoint
	isLabel map[int]bool // rows with a label
	named   []bool       // classes with a label
}

// guess returns what the last layer says before a fit. It returns an error for a label of a row that hidden
// does not have.
func (m *Model) guess(hidden []float32, labels []Label) (*guesses, error) {
	p, err := m.Uncorrected(parallel.Run{}, hidden)
	if err != nil {
		return nil, err
	}
	n := len(m.Card.Classes)
	rows := len(p) / n
	b := &guesses{Model: m, p: p, isLabel: map[int]bool{}, named: make([]bool, n)}
	for _, l := range labels {
		if l.Row < 0 || l.Row >= rows {
			return nil, fmt.Errorf("a label of superpoint %d of %d", l.Row, rows)
		}
		b.isLabel[l.Row] = true
		if class := m.Index(l.Code); class >= 0 {
			b.named[class] = true
		}
	}
	for row := range rows {
		class, _ := best(b.row(row))
		b.class = append(b.class, class)
	}
	return b, nil
}

// row returns the probabilities of a superpoint.
func (b *guesses) row(k int) []float32 {
	n := len(b.Card.Classes)
	return b.p[k*n : (k+1)*n]
}

// sure reports whether a superpoint most probably has its class.
func (b *guesses) sure(k int) bool { return b.row(k)[b.class[k]] >= sureBefore }

// Unlabelled returns the superpoints that the last layer, before a fit, gives to a class that no label names,
// by the code of that class and in the order of rows. Labels alone would make these classes less probable
// everywhere: each label is a superpoint that does not have them. Classes that labels contradict, see trust,
// are left out.
func (m *Model) Unlabelled(hidden []float32, labels []Label) (map[int][]Rehearsal, error) {
	b, err := m.guess(hidden, labels)
	if err != nil {
		return nil, err
	}
	return b.unlabelled(labels), nil
}

func (b *guesses) unlabelled(labels []Label) map[int][]Rehearsal {
	trust := b.trust(labels)
	all := map[int][]Rehearsal{}
	for row, class := range b.class {
		if b.isLabel[row] || b.named[class] || trust[class] == 0 {
			continue
		}
		code := b.Card.Classes[class].Code
		all[code] = append(all[code], Rehearsal{row, b.row(row), trust[class]})
	}
	return all
}

// sureBefore is the probability from which on a superpoint of a labelled class is rehearsed.
const sureBefore = 0.9

// confirmed returns superpoints of the labelled classes of which the model is sure, with weights that say how
// far the labels confirm the class: without them, labels of what the model confuses, which users look for,
// would change what it knows.
func (b *guesses) confirmed(labels []Label) (all []Rehearsal) {
	trust := b.trust(labels)
	rows := map[int][]Rehearsal{}
	for row, class := range b.class {
		if b.named[class] && !b.isLabel[row] && trust[class] > 0 && b.sure(row) {
			rows[class] = append(rows[class], Rehearsal{row, b.row(row), trust[class]})
		}
	}
	return rehearsed(rows)
}

// unseenLabels is the number of labels, right and sure, that trust adds for each class, and leastTrust that
// below which a class is not rehearsed.
const (
	unseenLabels = 2
	leastTrust   = 0.1
)

// trust returns, for each class that the model finds at labels, how far these confirm it: 1 if it is right at
// as many of them as its probabilities promise, 0 if at half as many or fewer. So labels at what the model is
// unsure of, which proposals are, do not tell against it.
func (b *guesses) trust(labels []Label) []float64 {
	n := len(b.named)
	promised := slices.Repeat([]float64{unseenLabels}, n)
	right := slices.Repeat([]float64{unseenLabels}, n)
	for _, l := range labels {
		class := b.class[l.Row]
		promised[class] += float64(b.row(l.Row)[class])
		if b.Card.Classes[class].Code == l.Code {
			right[class]++
		}
	}
	trust := make([]float64, n)
	for class := range trust {
		share := min(1, 2*right[class]/promised[class]-1)
		if share >= leastTrust {
			trust[class] = share
		}
	}
	return trust
}

// mostExcess is the greatest excess, of either sign.
const mostExcess = 2

// excess returns, for each class, the logarithm of how much more frequent it is among the labels than the
// model finds it among the superpoints, for the classes with a label that the model knows. The regression
// adds it to the logits of labels, and only there, so that twenty labels of a rare class do not make the
// class as frequent as they are (logit adjustment, Menon et al. 2021, arXiv:2007.07314).
func (b *guesses) excess(labels []Label) []float64 {
	n := len(b.named)
	labelled := make([]float64, n)
	found := make([]float64, n)
	all := 0.0
	for _, l := range labels {
		if class := b.Index(l.Code); class >= 0 {
			labelled[class]++
			all++
		}
	}
	sum := 0.0
	for k := range b.class {
		for class, v := range b.row(k) {
			if b.named[class] {
				found[class] += float64(v)
				sum += float64(v)
			}
		}
	}
	excess := make([]float64, n)
	for class, is := range b.named {
		if is {
			ratio := math.Log(labelled[class]/all) - math.Log(max(leastShare, found[class]/sum))
			excess[class] = min(max(ratio, -mostExcess), mostExcess)
		}
	}
	return excess
}

// leastShare is the least share of a class among superpoints.
const leastShare = 1e-3

// rehearsed returns superpoints of each class whose probabilities are to stay as they are (learning without
// forgetting, Li and Hoiem 2018, doi:10.1109/TPAMI.2017.2773081), evenly from all rows.
func rehearsed(of map[int][]Rehearsal) (all []Rehearsal) {
	for _, class := range slices.Sorted(maps.Keys(of)) {
		rows := of[class]
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

// regression is the problem of Fit, at the temperature of the model: with another temperature, confidences of
// labelled classes are too high or too low. The parameters theta are differences from the weights at the
// start, for standardised inputs. Inputs are standardised because the mean of rectified inputs is not 0: all
// superpoints would resemble each other, and a label would change its class everywhere. The bias is the
// weight of the last input, which is constant.
type regression struct {
	x       [][]float64 // labels and rehearsals × (inputs + 1), standardised
	logits  [][]float64 // of each label and class, at the start
	target  [][]float64 // of each label: probabilities of the classes
	weight  []float64   // of each label
	count   int         // of classes
	start   [][]float64 // (inputs + 1) × classes: weights and bias at the start
	middle  []float64   // mean of each input
	scale   []float64   // standard deviation of each input
	one     float64     // the constant input
	theta   []float64   // (inputs + 1) × classes: solution
	penalty float64     // 1/variance of the prior of each parameter
}

// fit solves the problem. excess is what is added to the logits of labels; nil adds nothing.
func (m *Model) fit(card *Card, hidden []float32, labels []Label, kept []Rehearsal, excess []float64) (
	*regression, error) {
	w, t := 2*m.Card.hidden(), card.Temperature
	rows := len(hidden) / w
	f := &regression{
		count:   len(card.Classes),
		middle:  means(hidden, rows, w),
		scale:   deviations(hidden, rows, w),
		one:     math.Sqrt(biasVariance * float64(w) / logitVariance),
		penalty: float64(w) / (t * t * logitVariance),
	}
	old := len(m.Card.Classes)
	for i := range w + 1 {
		row := make([]float64, f.count)
		for c := range old { // the first classes are the model's
			if i < w {
				row[c] = float64(m.tensors["out.weight"][i*old+c])
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
		target := make([]float64, f.count)
		isClass := func(c Class) bool { return c.Code == l.Code }
		target[slices.IndexFunc(card.Classes, isClass)] = 1
		f.add(hidden[l.Row*w:(l.Row+1)*w], t, target, 1)
		logits := f.logits[len(f.logits)-1]
		for c, v := range excess {
			logits[c] += v
		}
	}
	for _, k := range kept {
		target := make([]float64, f.count)
		for c, p := range k.Probabilities {
			target[c] = float64(p)
		}
		f.add(hidden[k.Row*w:(k.Row+1)*w], t, target, k.Weight)
	}
	f.solve()
	return f, nil
}

// add adds a superpoint with the probabilities that it should have, and its weight.
func (f *regression) add(hidden []float32, temperature float64, target []float64, weight float64) {
	x := make([]float64, len(hidden)+1)
	logits := slices.Clone(f.start[len(hidden)])
	for i, v := range hidden {
		x[i] = (float64(v) - f.middle[i]) / f.scale[i] / temperature
		for c, start := range f.start[i] {
			logits[c] += float64(v) * start
		}
	}
	x[len(hidden)] = f.one / temperature
	for c := range logits {
		logits[c] /= temperature
	}
	f.x = append(f.x, x)
	f.logits = append(f.logits, logits)
	f.target = append(f.target, target)
	f.weight = append(f.weight, weight)
}

// means returns the mean of every column of x, n × w.
func means(x []float32, n, w int) []float64 {
	all := make([]float64, w)
	for k := range n {
		for i, v := range x[k*w : (k+1)*w] {
			all[i] += float64(v) / float64(n)
		}
	}
	return all
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
	n := len(f.x[0]) * f.count
	curvature := f.penalty
	for k, x := range f.x {
		for _, v := range x {
			curvature += f.weight[k] * v * v / 2
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

// gradient sets gradient to the gradient of the negative log posterior at t.
func (f *regression) gradient(gradient, t []float64) {
	for i, v := range t {
		gradient[i] = f.penalty * v
	}
	logits := make([]float64, f.count)
	for k, x := range f.x {
		copy(logits, f.logits[k])
		for i, v := range x {
			for c, change := range t[i*f.count : (i+1)*f.count] {
				logits[c] += v * change
			}
		}
		top, total := slices.Max(logits), 0.0
		for c, v := range logits {
			logits[c] = math.Exp(v - top)
			total += logits[c]
		}
		for c := range logits {
			d := f.weight[k] * (logits[c]/total - f.target[k][c])
			for i, v := range x {
				gradient[i*f.count+c] += v * d
			}
		}
	}
}

// weights returns the weights and biases of the last layer, for inputs that are not standardised.
func (f *regression) weights() (weight, bias []float32) {
	last := len(f.scale)
	constant := make([]float64, f.count)
	for c := range f.count {
		constant[c] = f.start[last][c] + f.theta[last*f.count+c]*f.one
	}
	for i, scale := range f.scale {
		for c := range f.count {
			change := f.theta[i*f.count+c] / scale
			weight = append(weight, float32(f.start[i][c]+change))
			constant[c] -= change * f.middle[i]
		}
	}
	for _, v := range constant {
		bias = append(bias, float32(v))
	}
	return weight, bias
}
