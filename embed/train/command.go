// Package train learns models: it samples subgraphs of labelled clouds, embeds
// them, partitions the embedding, weighs the transitions by the cross-partition
// and descends the graph-structured contrastive loss (Landrieu and Boussaha
// 2019, sections 2 and appendix "Models configuration"). The gradient of the
// network is in package backprop, that of the loss in package contrastive.
//
// Every random choice is derived from the seed and the step, sums do not depend
// on threads, and a checkpoint holds the whole state; so one seed gives the same
// weights on one machine for any number of threads and however often training
// was interrupted. Lengths are in metres.
package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/embed/cli"
)

// Command runs the command train with its arguments, args[0] being the first
// option.
func Command(host Host, args []string) error {
	o, err := parse(host.Stdout(), args)
	if errors.Is(err, cli.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	make := Train
	if o.Quantize {
		make = Quantize
	}
	m, err := make(host, *o)
	if err != nil {
		return err
	}
	text, err := m.Card.YAML()
	if err != nil {
		return err
	}
	fmt.Fprintf(host.Stdout(), "%s (%s): %d parameters\n%s", o.Output, m.Sum(), m.Card.Parameters(), text)
	return nil
}

const usage = `--input 'tiles/*.laz' --output my.model [options]

Trains a model on labelled files, of any format that PDAL reads. A checkpoint, a
table and a picture of the loss lie beside the model after every epoch; a run that
was cut off continues with --resume and ends with the same weights, and so does a
finished one if the recipe has more epochs. The filter computes embeddings by a
model's integer network; --quantize only makes this one, for a model file that has
none, from clouds of all kinds that it is for. Models with norm: group or sphere:
false have none: they are computed in floats, which is slow.

  pdal superpoint train --input 'tiles/*.laz' --val 'val/*.laz' --recipe recipe.yaml --output my.model
  pdal superpoint train --quantize --base my.model --input 'clouds/*.laz' --output new.model
  pdal superpoint eval --model my.model --target_size 100 val/tile.laz

What a recipe says, and the built-in models' recipes: embed/train/recipes/README.md.
`

// parse reads the options of train; --help prints them to out.
func parse(out io.Writer, args []string) (*Options, error) {
	var inputs, validation cli.List
	var o Options
	var recipe, onError string
	f := cli.New("train")
	f.Var(&inputs, "input", "labelled files to train on; a pattern such as 'tiles/*.laz', several with commas")
	f.Var(&validation, "val", "labelled files to choose the best epoch by")
	f.StringVar(&o.Truth, "truth", "Classification", "`dimension` with class codes")
	f.StringVar(&o.Instances, "instances", "", "`dimension` with an object number per point, used instead of classes")
	f.StringVar(&recipe, "recipe", "", "recipe `file` (YAML)")
	f.StringVar(&o.Output, "output", "", "model `file` to write")
	f.BoolVar(&o.Force, "force", false, "replace the output also if it is not of superpoint, or was changed")
	f.StringVar(&o.Base, "base", "", "model `file` to start from")
	f.BoolVar(&o.Resume, "resume", false, "continue from the checkpoint beside the output")
	f.BoolVar(&o.Quantize, "quantize", false, "make the integer network of --base again; clouds need no labels")
	cli.Int(f, &o.Threads, "threads", 0, 0, 4096, "threads, 0 for all")
	f.Uint64Var(&o.Seed, "seed", 1, "`number` that every random choice follows from")
	f.StringVar(&onError, "on-error", "stop", "`what` to do with a file that cannot be used: stop or skip")
	names, err := cli.Parse(f, args)
	if err != nil {
		fmt.Fprint(out, cli.Help(f, usage, err))
		return nil, fmt.Errorf("train: %w", err)
	}
	switch {
	case len(names) > 0:
		return nil, fmt.Errorf("train: %q is not an option; quote patterns such as --input 'tiles/*.laz'", names[0])
	case len(inputs) == 0:
		return nil, fmt.Errorf("train: no --input; see pdal superpoint train --help")
	case o.Output == "":
		return nil, fmt.Errorf("train: no --output; name the model file to write")
	case o.Quantize && o.Base == "":
		return nil, fmt.Errorf("train: --quantize needs --base; name the model file to read")
	case onError != "stop" && onError != "skip":
		return nil, fmt.Errorf("train: --on-error is %q; choose stop or skip", onError)
	}
	o.SkipBad = onError == "skip"
	o.Command = "superpoint train " + strings.Join(args, " ")
	if o.Inputs, err = expand(inputs); err != nil {
		return nil, err
	}
	if o.Validation, err = expand(validation); err != nil {
		return nil, err
	}
	o.RecipeFile = recipe
	if o.Recipe, err = readRecipe(recipe); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Dir(o.Output)); err != nil {
		return nil, fmt.Errorf("train: the folder of --output %s: %w", o.Output, err)
	}
	return &o, nil
}

// expand returns the files that patterns match, sorted, each once.
func expand(patterns []string) ([]string, error) {
	var files []string
	for _, p := range patterns {
		if _, err := os.Lstat(p); err == nil { // also a name with letters of patterns
			files = append(files, p)
			continue
		}
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %q", p)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func readRecipe(file string) (*Recipe, error) {
	if file == "" {
		r := defaultRecipe()
		return &r, r.Validate()
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := parseRecipe(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64            // metres
	Dimensions map[string][]float64 // every dimension that was asked for and that the file has
	Available  []string             // names of all dimensions of the file
}

// Host is what training needs of the program that runs it; training itself
// knows no file format.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. A
	// dimension the file lacks is left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log prints a message to the user.
	Log(text string)
	// Progress reports the fraction of a step that is done, in [0, 1].
	Progress(step string, fraction float64)
	// Stdout takes a command's result.
	Stdout() io.Writer
	// Context is cancelled when the user interrupts.
	Context() context.Context
}
