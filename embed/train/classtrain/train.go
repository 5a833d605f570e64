// SPDX-License-Identifier: BSD-3-Clause

// Package classtrain trains the classifier of superpoints of package classes, in
// gorgonia's own operations and with its Adam: the graph of superpoints is small
// enough for them. A label may stand for several classes ("vegetation or
// something else"): the loss is then the logarithm of their probabilities' sum.
// Of several networks each learns without some surveys, on which confidence is calibrated
// and classes are measured. Results depend on the samples, the settings and the seed only.
package classtrain

import (
	"fmt"
	"math"
	"math/rand/v2"

	"superpoint/embed/classes"

	"gorgonia.org/gorgonia"
)

// Train returns a classifier of the card's shape. Sets are what the columns of
// the samples' labels stand for.
func Train(run Run, card *classes.Card, samples []*classes.Sample, sets []classes.Set,
	settings classes.Settings) (*classes.Model, error) {
	if err := classes.CheckSamples(samples, sets, len(card.Classes)); err != nil {
		return nil, err
	}
	t := &trainer{Settings: settings, samples: samples, sets: sets}
	t.cumulate()
	var err error
	without, networks := deal(samples, max(1, settings.Networks))
	t.without = without
	t.all = make([]*classes.Model, networks)
	for k := range t.all {
		part := t.subset(k)
		if err := part.network(run, card, samples,
			rand.New(rand.NewPCG(settings.Seed+uint64(k), 1))); err != nil {
			return nil, err
		}
		t.all[k] = part.model
	}
	t.model = t.all[0]
	if len(t.all) > 1 {
		if t.model, err = join(t.all); err != nil {
			return nil, err
		}
	}
	if err := t.calibrate(); err != nil {
		return nil, err
	}
	return t.model, t.measure()
}

// network trains one, whose features are standardised by the features of some samples.
func (t *trainer) network(run Run, card *classes.Card, by []*classes.Sample, r *rand.Rand) (err error) {
	own := *card
	if t.model, err = classes.New(&own); err != nil {
		return err
	}
	standardise(t.model, by)
	t.initialise(r)
	return t.descend(run, r)
}

// standardise measures mean and deviation of every feature where it is there.
func standardise(m *classes.Model, samples []*classes.Sample) {
	mean := m.Tensor("mean")
	deviation := m.Tensor("deviation")
	for f := range mean {
		var n, sum, square float64
		for _, s := range samples {
			if !s.Features.Present[f] {
				continue
			}
			for k := range s.Features.Len() {
				v := float64(s.Features.Row(k)[f])
				n = n + 1
				sum = sum + v
				square = square + v*v
			}
		}
		if n > 0 {
			mean[f] = float32(sum / n)
			deviation[f] = float32(max(math.Sqrt(max(0, square/n-sum/n*sum/n)), 1e-3))
		}
	}
}

// initialise sets weights as He et al. 2015 (doi:10.1109/ICCV.2015.123); the
// last layer begins small.
func (t *trainer) initialise(r *rand.Rand) {
	for _, tensor := range t.model.Card.Tensors() {
		if len(tensor.Shape) < 2 {
			continue
		}
		spread := math.Sqrt(2 / float64(tensor.Shape[0]))
		if tensor.Name == "out.weight" {
			spread /= 10
		}
		for i := range t.model.Tensor(tensor.Name) {
			t.model.Tensor(tensor.Name)[i] = float32(r.NormFloat64() * spread)
		}
	}
}

// descend takes the steps.
func (t *trainer) descend(run Run, r *rand.Rand) error {
	b := newBatch(t.Batch, t.model.Inputs(), len(t.sets))
	n, err := newNet(t, b)
	if err != nil {
		return err
	}
	defer n.machine.Close()
	mean := newAverage(t.model)
	steps, watch := t.plan()
	solver := gorgonia.NewAdamSolver(gorgonia.WithL2Reg(t.Decay), gorgonia.WithClip(1))
	for step := range steps {
		if run.Context != nil && run.Context.Err() != nil {
			return run.Context.Err()
		}
		t.fill(b, r)
		gorgonia.WithLearnRate(t.Rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2)(solver)
		loss, err := n.step(solver)
		if err != nil {
			return err
		}
		if math.IsNaN(loss) {
			return fmt.Errorf("the loss is no number at step %d; train with a smaller rate", step)
		}
		mean.add(t.model, step)
		if run.Report != nil {
			run.Report(step, steps, loss)
		}
		t.model.Card.Training.Steps = step + 1
		if watch == nil || (step+1)%watchEvery != 0 {
			continue
		}
		stop, err := watch.stalls(mean)
		if err != nil {
			return err
		}
		if stop {
			break
		}
	}
	if watch != nil {
		mean = watch.best
	}
	mean.take(t.model)
	return nil
}
