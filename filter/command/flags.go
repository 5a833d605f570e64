package command

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"superpoint/embed/ranged"
	"superpoint/embed/whole"
	"superpoint/filter"
)

// arguments parses the arguments of one command. Options may stand before,
// between and after the files.
type arguments struct {
	*flag.FlagSet
	stage map[string]*string // options of the stage, as text
	files whole.Files        // that the command reads and writes
}

// newArguments prints its help to the host. The stage's options, except those
// named in own, which the command has itself, are options of the command too.
func newArguments(name, usage string, host Host, own ...string) *arguments {
	a := &arguments{flag.NewFlagSet(name, flag.ContinueOnError), map[string]*string{}, whole.Files{Context: host.Context()}}
	out := host.Stdout()
	a.SetOutput(io.Discard)
	taken := map[string]bool{}
	for _, o := range own {
		taken[o] = true
	}
	for _, s := range filter.Specs() {
		if !taken[s.Name] {
			a.stage[s.Name] = a.String(s.Name, s.Default, s.Line())
		}
	}
	a.Usage = func() {
		var list strings.Builder
		a.SetOutput(&list)
		a.PrintDefaults()
		a.SetOutput(io.Discard)
		// two dashes: pdal takes -abc apart into -a -b -c
		fmt.Fprintf(out, "usage: pdal superpoint %s\n\n%s", usage, strings.ReplaceAll("\n"+list.String(), "\n  -", "\n  --")[1:])
	}
	return a
}

// parse returns what is not an option. The model is noted as an input.
func (a *arguments) parse(args []string) (files []string, err error) {
	for {
		if err := a.Parse(args); err != nil {
			if err != flag.ErrHelp {
				err = fmt.Errorf("%w; see pdal superpoint %s --help", err, a.Name())
			}
			return nil, err
		}
		rest := a.Args()
		if len(rest) == 0 {
			if model := a.stage["model"]; model != nil {
				a.files.Input(*model)
			}
			return files, nil
		}
		files, args = append(files, rest[0]), rest[1:]
	}
}

// options returns the stage's options that were given, checked, with some
// replaced.
func (a *arguments) options(replaced map[string]string) (*filter.Options, error) {
	given := a.stageOptions()
	for name, value := range replaced {
		given[name] = value
	}
	return filter.OptionsOf(given)
}

// stageOptions returns the stage's options that were given, as text.
func (a *arguments) stageOptions() map[string]string {
	given := map[string]string{}
	a.Visit(func(f *flag.Flag) {
		if a.stage[f.Name] != nil {
			given[f.Name] = f.Value.String()
		}
	})
	return given
}

// Ranges of numbers: lengths in metres, and threads.
const (
	least       = 1e-6
	most        = 1e6
	mostThreads = 4096
)

// numbers reads "0.5,1,2".
func numbers(option, text string) ([]float64, error) {
	var all []float64
	for part := range strings.SplitSeq(text, ",") {
		x, err := ranged.Parse(strings.TrimSpace(part), math.SmallestNonzeroFloat64, 1e9)
		if err != nil {
			return nil, fmt.Errorf("option %s: %q is not a number above 0, and at most 1e9; give numbers with commas between, for example 50,100,200", option, part)
		}
		all = append(all, x)
	}
	return all, nil
}

// given tells whether an option was given.
func given(a *arguments, name string) bool {
	found := false
	a.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}
