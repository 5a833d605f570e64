package command

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/embed/atomicfile"
	"superpoint/embed/cli"
	"superpoint/filter"
)

// arguments are the options of one command and the files that it reads and writes.
type arguments struct {
	*pflag.FlagSet
	host   Host
	stage  map[string]*setting // options of the stage
	output string              // of the option output
	files  atomicfile.Files    // that the command reads and writes
	reads  []string            // options that name files to read
}

func newArguments(command string, host Host) *arguments {
	return &arguments{FlagSet: cli.New(command), host: host, stage: map[string]*setting{}}
}

// setting is an option of the stage as it was written; filter.OptionsOf checks it.
type setting struct {
	value string
	kind  filter.Kind
}

func (s *setting) Set(text string) error {
	s.value = text
	return nil
}

func (s *setting) String() string { return s.value }

func (s *setting) Type() string {
	if s.kind == filter.KindBoolean {
		return "true|false"
	}
	return string(s.kind)
}

// stageOptions adds options of the stage: those of some groups, but for some.
func (a *arguments) stageOptions(groups []filter.Group, but ...string) {
	for _, s := range filter.Specs() {
		if slices.Contains(groups, s.Group) && !slices.Contains(but, s.Name) {
			a.addSetting(&s)
		}
	}
}

// namedOptions adds some options of the stage.
func (a *arguments) namedOptions(names ...string) {
	for _, s := range filter.Specs() {
		if slices.Contains(names, s.Name) {
			a.addSetting(&s)
		}
	}
}

func (a *arguments) addSetting(s *filter.Spec) {
	a.stage[s.Name] = &setting{s.Default, s.Kind}
	a.Var(a.stage[s.Name], s.Name, s.Line())
	if !s.Common {
		cli.Rare(a.FlagSet, s.Name)
	}
}

// allGroups are all options of the stage.
func allGroups() []filter.Group {
	return []filter.Group{filter.GroupMaking, filter.GroupWriting, filter.GroupMeasuring}
}

// makingGroup are those that say how superpoints are made.
func makingGroup() []filter.Group { return []filter.Group{filter.GroupMaking} }

// outputOption adds the option output, in whose place a command takes the last of
// its files.
func (a *arguments) outputOption(help string) {
	a.StringVar(&a.output, "output", "", help+" (default: the last name)")
}

// split takes names apart into those to read and the one to write.
func (a *arguments) split(names []string) (from []string, to string) {
	if a.output != "" || len(names) == 0 {
		return names, a.output
	}
	return names[:len(names)-1], names[len(names)-1]
}

// open notes inputs and returns the output.
func (a *arguments) open(from []string, to string) (*atomicfile.Output, error) {
	a.files.Input(from...)
	return a.files.Output(to)
}

// options returns the stage's options that were given, checked, with some
// replaced.
func (a *arguments) options(replaced map[string]string) (*filter.Options, error) {
	given := a.given()
	maps.Copy(given, replaced)
	return filter.OptionsOf(given)
}

// given returns the stage's options that were given, as text.
func (a *arguments) given() map[string]string {
	given := map[string]string{}
	for name, s := range a.stage {
		if a.Changed(name) {
			given[name] = s.value
		}
	}
	return given
}

// The values of options named format.
const (
	formatTable = "table" // to read
	formatText  = "text"
	formatCSV   = "csv"
	formatJSON  = "json"
)

// formatOption adds the option format, and returns what checks it.
func (a *arguments) formatOption(to *string, help string, formats ...string) (check func() error) {
	a.StringVar(to, "format", formats[0], "`form` "+help+": "+strings.Join(formats, ", "))
	return func() error {
		if slices.Contains(formats, *to) {
			return nil
		}
		return fmt.Errorf("option format: unknown value %q; use one of %s", *to, strings.Join(formats, ", "))
	}
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
		x, err := cli.Number(strings.TrimSpace(part), math.SmallestNonzeroFloat64, 1e9)
		if err != nil {
			return nil, fmt.Errorf("option %s: %q is not a number above 0, and at most 1e9; "+
				"give numbers with commas between, for example 50,100,200", option, part)
		}
		all = append(all, x)
	}
	return all, nil
}
