package command

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/embed/atomicfile"
	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/pipelines/files/sources"
)

// arguments are the options of one command and the files that it reads and writes.
type arguments struct {
	*pflag.FlagSet
	host   Host
	stage  map[string]*setting // options of the stage
	output string              // of the option output
	files  atomicfile.Files    // that the command reads and writes
	reads  []string            // options whose values are files to read
}

func newArguments(command string, host Host) *arguments {
	return &arguments{FlagSet: cli.New(command), host: host, stage: map[string]*setting{}}
}

// setting is an option of the stage as given by the user; filter.OptionsOf checks it.
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
		return cli.SwitchType
	}
	return string(s.kind)
}

// stageOptions adds the options of the stage in the given groups, except those named.
func (a *arguments) stageOptions(groups []filter.Group, except ...string) {
	a.addStage(func(s *filter.Spec) bool {
		return slices.Contains(groups, s.Group) && !slices.Contains(except, s.Name)
	})
}

// addStage adds the options of the stage for which has is true.
func (a *arguments) addStage(has func(s *filter.Spec) bool) {
	for _, s := range filter.Specs() {
		if !has(&s) {
			continue
		}
		a.stage[s.Name] = &setting{s.Default, s.Kind}
		a.Var(a.stage[s.Name], s.Name, s.Line())
		if !s.Common {
			cli.Rare(a.FlagSet, s.Name)
		}
	}
}

// allGroups returns the groups of all options of the stage.
func allGroups() []filter.Group {
	return []filter.Group{filter.GroupMaking, filter.GroupWriting, filter.GroupMeasuring}
}

// makingGroup returns the group of the options of models and partition.
func makingGroup() []filter.Group { return []filter.Group{filter.GroupMaking} }

// outputOption adds the options output and force. Without output, the last positional argument is the output.
func (a *arguments) outputOption(help string) {
	a.StringVar(&a.output, "output", "", help+" (default: the last name)")
	a.forceOption()
}

// forceOption adds the option force.
func (a *arguments) forceOption() {
	a.BoolVar(&a.files.Force, "force", false, "replace the output also if it is not of superpoint, or was changed")
}

// forceFolderOption adds the option force of commands whose outputs may be in a folder.
func (a *arguments) forceFolderOption(help string) { a.Lookup("force").Usage = help }

// split returns the point clouds of the inputs, and the output, of the positional arguments.
func (a *arguments) split(names []string) (from []string, to string, err error) {
	from, to = names, a.output
	if to == "" && len(names) > 0 {
		from, to = names[:len(names)-1], names[len(names)-1]
	}
	from, err = a.clouds(from)
	return from, to, err
}

// splitOne returns the one point cloud and the output, whose name must have one of the suffixes, of the positional
// arguments.
func (a *arguments) splitOne(names []string, endings ...string) (from, to string, err error) {
	all, to, err := a.split(names)
	right := slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(to), e) })
	switch {
	case err != nil:
		return "", "", err
	case len(all) == 0 || to == "" || !right && len(endings) > 0:
		return "", "", errors.New(strings.TrimSuffix("name one point cloud file and, last, one output file that ends in "+
			strings.Join(endings, " or "), " that ends in "))
	}
	from, err = a.one(all)
	return from, to, err
}

// one returns the only point cloud of names.
func (a *arguments) one(names []string) (string, error) {
	all, err := a.clouds(names)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("it reads one point cloud, and %d are named: %s; run it for each, or join them first with "+
			"pdal merge", len(all), strings.Join(all, " "))
	}
	if err != nil {
		return "", err
	}
	return all[0], nil
}

// clouds returns the point clouds of names: files, folders, patterns, virtual point clouds and EPT.
func (a *arguments) clouds(names []string) ([]string, error) {
	return sources.Members(names, func(text string) { a.host.Log(filter.LogWarning, text) })
}

// open registers the inputs and returns the output; it fails if the output is an input.
func (a *arguments) open(from []string, to string) (*atomicfile.Output, error) {
	a.files.Input(from...)
	return a.files.Output(to)
}

// options parses the given options of the stage, with some replaced.
func (a *arguments) options(replaced map[string]string) (*filter.Options, error) {
	given := a.given()
	maps.Copy(given, replaced)
	return filter.OptionsOf(given)
}

// given returns the values of the given options of the stage by name.
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
	formatTable = "table"
	formatText  = "text"
	formatCSV   = "csv"
	formatJSON  = "json"
)

// formatOption adds the option format and returns the function that checks it.
func (a *arguments) formatOption(to *string, help string, formats ...string) (check func() error) {
	a.StringVar(to, "format", formats[0], "`form` "+help+": "+strings.Join(formats, ", "))
	return func() error {
		if slices.Contains(formats, *to) {
			return nil
		}
		return fmt.Errorf("option format: unknown value %q; use one of %s", *to, strings.Join(formats, ", "))
	}
}

// Limits of lengths in metres and of threads.
const (
	minLength  = 1e-6
	maxLength  = 1e6
	maxThreads = 4096
)

// parseNumbers parses a list such as "0.5,1,2".
func parseNumbers(option, text string) ([]float64, error) {
	var all []float64
	for part := range strings.SplitSeq(text, ",") {
		x, err := cli.Number(strings.TrimSpace(part), math.SmallestNonzeroFloat64, 1e9)
		if err != nil {
			return nil, fmt.Errorf("option %s: %q is not a number above 0, and at most 1e9; "+
				"give numbers, comma separated, for example 50,100,200", option, part)
		}
		all = append(all, x)
	}
	return all, nil
}
