// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/filter/naming"
)

// errHelp is the error of parse for --help; errHelpAll, which wraps it, for --help-all.
var (
	errHelp    = pflag.ErrHelp
	errHelpAll = fmt.Errorf("%w for all options", errHelp)
)

// newFlags returns an empty set of options of a command. Its help lists them in the order in
// which they are added.
func newFlags(command string) *pflag.FlagSet {
	f := pflag.NewFlagSet(command, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	return f
}

// rare marks options that only --help-all lists.
func rare(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		f.Lookup(name).Hidden = true
	}
}

// help returns the help text if asked, an error of parse, is errHelp, else "". The text is
// usage, which has the arguments after the command's name and a description, then the
// options, and for --help-all the rare ones.
func help(f *pflag.FlagSet, usage string, asked error) string {
	const width = 100
	if !errors.Is(asked, errHelp) {
		return ""
	}
	common, further := newFlags(""), newFlags("")
	f.VisitAll(func(o *pflag.Flag) {
		shown, list := *o, common
		if o.Hidden {
			list = further
		}
		shown.Name, shown.Hidden = ShownName(f.Name(), o.Name), false
		list.AddFlag(&shown)
	})
	text := "usage: pdal superpoint " + f.Name() + " " + usage + "\n" + common.FlagUsagesWrapped(width)
	switch {
	case !further.HasFlags():
		return text
	case errors.Is(asked, errHelpAll):
		return text + "\nFurther options:\n" + further.FlagUsagesWrapped(width)
	}
	return text + "\nFurther options: pdal superpoint " + f.Name() + " --help-all\n"
}

// The option classes of the stage names a classifier, and beside --model the word is clearer. Both names are
// accepted.
const (
	classesOption    = "classes"
	classifierOption = "classifier"
)

// ShownName returns the name of a command's option in its help. The option classes of train names rules.
func ShownName(command, option string) string {
	if option == classesOption && command != TrainName {
		return classifierOption
	}
	return option
}

// withStageNames replaces the option classifier among arguments by classes, if the command has that and not
// the other.
func withStageNames(f *pflag.FlagSet, args []string) []string {
	if f.Lookup(classesOption) == nil || f.Lookup(classifierOption) != nil || f.Name() == TrainName {
		return args
	}
	renamed := slices.Clone(args)
	for k, arg := range renamed {
		if arg == "--" {
			break
		}
		if arg == "--"+classifierOption || strings.HasPrefix(arg, "--"+classifierOption+"=") {
			renamed[k] = "--" + classesOption + strings.TrimPrefix(arg, "--"+classifierOption)
		}
	}
	return renamed
}

// parse reads the options and returns the positional arguments. Its error is errHelp for
// --help, else it names the option and the command's help.
func parse(f *pflag.FlagSet, args []string) ([]string, error) {
	if at := slices.Index(args, "--help-all"); at >= 0 && !slices.Contains(args[:at], "--") {
		return nil, errHelpAll
	}
	err := f.Parse(joinValues(f, withStageNames(f, args)))
	switch {
	case err == nil:
		return f.Args(), nil
	case errors.Is(err, errHelp):
		return nil, err
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		err = unknownOption(f, unknown)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		name := ShownName(f.Name(), invalid.GetFlag().Name)
		err = fmt.Errorf("--%s %q: %w", name, invalid.GetValue(), invalid.Unwrap())
	}
	return nil, fmt.Errorf("%w; see pdal superpoint %s --help", err, f.Name())
}

// unknownOption returns the error for an option that a command does not have.
func unknownOption(f *pflag.FlagSet, unknown *pflag.NotExistError) error {
	if unknown.GetSpecifiedShortnames() != "" { // pdal divides -output into letters
		return fmt.Errorf("-%s: options have two dashes, as --output; write ./ before the name of a file",
			unknown.GetSpecifiedName())
	}
	name := "--" + unknown.GetSpecifiedName()
	if instead := removed()[f.Name()+" "+name]; instead != "" {
		return fmt.Errorf("there is no option %s any more: %s", name, instead)
	}
	var known []string
	f.VisitAll(func(o *pflag.Flag) { known = append(known, "--"+ShownName(f.Name(), o.Name)) })
	return fmt.Errorf("there is no option %s%s", name, naming.DidYouMean(name, known))
}

// removed lists options that commands had, and what to do instead.
func removed() map[string]string {
	return map[string]string{
		"compare --config":     "give the options themselves",
		"compare --input":      "name the files without an option",
		"compare --sweep":      "give eval several values of --regularization",
		"compare --voxel":      "thin the files first, as by filters.voxelcenternearestneighbor",
		"outline --mean":       "join the rows of table to the polygons, by id",
		"render --title":       "write it beside the picture",
		"survey plan --buffer": "name these files as inputs, and leave their results aside",
		"survey plan --copc": "write each result with pdal translate RESULT.laz RESULT.copc.laz " +
			"--writers.copc.forward=all --writers.copc.extra_dims=all",
	}
}

// negative matches a negative number and a further character as pdal divides them.
var negative = regexp.MustCompile(`^-[0-9.]([0-9.,eE-]*-[0-9.,eE]|.*[eE]--)$`)

// switchType is the type, in the help, of options that are true or false.
const switchType = "true|false"

// joinValues returns the arguments with one form of switches: --force, --force true and --force=true become
// the last of these. It joins negative numbers, which pdal divides into characters: --azimuth -3 -0 becomes
// --azimuth -30.
func joinValues(f *pflag.FlagSet, args []string) (joined []string) {
	for len(args) > 0 {
		name, isOption := strings.CutPrefix(args[0], "--")
		if isOption && name == "" {
			return append(joined, args...)
		}
		var more []string
		used := 1
		switch o := f.Lookup(name); {
		case !isOption || o == nil:
			more = args[:1]
		case o.Value.Type() == switchType || o.Value.Type() == "bool":
			more, used = joinSwitch(args)
		default:
			more, used = joinNumber(args)
		}
		joined = append(joined, more...)
		args = args[used:]
	}
	return joined
}

// joinSwitch returns the first of the arguments, a switch, with its value, and how many arguments they were.
func joinSwitch(args []string) (joined []string, used int) {
	if len(args) > 1 {
		value := strings.ToLower(args[1])
		if value == "true" || value == "false" {
			return []string{args[0] + "=" + value}, 2
		}
	}
	return []string{args[0] + "=true"}, 1
}

// joinNumber returns the first of the arguments, an option, with its value, which may look like an option,
// and how many arguments they were.
func joinNumber(args []string) (joined []string, used int) {
	if len(args) == 1 {
		return args, 1
	}
	value := args[1]
	used = 2
	for used < len(args) && negative.MatchString(value+args[used]) {
		value += args[used][1:]
		used++
	}
	return []string{args[0], value}, used
}

// List is an option for files that may be repeated, each time with one or several separated by
// commas. A comma in the name of a file that exists, or in a pattern that matches, does not
// separate.
type List []string

func (l *List) String() string { return strings.Join(*l, ",") }

// Type returns the type's name in the help.
func (l *List) Type() string { return "list" }

// Set appends the files of text.
func (l *List) Set(text string) error {
	for parts := strings.Split(text, ","); len(parts) > 0; {
		n := len(parts)
		for n > 1 && !exists(strings.Join(parts[:n], ",")) {
			n--
		}
		*l = append(*l, strings.Join(parts[:n], ","))
		parts = parts[n:]
	}
	return nil
}

// exists reports whether a file has the name, or matches the pattern.
func exists(name string) bool {
	if _, err := os.Lstat(name); err == nil {
		return true
	}
	found, err := filepath.Glob(name)
	return err == nil && len(found) > 0
}

// FloatOption adds an option for a number from lo to hi. A default outside of this range means
// that the option was not given.
func (a *Arguments) FloatOption(to *float64, name string, value, lo, hi float64, help string) {
	*to = value
	a.Var(&ranged[float64]{to, lo, hi, Number, "number"}, name, help)
}

// IntOption adds an option for a whole number from lo to hi.
func (a *Arguments) IntOption(to *int, name string, value, lo, hi int, help string) {
	*to = value
	a.Var(&ranged[int]{to, lo, hi, Whole, "integer"}, name, help)
}

// LengthOption adds an option for a length above 0, in metres; 0 means that it was not given.
func (a *Arguments) LengthOption(to *float64, name string, value float64, help string) {
	a.FloatOption(to, name, value, MinLength, MaxLength, help)
}

// ThreadsOption adds the option threads.
func (a *Arguments) ThreadsOption(to *int) {
	a.IntOption(to, "threads", 0, 0, MaxThreads, "threads; 0 = all")
}

// Number parses a number from lo to hi.
func Number(text string, lo, hi float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("give a number from %s to %s", decimal(lo), decimal(hi))
	}
	return v, nil
}

// decimal writes a number without an exponent.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Whole parses a whole number from lo to hi.
func Whole(text string, lo, hi int) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < lo || v > hi {
		return 0, fmt.Errorf("give a whole number from %d to %d", lo, hi)
	}
	return v, nil
}

// ranged is the value of an option in a range.
type ranged[T int | float64] struct {
	to     *T
	lo, hi T
	parse  func(text string, lo, hi T) (T, error)
	kind   string
}

func (r *ranged[T]) Set(text string) error {
	v, err := r.parse(text, r.lo, r.hi)
	if err == nil {
		*r.to = v
	}
	return err
}

func (r *ranged[T]) Type() string { return r.kind }

func (r *ranged[T]) String() string { return fmt.Sprint(*r.to) }
