// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/job"
)

// Arguments are the options of one command and the files that it reads and writes.
type Arguments struct {
	*pflag.FlagSet
	Host   Host
	Stage  map[string]*setting // options of the stage
	Output string              // of the option output
	Files  atomicfile.Files    // that the command reads and writes
	Pinned job.Inputs          // clouds that were read: no output has its place if one has changed since
	Reads  []string            // options whose values are files to read
	References
	quiet bool
	named sync.Map // files that a line on standard output or in the log is about
}

// NewArguments returns the arguments of a command, with the options that all commands have.
func NewArguments(command string, host Host) *Arguments {
	a := &Arguments{FlagSet: newFlags(command), Host: host, Stage: map[string]*setting{}}
	a.Files.Ready = a.Pinned.Check
	a.StringVar(&a.Default, "default_srs", "",
		"spatial `reference` of files without one, for example EPSG:32632")
	a.StringVar(&a.Override, "override_srs", "", "spatial `reference` in place of a wrong or unreadable one")
	a.BoolVar(&a.quiet, Quiet, false, "print warnings and errors only")
	rare(a.FlagSet, "default_srs", "override_srs", Quiet)
	return a
}

// Say writes a line about what was written to standard output, unless the command is quiet.
func (a *Arguments) Say(format string, values ...any) error {
	text := fmt.Sprintf(format, values...)
	a.name(text)
	if a.quiet {
		return nil
	}
	_, err := fmt.Fprintln(a.Host.Stdout(), text)
	return err
}

// name records the file that a line begins with.
func (a *Arguments) name(line string) {
	if at := strings.Index(line, ": "); at >= 0 {
		a.named.Store(line[:at], true)
	}
}

// Quiet is the option of all commands that leaves out lines about what was written.
const Quiet = "quiet"

// setting is an option of the stage as given by the user; option.OptionsOf checks it.
type setting struct {
	Value string
	kind  option.Kind
}

func (s *setting) Set(text string) error {
	s.Value = text
	return nil
}

func (s *setting) String() string { return s.Value }

func (s *setting) Type() string {
	if s.kind == option.KindBoolean {
		return switchType
	}
	return string(s.kind)
}

// StageOptions adds the options of the stage in the given groups, except those named.
func (a *Arguments) StageOptions(groups []option.Group, except ...string) {
	a.AddStage(func(s *option.Spec) bool {
		return slices.Contains(groups, s.Group) && !slices.Contains(except, s.Name)
	})
}

// AddStage adds the options of the stage for which has is true.
func (a *Arguments) AddStage(has func(s *option.Spec) bool) {
	for _, s := range option.Specs() {
		if !has(&s) {
			continue
		}
		a.Stage[s.Name] = &setting{s.Default, s.Kind}
		a.Var(a.Stage[s.Name], s.Name, s.Line())
		if !s.Common {
			rare(a.FlagSet, s.Name)
		}
	}
}

// Rare marks options that only --help-all lists.
func (a *Arguments) Rare(names ...string) { rare(a.FlagSet, names...) }

// AllGroups returns the groups of all options of the stage.
func AllGroups() []option.Group {
	return []option.Group{option.GroupMaking, option.GroupWriting}
}

// MakingGroup returns the group of the options of models and partition.
func MakingGroup() []option.Group { return []option.Group{option.GroupMaking} }

// OutputOption adds the options output and force. Without output, the last positional argument is the output.
func (a *Arguments) OutputOption(help string) {
	a.StringVar(&a.Output, "output", "", help+" (default: the last name)")
	a.ForceOption()
}

// ForceOption adds the option force.
func (a *Arguments) ForceOption() {
	a.BoolVar(&a.Files.Force, "force", false,
		"overwrite the output even if another program wrote or changed it")
}

// ForceFolderOption adds the option force of commands whose outputs may be in a folder.
func (a *Arguments) ForceFolderOption(help string) { a.Lookup("force").Usage = help }

// Split returns the point clouds of the inputs, and the output, of the positional arguments.
func (a *Arguments) Split(names []string) (from []string, to string, err error) {
	from, to = names, a.Output
	if to == "" && len(names) > 0 {
		from, to = names[:len(names)-1], names[len(names)-1]
	}
	from, err = a.Clouds(from)
	return from, to, err
}

// SplitOne returns the one point cloud and the output, whose name must have the suffix, of the positional
// arguments.
func (a *Arguments) SplitOne(names []string, ending string) (from, to string, err error) {
	all, to, err := a.Split(names)
	switch {
	case err != nil:
		return "", "", err
	case len(all) == 0 || to == "" || !strings.HasSuffix(strings.ToLower(to), ending):
		return "", "", errors.New(
			strings.TrimSuffix("name one point cloud file and, last, one output file that ends in "+
				ending, " that ends in "))
	}
	from, err = a.One(all)
	return from, to, err
}

// OpenOne returns that point cloud, and the output to write.
func (a *Arguments) OpenOne(names []string, ending string) (from string, to *atomicfile.Output, err error) {
	from, output, err := a.SplitOne(names, ending)
	if err != nil {
		return "", nil, err
	}
	to, err = a.Open([]string{from}, output)
	return from, to, err
}

// One returns the only point cloud of names.
func (a *Arguments) One(names []string) (string, error) {
	all, err := a.Clouds(names)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf(
			"it reads one point cloud, and %d are named: %s; run it for each, or join them first with "+
				"pdal merge", len(all), firstOf(all, " "))
	}
	if err != nil {
		return "", err
	}
	return all[0], nil
}

// Clouds returns the point clouds of names: files, folders, patterns and virtual point clouds.
func (a *Arguments) Clouds(names []string) ([]string, error) {
	return sources.Members(names, func(text string) { a.Host.Log(message.Warning, text) })
}

// Open registers the inputs and returns the output; it fails if the output is an input.
func (a *Arguments) Open(from []string, to string) (*atomicfile.Output, error) {
	a.Files.Input(from...)
	return a.Files.Output(to)
}

// Options parses the given options of the stage, with some replaced.
func (a *Arguments) Options(replaced map[string]string) (*option.Options, error) {
	given := a.Given()
	maps.Copy(given, replaced)
	return option.OptionsOf(given)
}

// Given returns the values of the given options of the stage by name.
func (a *Arguments) Given() map[string]string {
	given := map[string]string{}
	for name, s := range a.Stage {
		if a.Changed(name) {
			given[name] = s.Value
		}
	}
	return given
}

// The values of options named format.
const (
	FormatTable = "table"
	FormatText  = "text"
	FormatCSV   = "csv"
	FormatJSON  = "json"
)

// FormatOption adds the option format and returns the function that checks it.
func (a *Arguments) FormatOption(to *string, help string, formats ...string) (check func() error) {
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
	MinLength  = 1e-6
	MaxLength  = 1e6
	MaxThreads = 4096
)

// ParseNumbers parses a list such as "0.5,1,2" of numbers from lo to 1e9.
func ParseNumbers(option, text string, lo float64) ([]float64, error) {
	var all []float64
	for part := range strings.SplitSeq(text, ",") {
		x, err := Number(strings.TrimSpace(part), lo, 1e9)
		if err != nil {
			return nil, fmt.Errorf(
				"option %s: %q is not a number from %v to 1e9; give numbers, comma separated, for example "+
					"50,100,200", option, part, lo)
		}
		all = append(all, x)
	}
	return all, nil
}

// MaxModelNeighbors is the number of neighbours of the built-in models.
const MaxModelNeighbors = 20

// ConfidenceDimension is the dimension of the confidence of classes.
const ConfidenceDimension = "ClassConfidence"

// CheckEnding fails unless a file of a model or classifier to write has its suffix: a name at the end of a
// list of Files may be one of them.
func CheckEnding(path string) error {
	if strings.EqualFold(filepath.Ext(path), ModelEnding) {
		return nil
	}
	return fmt.Errorf("the output %s does not end in %s; name another output", path, ModelEnding)
}

// ModelEnding is the suffix of files of models and classifiers.
const ModelEnding = ".safetensors"
