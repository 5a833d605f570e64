// SPDX-License-Identifier: BSD-3-Clause

// Package train is the command train: embeddings and classifiers.
package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"

	"superpoint/embed/classes"
	"superpoint/embed/train/classtrain"
	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/classrules"
)

const classTrainUsage = `--classes RULES.yaml [options] FILE… OUTPUT.safetensors

Trains a classifier of superpoints on labelled files. RULES has the classes and, for
groups of files, the classes of each label; a label may be of one of several classes:

  name: aerial
  description: ground, vegetation and buildings from the air
  classes: [{code: 2, name: ground}, {code: 5, name: vegetation}, {code: 6, name: building}]
  labels:
    - {files: "ahn*", codes: {1: [vegetation, building], 2: [ground], 6: [building]}}
    - {files: "*", codes: {2: [ground], 3: [vegetation], 5: [vegetation], 6: [building]}}

The option classes of the stage reads the result.

  pdal superpoint train --classes rules.yaml tiles/*.laz my.safetensors
  pdal superpoint segment --classifier my.safetensors input.laz classified.laz

The options, including those of the stage for the superpoints:`

// Run runs the command.
func Run(host command.Host, arguments []string) error {
	c := &command.Command{Name: command.TrainName, Usage: embeddingUsage,
		Define: embeddingTraining(arguments),
		Bytes:  command.ByFilter}
	if trainsClasses(arguments) {
		c.Usage, c.Define = classTrainUsage, classTraining(arguments)
	}
	return c.Run(host, arguments)
}

// trainsClasses reports whether arguments of train have the option classes.
func trainsClasses(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		name := strings.TrimLeft(a, "-")
		return a != name && (name == "classes" || strings.HasPrefix(name, "classes="))
	})
}

// classTraining adds the options; given are the arguments, for the card.
func classTraining(given []string) command.Define {
	return func(a *command.Arguments) func(names []string) error {
		path := a.String("classes", "", "rules `file`: classes, meaning of labels, settings of training")
		truth := a.String("label", defaultLabel, "`dimension` of labels")
		a.OutputOption("`file` to write")
		a.StageOptions(command.MakingGroup(), "regularization")
		return func(names []string) error {
			l := &classLearner{host: a.Host, args: a, label: *truth,
				command: "superpoint train " + strings.Join(given, " ")}
			return l.run(*path, names)
		}
	}
}

// run trains a classifier by rules on labelled files and writes it to the last of names.
func (l *classLearner) run(rules string, names []string) error {
	inputs, output, err := l.args.Split(names)
	if err != nil {
		return err
	}
	if len(inputs) == 0 || output == "" {
		return errors.New("name labelled files and, last, the output file")
	}
	if err := command.CheckEnding(output); err != nil {
		return err
	}
	to, err := l.args.Open(append(inputs, rules), output)
	if err != nil {
		return err
	}
	if l.rules, err = classrules.Read(rules); err != nil {
		return err
	}
	model, err := l.learn(inputs)
	if err != nil {
		return err
	}
	file, err := model.Save()
	if err != nil {
		return err
	}
	if err := to.Write(atomicfile.Bytes(file)); err != nil {
		return err
	}
	return l.args.Say("%s: %d classes, %s; `pdal superpoint info` prints its card", to.Path(),
		len(model.Card.Classes), model.Sum())
}

// defaultLabel is the dimension of labels.
const defaultLabel = "Classification"

// classLearner is one run of the command.
type classLearner struct {
	host    command.Host
	args    *command.Arguments
	rules   *classrules.Rules
	label   string
	command string

	card    *classes.Card
	samples []*classes.Sample
}

func (l *classLearner) learn(inputs []string) (*classes.Model, error) {
	start := time.Now()
	r := l.rules
	l.card = &classes.Card{
		Format: classes.Format, Name: r.Name, Description: r.Description, Classes: r.Classes,
		Width: r.Width, Rounds: r.Rounds, Temperature: 1, Training: r.Training,
	}
	for _, path := range inputs { // before any work
		c, err := l.host.Read(path, []string{l.label})
		if err != nil {
			return nil, err
		}
		if _, err := l.meaning(path, c); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	for k, path := range inputs {
		if err := l.add(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		l.host.Progress("superpoints", float64(k+1)/float64(len(inputs)))
	}
	if n := classtrain.Surveys(l.samples); n < r.Settings.Networks {
		l.host.Log(message.Warning,
			fmt.Sprintf("%s for %s: tiles are left out instead, so figures and confidence are "+
				"optimistic; name more surveys in labels", message.Count(n, "survey"),
				message.Count(r.Settings.Networks, "network")))
	}
	total := 0.0
	planned := 0
	report := func(step, steps int, loss float64) {
		planned = steps
		if total += loss; step%100 == 99 {
			l.host.Log(message.Info, fmt.Sprintf("step %d of %d: loss %.4f", step+1, steps, total/100))
			total = 0
		}
		l.host.Progress("training", float64(step+1)/float64(steps))
	}
	model, err := classtrain.Train(classtrain.Run{Context: l.host.Context(), Report: report}, l.card,
		l.samples, r.Sets,
		r.Settings)
	if err != nil {
		return nil, err
	}
	t := &model.Card.Training
	if t.Steps < planned {
		l.host.Log(message.Info, fmt.Sprintf("ended at step %d of %d: what is left out is no longer learned",
			t.Steps, planned))
	}
	t.Command = l.command
	t.Seed = r.Settings.Seed
	t.Version = filter.Version
	t.Seconds = math.Round(time.Since(start).Seconds())
	return model, nil
}

// Add adds samples of a file: its superpoints at every regularization and density.
func (l *classLearner) add(path string) error {
	options, err := l.args.Options(nil)
	if err != nil {
		return err
	}
	names, err := option.Inputs(options)
	if err != nil {
		return err
	}
	c, err := l.host.Read(path, slices.Concat(names, []string{l.label}, cloud.ClassInputs()))
	if err != nil {
		return err
	}
	meaning, err := l.meaning(path, c)
	if err != nil {
		return err
	}
	rule, err := l.rules.Of(path)
	if err != nil {
		return err
	}
	of := classes.Sample{Name: filepath.Base(path), Survey: rule.Survey, Kind: rule.Survey,
		Weight: rule.Weight, Always: rule.Always}
	spacing, err := l.samplesOf(of, options.Threads, c, meaning)
	if err != nil {
		return err
	}
	for _, density := range l.rules.Thin {
		if share := density * spacing * spacing; share < maxThinning {
			few, meaning := thinned(c, meaning, share)
			of.Kind = fmt.Sprintf("%s at %g points/m²", rule.Survey, density)
			if _, err := l.samplesOf(of, options.Threads, few, meaning); err != nil {
				return err
			}
		}
	}
	return nil
}

// meaning returns the meaning of each point's label. It fails if no label has one.
func (l *classLearner) meaning(path string, c *command.Columns) ([]int, error) {
	if len(c.X) == 0 {
		return nil, errors.New("the file has no points; leave it out")
	}
	label := c.Dimensions[l.label]
	if label == nil {
		return nil, fmt.Errorf("dimension %q of labels is missing; the file has %s", l.label,
			strings.Join(c.Available, ", "))
	}
	meaning, err := l.rules.Meaning(path, label)
	if err == nil && !slices.ContainsFunc(meaning, func(set int) bool { return set >= 0 }) {
		err = fmt.Errorf(
			"the rules have no class for any of its labels (%s of %v to %v); leave the file out, or add its "+
				"codes to the rules", message.Count(len(label), "point"), slices.Min(label),
			slices.Max(label))
	}
	return meaning, err
}

// maxThinning is the largest share of points at which a file is thinned.
const maxThinning = 0.7

// thinned returns a random share of the points and of meaning, the same in every run.
func thinned(c *command.Columns, meaning []int, share float64) (*command.Columns, []int) {
	r := rand.New(rand.NewPCG(uint64(len(c.X)), math.Float64bits(share)))
	var kept []int
	for i := range c.X {
		if r.Float64() < share {
			kept = append(kept, i)
		}
	}
	few := &command.Columns{X: arrays.Gather(c.X, kept), Y: arrays.Gather(c.Y, kept),
		Z:          arrays.Gather(c.Z, kept),
		Dimensions: map[string][]float64{}, Available: c.Available, Reference: c.Reference}
	for name, values := range c.Dimensions {
		few.Dimensions[name] = arrays.Gather(values, kept)
	}
	return few, arrays.Gather(meaning, kept)
}

// samplesOf adds a sample at every regularization and returns the spacing of the points.
// Only the first sample has the kind, so that each cloud is validated once.
func (l *classLearner) samplesOf(of classes.Sample, threads int, c *command.Columns,
	meaning []int) (float64, error) {
	w, err := workspace.New(steps.Run{Context: l.host.Context()}, c.View(),
		classes.ShapeNeighbors, threads,
		message.Log(l.host.Log).Of(of.Name))
	if err != nil {
		return 0, err
	}
	for _, regularization := range l.rules.Regularization {
		if err := l.sample(of, w, regularization, meaning); err != nil {
			return 0, err
		}
		of.Kind = ""
	}
	return w.Spacing(), nil
}

// sample adds one sample.
func (l *classLearner) sample(of classes.Sample, w *workspace.Workspace, regularization float64,
	meaning []int) error {
	options, err := l.args.Options(map[string]string{"regularization": fmt.Sprint(regularization)})
	if err != nil {
		return err
	}
	f, err := filter.New(options, message.Log(l.host.Log).Of(of.Name))
	if err != nil {
		return err
	}
	run := steps.Run{Context: l.host.Context()}
	s, err := f.SegmentIn(run, w)
	if err != nil {
		return err
	}
	known := f.Embedding()
	if len(l.samples) == 0 {
		l.card.Embedding = known
	} else if l.card.Embedding != known {
		return fmt.Errorf("the embedding is of model %s, and of %s in other files; name one with --model",
			known.Model, l.card.Embedding.Model)
	}
	sp, _, err := w.ClassInput(s.ID, s.Dim, s.Embedding())
	if err != nil {
		return err
	}
	if of.Features, of.Graph, err = classes.Describe(w.Parallel(run), sp, s.Dim); err != nil {
		return err
	}
	sets := len(l.rules.Sets)
	of.Label = make([]float32, sp.Count*sets)
	for level := range of.Levels {
		of.Levels[level] = make([]float32, sp.Count*sets)
	}
	for i, from := range w.Order() {
		set := meaning[from]
		if set < 0 || sp.Component[i] == classes.None {
			continue
		}
		at := int(sp.Component[i])*sets + set
		of.Label[at]++
		of.Levels[sp.Level(i)][at]++
	}
	l.samples = append(l.samples, &of)
	return nil
}
