// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"superpoint/embed/train"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
)

const embeddingUsage = `--input 'tiles/*.laz' --output my.model [options]

Trains a model on labelled files, of any format that PDAL reads. After every epoch, a
checkpoint and a table of the loss are written beside the model. With --resume, a run that
was interrupted continues and ends with the same weights; a finished run continues if the
recipe has more epochs. Models with norm: group or sphere: false are slow: the filter
computes their embeddings in floats, all others in integers.

  pdal superpoint train --input 'tiles/*.laz' --val 'val/*.laz' --recipe recipe.yaml --output my.model
  pdal superpoint eval --model my.model --target_size 100 val/tile.laz

What a recipe has, and the built-in models' recipes: embed/train/recipes/README.md.
`

// embeddingLearner is one run of the command.
type embeddingLearner struct {
	*command.Arguments
	train.Options
	inputs, validation    command.List
	recipe, base, onError string
	resume                bool
}

// embeddingTraining adds the options; given are the arguments, for the card.
func embeddingTraining(given []string) command.Define {
	return func(a *command.Arguments) func(names []string) error {
		l := &embeddingLearner{Arguments: a}
		o := &l.Options
		o.Command = "superpoint train " + strings.Join(given, " ")
		a.Var(&l.inputs, "input",
			"labelled files to train on; a pattern such as 'tiles/*.laz', several with commas")
		a.Var(&l.validation, "val", "labelled files on which the best epoch is chosen")
		a.StringVar(&o.Truth, "truth", "Classification", "`dimension` with class codes")
		a.StringVar(&o.Instances, "instances", "",
			"`dimension` with an object number per point, used instead of classes")
		a.StringVar(&l.recipe, "recipe", "", "recipe `file` (YAML)")
		a.StringVar(&a.Output, "output", "", "model `file` to write")
		a.ForceOption()
		a.StringVar(&l.base, "base", "", "built-in model or model `file` to start from")
		a.BoolVar(&l.resume, "resume", false, "continue from the checkpoint beside the output")
		a.IntOption(&o.Threads, "threads", 0, 0, command.MaxThreads, "threads, 0 for all")
		a.Uint64Var(&o.Seed, "seed", 1, "`number` from which all random choices follow")
		a.StringVar(&l.onError, "on-error", "stop",
			"`what` to do with a file that cannot be used: stop or skip")
		a.Reads = []string{"base", "recipe"}
		return l.learn
	}
}

// learn trains a model and prints its card.
func (l *embeddingLearner) learn(names []string) (err error) {
	switch {
	case len(names) > 0:
		return fmt.Errorf("%q is not an option; quote patterns such as --input 'tiles/*.laz'", names[0])
	case len(l.inputs) == 0:
		return errors.New("no --input; see pdal superpoint train --help")
	case l.Arguments.Output == "":
		return errors.New("no --output; name the model file to write")
	case l.onError != "stop" && l.onError != "skip":
		return fmt.Errorf("--on-error is %q; choose stop or skip", l.onError)
	}
	l.SkipBad = l.onError == "skip"
	if l.Inputs, err = l.Clouds(l.inputs); err != nil {
		return err
	}
	if l.Validation, err = l.Clouds(l.validation); err != nil {
		return err
	}
	// the order of the arguments changes no weight
	for _, files := range []*[]string{&l.Inputs, &l.Validation} {
		slices.Sort(*files)
		*files = slices.Compact(*files)
	}
	if err := l.open(); err != nil {
		return err
	}
	m, err := train.Train(trainHost{l.Host}, l.Options)
	if errors.Is(err, train.ErrCheckpoint) {
		return fmt.Errorf("%s: %w; delete it to start again", l.output(checkpointSuffix), err)
	}
	if err != nil {
		return err
	}
	return l.Say("%s: %d parameters, %s; `pdal superpoint info` prints its card", l.output(""),
		m.Card.Parameters(), m.Sum())
}

// Suffixes of the checkpoint and table beside a model file.
const (
	checkpointSuffix = ".checkpoint"
	tableSuffix      = ".csv"
)

func (l *embeddingLearner) output(suffix string) string { return l.Arguments.Output + suffix }

// open registers the outputs and reads the recipe, the base model and the checkpoint.
func (l *embeddingLearner) open() error {
	l.Files.Input(slices.Concat(l.Inputs, l.Validation)...)
	for _, one := range []struct {
		to           *train.Output
		what, suffix string
	}{
		{&l.Model, "model", ""}, {&l.Checkpoint, "checkpoint", checkpointSuffix},
		{&l.Table, "table of the loss", tableSuffix},
	} {
		out, err := l.Files.Output(l.output(one.suffix))
		if err != nil {
			return fmt.Errorf("--output %s: the %s: %w", l.output(""), one.what, err)
		}
		*one.to = out.Write
	}
	var err error
	text := []byte("{}")
	if l.recipe != "" {
		text, err = os.ReadFile(l.recipe)
	}
	if err == nil {
		l.Recipe, err = train.ParseRecipe(text)
	}
	if err != nil {
		return fmt.Errorf("--recipe %s: %w", l.recipe, err)
	}
	if l.base != "" {
		if l.Base, err = models.Find(l.base); err != nil {
			return fmt.Errorf("--base: %w", err)
		}
	}
	if !l.resume {
		return nil
	}
	if text, err = os.ReadFile(l.output(checkpointSuffix)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l.Resume = bytes.NewReader(text)
	return err
}

// trainHost is the host of package train, which does not import package filter.
type trainHost struct{ command.Host }

// Read implements train.Host.
func (h trainHost) Read(path string, dimensions []string) (*train.Columns, error) {
	c, err := h.Host.Read(path, dimensions)
	if err != nil { // package train adds the path
		return nil, errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	run := parallel.Run{Context: h.Context()}
	warn := func(text string) { h.Host.Log(message.Warning, path+": "+text) }
	x, y, z, err := c.Reference.Metres(run, c.X, c.Y, c.Z, warn)
	return &train.Columns{X: x, Y: y, Z: z, Dimensions: c.Dimensions, Available: c.Available}, err
}

// Log implements train.Host.
func (h trainHost) Log(text string) { h.Host.Log(message.Info, text) }
