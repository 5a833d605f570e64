// SPDX-License-Identifier: BSD-3-Clause

// Package train learns models: it samples subgraphs of labelled clouds, embeds them,
// partitions the embedding, weighs the transitions by the cross-partition and descends
// the graph-structured contrastive loss (Landrieu and Boussaha 2019, sections 2 and
// appendix "Models configuration"). The gradient of the network is in package backprop,
// the gradient of the loss in package contrastive.
//
// Every random choice is derived from the seed and the step, sums do not depend
// on threads, and a checkpoint holds the whole state; so one seed gives the same
// weights on one machine for any number of threads and however often training
// was interrupted. Lengths are in metres.
package train

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"superpoint/embed"
	"superpoint/embed/train/backprop"
	"superpoint/embed/train/quantize"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"

	"gopkg.in/yaml.v3"
)

// trainer is a run in progress.
type trainer struct {
	o          Options
	host       Host
	run        parallel.Run
	net        *backprop.Net[float32]
	validators []*validator
	batcher    *batcher
	clouds     []*embed.Inputs // that are trained on
	state      *state
	card       *embed.Card
	started    time.Time
	began      int     // epochs that were done when this run started
	before     float64 // seconds of earlier, interrupted runs
}

// Train trains a model and returns the best one, which it has also written. Errors of Options.Resume are
// ErrCheckpoint.
func Train(host Host, o Options) (*embed.Model, error) {
	t := &trainer{o: o, host: host, run: parallel.Run{Context: host.Context(), Threads: o.Threads},
		card: o.Recipe.Card()}
	var err error
	if t.net, err = backprop.New(t.card); err != nil {
		return nil, err
	}
	if err := t.begin(); err != nil {
		return nil, err
	}
	if err := t.read(); err != nil {
		return nil, err
	}
	t.started = time.Now()
	t.began = t.state.Epoch
	t.before = t.state.Seconds
	s := newStepper(o.Recipe, t.net, t.state.Params, t.run)
	for t.state.Epoch < o.Recipe.Optimise.Epochs {
		if err := t.epoch(s); err != nil {
			return nil, err
		}
	}
	return t.finish()
}

// begin starts from the checkpoint, from a base model, or from scratch.
func (t *trainer) begin() error {
	recipe := *t.o.Recipe
	recipe.Optimise.Epochs = 0 // a training may be continued for more epochs
	key, err := yaml.Marshal(map[string]any{"recipe": recipe, "seed": t.o.Seed, "inputs": t.o.Inputs,
		"validation": t.o.Validation})
	if err != nil {
		return err
	}
	if t.o.Resume != nil {
		if t.state, err = loadState(t.o.Resume, string(key)); err == nil {
			t.host.Log(fmt.Sprintf("resuming after epoch %d", t.state.Epoch))
		}
		return err
	}
	t.state = &state{Recipe: string(key), Params: t.net.Initial(rand.New(rand.NewPCG(t.o.Seed, 1)))}
	if t.o.Base == nil {
		return nil
	}
	return t.startFrom(t.o.Base)
}

// read reads all files.
func (t *trainer) read() error {
	s := &source{host: t.host, run: t.run, truth: t.o.Truth, instances: t.o.Instances}
	read := func(files []string, thin float64) ([]*labelled, error) {
		return s.each(files, t.o.SkipBad, func(file string) (*labelled, error) {
			return s.read(file, t.o.Recipe, thin)
		})
	}
	clouds, err := read(t.o.Inputs, 0)
	if err != nil {
		return err
	}
	for i, g := range t.o.Recipe.Groups {
		if g.Thin == 0 {
			continue
		}
		again := slices.DeleteFunc(slices.Clone(t.o.Inputs),
			func(f string) bool { return t.o.Recipe.groupOf(f) != i })
		thinned, err := read(again, g.Thin)
		if err != nil {
			return err
		}
		clouds = append(clouds, thinned...)
	}
	loader := newLoader(t.o.Recipe, clouds)
	if len(loader.clouds) == 0 {
		return errors.New("no file to train on; check --input and the shares of the recipe's groups")
	}
	for _, c := range loader.clouds {
		t.clouds = append(t.clouds, c.channels)
	}
	t.batcher = newBatcher(t.o.Recipe, loader, t.o.Seed)
	validation, err := read(t.o.Validation, 0)
	if err != nil {
		return err
	}
	for _, v := range validation {
		j, err := newValidator(v, t.o.Recipe.cutJoins(v), t.run)
		if err != nil {
			return err
		}
		t.validators = append(t.validators, j)
	}
	return nil
}

// rate returns the learning rate of the coming epoch.
func (t *trainer) rate() float64 {
	o := &t.o.Recipe.Optimise
	rate := o.Rate
	for _, at := range o.DecayAt {
		if t.state.Epoch >= at {
			rate *= o.Decay
		}
	}
	return rate
}

// epoch runs one epoch, validates and writes the checkpoint.
func (t *trainer) epoch(s *stepper) error {
	o, st := &t.o.Recipe.Optimise, t.state
	st.Optimiser.Rate = t.rate()
	st.Optimiser.Clip = o.Clip
	e := epoch{Rate: st.Optimiser.Rate, Score: math.NaN()}
	for i := range o.Steps {
		b, err := t.batcher.make(t.run, st.Epoch*o.Steps+i)
		if err != nil {
			return err
		}
		loss, err := s.step(b, st.Optimiser.step)
		if err != nil {
			return fmt.Errorf("epoch %d, step %d: %w", st.Epoch+1, i+1, err)
		}
		t.net.Update(&st.Statistics, o.Share)
		st.average(o.Average)
		e.Loss += loss / float64(o.Steps)
		e.Components += float64(s.components) / float64(o.Steps)
		t.host.Progress("training", float64(st.Epoch*o.Steps+i+1)/float64(o.Epochs*o.Steps))
	}
	st.Epoch++
	text := fmt.Sprintf("epoch %d of %d: loss %.5f, rate %.2g, %.0f components", st.Epoch, o.Epochs,
		e.Loss, e.Rate,
		e.Components)
	if len(t.validators) > 0 && (st.Epoch%t.o.Recipe.Validation.Every == 0 || st.Epoch == o.Epochs) {
		line, err := t.validate(&e)
		if err != nil {
			return err
		}
		text += line
	}
	st.History = append(st.History, e)
	st.Seconds = t.before + time.Since(t.started).Seconds()
	t.host.Log(fmt.Sprintf("%s, %.0f s, %v left", text, st.Seconds, t.left()))
	if err := st.save(t.o.Checkpoint); err != nil {
		return err
	}
	return t.o.Table(func(w io.Writer) error {
		_, err := io.WriteString(w, st.table())
		return err
	})
}

// left estimates the time that training still takes from the speed of this run.
func (t *trainer) left() time.Duration {
	done := t.state.Epoch - t.began
	per := time.Since(t.started) / time.Duration(max(done, 1))
	return (per * time.Duration(t.o.Recipe.Optimise.Epochs-t.state.Epoch)).Round(time.Second)
}

// validate scores the current model and keeps it if it is the best.
func (t *trainer) validate(e *epoch) (string, error) {
	st := t.state
	params, statistics, err := t.current()
	if err != nil {
		return "", err
	}
	m, score, reports, err := t.model(params, statistics)
	if err != nil {
		return "", err
	}
	e.Score = score
	if st.Best.Epoch == 0 || score > st.Best.Score {
		st.Best.Epoch, st.Best.Score = st.Epoch, score
		st.Best.Params = slices.Clone(params)
		st.Best.Statistics = clone(statistics)
		if err := t.write(m, reports); err != nil {
			return "", err
		}
	}
	line := fmt.Sprintf(", score %.4f (best %.4f, epoch %d):", score, st.Best.Score, st.Best.Epoch)
	for i, c := range reports {
		line += fmt.Sprintf(" %s %.1f/%.0f/%.0f", t.validators[i].labelled.name, 100*c.OOA,
			100*c.BRAsCoded, 100*c.BP)
	}
	return line, nil
}

func clone(s *backprop.Statistics) backprop.Statistics {
	c := backprop.Statistics{Steps: s.Steps}
	for i := range s.Mean {
		c.Mean = append(c.Mean, slices.Clone(s.Mean[i]))
		c.Variance = append(c.Variance, slices.Clone(s.Variance[i]))
	}
	return c
}

// model makes a model of parameters and statistics, with its integer network, and validates it.
func (t *trainer) model(params []float32, s *backprop.Statistics) (m *embed.Model, score float64,
	reports []metrics.Report, err error) {
	if m, err = embed.NewModel(t.o.Recipe.Card()); err != nil {
		return nil, 0, nil, err
	}
	t.net.Export(params, s, m)
	if !m.Card.Network.InFloats() {
		if err = quantize.Model(t.run, m, t.clouds); err != nil {
			return nil, 0, nil, err
		}
	}
	score, reports, err = validate(t.run, t.validators, m, t.o.Recipe)
	return m, score, reports, err
}

// finish writes the best model, or the last if nothing was validated.
func (t *trainer) finish() (*embed.Model, error) {
	st := t.state
	params, statistics := st.Best.Params, &st.Best.Statistics
	if st.Best.Epoch == 0 {
		var err error
		if params, statistics, err = t.current(); err != nil {
			return nil, err
		}
	}
	m, _, reports, err := t.model(params, statistics)
	if err != nil {
		return nil, err
	}
	return m, t.write(m, reports)
}

// write fills in the card and writes the model file.
func (t *trainer) write(m *embed.Model, reports []metrics.Report) error {
	o, st := &t.o, t.state
	training := &m.Card.Training
	training.Data, training.Limits = o.Recipe.Data, o.Recipe.Limits
	training.Command = o.Command
	training.Seed = o.Seed
	training.Threads = t.run.Workers()
	training.Steps = st.Epoch * o.Recipe.Optimise.Steps
	training.Seconds = math.Round(st.Seconds)
	if len(st.History) > 0 {
		training.Final = st.History[len(st.History)-1].Loss
	}
	training.Figures = figures(t.validators, reports, o.Recipe.Validation.Target)
	return save(m, o.Model)
}

func save(m *embed.Model, to Output) error {
	file, err := m.Save()
	if err != nil {
		return err
	}
	return to(func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
}

// figures returns the validation's metrics for the card, in per cent.
func figures(validators []*validator, reports []metrics.Report, target int) map[string]float64 {
	list := map[string]float64{}
	for i, c := range reports {
		for name, v := range map[string]float64{"OOA": float64(c.OOA), "BR as coded": float64(c.BRAsCoded),
			"BP": float64(c.BP)} {
			if !math.IsNaN(v) {
				list[embed.Figure(name, strconv.Itoa(target), validators[i].labelled.name)] = math.Round(
					1000*v) / 10
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// startFrom copies the weights of a model that has the network and the channels of the recipe.
func (t *trainer) startFrom(base *embed.Model) error {
	is, was := t.card, base.Card
	if !slices.Equal(is.Inputs.Neighbor, was.Inputs.Neighbor) || !slices.Equal(is.Inputs.Point,
		was.Inputs.Point) ||
		!slices.Equal(is.Layers().All(), was.Layers().All()) {
		return fmt.Errorf(
			"model %q has other channels or layers than the recipe; take its inputs and network over into "+
				"the recipe", was.Name)
	}
	params, statistics := t.net.Import(base)
	t.state.Params, t.state.Statistics = params, *statistics
	return nil
}

// remeasure is the number of batches that the statistics of averaged weights
// are measured on.
const remeasure = 16

// current returns the weights to validate and their normalisation statistics: the
// running statistics, or for averaged weights, with which no batch was normalised,
// statistics measured on a few more batches.
func (t *trainer) current() (params []float32, statistics *backprop.Statistics, err error) {
	st := t.state
	if t.o.Recipe.Optimise.Average == 0 {
		return st.Params, &st.Statistics, nil
	}
	var s backprop.Statistics
	for i := range remeasure {
		b, err := t.batcher.make(t.run, 1<<40+i)
		if err != nil {
			return nil, nil, err
		}
		if _, err := t.net.Forward(t.run, st.Average, &b.Batch); err != nil {
			return nil, nil, err
		}
		t.net.Update(&s, 0)
	}
	return st.Average, &s, nil
}
