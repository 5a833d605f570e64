package train

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"

	"superpoint/embed"
	"superpoint/embed/atomicfile"
	"superpoint/embed/internal/quantize"
	"superpoint/embed/train/backprop"
	"superpoint/partition/base/parallel"
)

// Options say what one training run reads and writes.
type Options struct {
	Inputs, Validation []string // files
	Truth              string   // dimension with class codes
	Instances          string   // dimension with object numbers for all files, or ""
	Recipe             *Recipe
	RecipeFile         string // that the recipe was read from, or ""
	Output             string // model file; the checkpoint, curve and CSV lie beside it
	Force              bool   // replace outputs that superpoint did not write, or that were changed
	Resume             bool
	Seed               uint64
	Threads            int
	SkipBad            bool   // a file that cannot be used is named and left out, not fatal
	Base               string // model file to start from, or ""
	Command            string // for the card
	Quantize           bool   // only make the integer network of the model Base again
}

// trainer is a run in progress.
type trainer struct {
	o          Options
	out        outputs
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

// Train trains a model and returns the best one, which it has also written.
func Train(host Host, o Options) (*embed.Model, error) {
	t := &trainer{o: o, host: host, run: parallel.Run{Context: host.Context(), Threads: o.Threads}, card: o.Recipe.Card()}
	var err error
	if t.out, err = o.outputs(host); err != nil {
		return nil, err
	}
	if t.net, err = backprop.New(t.card); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	if err := t.begin(); err != nil {
		return nil, err
	}
	if err := t.read(); err != nil {
		return nil, err
	}
	t.started, t.began, t.before = time.Now(), t.state.Epoch, t.state.Seconds
	s := newStepper(o.Recipe, t.net, t.state.Params, t.run)
	for t.state.Epoch < o.Recipe.Optimise.Epochs && !t.stale() {
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
	if t.o.Resume {
		s, err := loadState(t.o.Output + checkpointSuffix)
		if err == nil {
			if s.Recipe != string(key) {
				return fmt.Errorf("checkpoint %s belongs to another recipe, seed or list of files; delete it to start again",
					t.o.Output+checkpointSuffix)
			}
			t.state = s
			t.host.Log(fmt.Sprintf("resuming after epoch %d", s.Epoch))
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	t.state = &state{Recipe: string(key), Params: t.net.Initial(rand.New(rand.NewPCG(t.o.Seed, 1)))}
	if t.o.Base == "" {
		return nil
	}
	m, err := readModel(t.o.Base)
	if err != nil {
		return err
	}
	if m, err = widened(m, t.card); err != nil {
		return fmt.Errorf("%s: %w", t.o.Base, err)
	}
	params, statistics := t.net.Import(m)
	t.state.Params, t.state.Statistics = params, *statistics
	return nil
}

func readModel(file string) (*embed.Model, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := embed.Load(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// read reads all files.
func (t *trainer) read() error {
	s := &source{host: t.host, run: t.run, truth: t.o.Truth, instances: t.o.Instances}
	read := func(files []string, second *Group) (clouds []*labelled, err error) {
		err = s.each(files, t.o.SkipBad, func(file string) error {
			cloud, err := s.read(file, t.o.Recipe, second)
			if err == nil {
				clouds = append(clouds, cloud)
			}
			return err
		})
		return clouds, err
	}
	clouds, err := read(t.o.Inputs, nil)
	if err != nil {
		return err
	}
	for i, g := range t.o.Recipe.Groups {
		if g.Thin == 0 && g.Tilt == 0 {
			continue
		}
		again := slices.DeleteFunc(slices.Clone(t.o.Inputs), func(f string) bool { return t.o.Recipe.groupOf(f) != i })
		changed, err := read(again, &g)
		if err != nil {
			return err
		}
		clouds = append(clouds, changed...)
	}
	loader := newLoader(t.o.Recipe, clouds)
	if len(loader.clouds) == 0 {
		return errors.New("no file to train on; check --input and the shares of the recipe's groups")
	}
	for _, c := range loader.clouds {
		t.clouds = append(t.clouds, c.channels)
	}
	t.batcher = newBatcher(t.o.Recipe, loader, t.o.Seed)
	validation, err := read(t.o.Validation, nil)
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

func (t *trainer) stale() bool {
	p := t.o.Recipe.Validation.Patience
	return p > 0 && t.state.Stale >= p
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
	st.Optimiser.Rate, st.Optimiser.Clip = t.rate(), o.Clip
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
	text := fmt.Sprintf("epoch %d of %d: loss %.5f, rate %.2g, %.0f components", st.Epoch, o.Epochs, e.Loss, e.Rate,
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
	if err := st.save(t.out.checkpoint); err != nil {
		return err
	}
	return t.out.writeCurve(st.History)
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
	m, score, partitions, err := t.model(params, statistics)
	if err != nil {
		return "", err
	}
	e.Score = score
	st.Stale++
	if st.Best.Epoch == 0 || score > st.Best.Score {
		st.Stale = 0
		st.Best.Epoch, st.Best.Score = st.Epoch, score
		st.Best.Params, st.Best.Statistics = slices.Clone(params), clone(statistics)
		if err := t.write(m, partitions); err != nil {
			return "", err
		}
	}
	line := fmt.Sprintf(", score %.4f (best %.4f, epoch %d):", score, st.Best.Score, st.Best.Epoch)
	for i, c := range partitions {
		line += fmt.Sprintf(" %s %.1f/%.0f/%.0f", t.validators[i].labelled.name, 100*c.OOA, 100*c.BRAsCoded, 100*c.BP)
	}
	return line, nil
}

func clone(s *backprop.Statistics) backprop.Statistics {
	c := backprop.Statistics{Steps: s.Steps}
	for i := range s.Mean {
		c.Mean, c.Variance = append(c.Mean, slices.Clone(s.Mean[i])), append(c.Variance, slices.Clone(s.Variance[i]))
	}
	return c
}

// model makes a model of parameters and statistics, with its integer network, and validates it.
func (t *trainer) model(params []float32, s *backprop.Statistics) (m *embed.Model, score float64,
	partitions []*partitioned, err error) {
	if m, err = embed.NewModel(t.o.Recipe.Card()); err != nil {
		return nil, 0, nil, err
	}
	t.net.Export(params, s, m)
	if !m.Card.Network.InFloats() {
		if _, err = quantize.Model(t.run, m, t.clouds); err != nil {
			return nil, 0, nil, err
		}
	}
	score, partitions, err = validate(t.run, t.validators, m, t.o.Recipe)
	return m, score, partitions, err
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
	m, _, partitions, err := t.model(params, statistics)
	if err != nil {
		return nil, err
	}
	return m, t.write(m, partitions)
}

// write fills in the card and writes the model file.
func (t *trainer) write(m *embed.Model, partitions []*partitioned) error {
	o, st := &t.o, t.state
	training := &m.Card.Training
	training.Data, training.Limits = o.Recipe.Data, o.Recipe.Limits
	training.Command, training.Seed, training.Threads = o.Command, o.Seed, t.run.Workers()
	training.Steps = st.Epoch * o.Recipe.Optimise.Steps
	training.Seconds = math.Round(st.Seconds)
	if len(st.History) > 0 {
		training.Final = st.History[len(st.History)-1].Loss
	}
	training.Figures = figures(t.validators, partitions, o.Recipe.Validation.Target)
	return save(m, t.out.model)
}

func save(m *embed.Model, to *atomicfile.Output) error {
	file, err := m.Save()
	if err != nil {
		return err
	}
	return to.Write(func(w io.Writer) error {
		_, err := w.Write(file)
		return err
	})
}

// figures returns the validation's metrics for the card, in per cent.
func figures(validators []*validator, partitions []*partitioned, target int) map[string]float64 {
	list := map[string]float64{}
	for i, c := range partitions {
		for name, v := range map[string]float64{"OOA": float64(c.OOA), "BR as coded": float64(c.BRAsCoded),
			"BP": float64(c.BP)} {
			if !math.IsNaN(v) {
				list[embed.Figure(name, strconv.Itoa(target), validators[i].labelled.name)] = math.Round(1000*v) / 10
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Checkpoint, curve and table of a model file lie beside it under these
// endings.
const (
	checkpointSuffix = ".checkpoint"
	curveSuffix      = ".png"
	tableSuffix      = ".csv"
)

// outputs are the files that a training run writes, none of which it reads.
type outputs struct {
	model, checkpoint, curve, table *atomicfile.Output
}

func (o *Options) outputs(host Host) (out outputs, err error) {
	files := &atomicfile.Files{Context: host.Context(), Force: o.Force}
	files.Input(o.Inputs...)
	files.Input(o.Validation...)
	files.Input(o.Base, o.RecipeFile)
	for _, one := range []struct {
		to           **atomicfile.Output
		what, suffix string
	}{
		{&out.model, "model", ""}, {&out.checkpoint, "checkpoint", checkpointSuffix},
		{&out.curve, "picture of the loss", curveSuffix}, {&out.table, "table of the loss", tableSuffix},
	} {
		if *one.to, err = files.Output(o.Output + one.suffix); err != nil {
			return out, fmt.Errorf("train: --output %s: the %s: %w", o.Output, one.what, err)
		}
	}
	return out, nil
}
