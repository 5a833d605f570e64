// Package command implements the commands of `pdal superpoint`: their names, options and
// help; packages survey, batch, compare and render do the computations. A Host reads
// files. Results are written to its standard output or to files, messages to its log.
package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/embed/cli"
	"superpoint/filter"
)

// trainName is the name of a command that only the library with training has.
const trainName = "train"

// subcommand is one command.
type subcommand struct {
	name   string // one or two words
	line   string // summary, for the list of commands
	usage  string // its arguments, an empty line, and the help
	define define
	bytes  int // memory per point of a file, without its columns; −1 if the filter checks memory
}

// define adds the options of a command and returns the function that runs it with the
// positional arguments.
type define func(a *arguments) (run func(names []string) error)

// Peak resident memory in bytes per point, rounded up, without that of pdal and the
// columns: measured on 640,510 points of aerial lidar with superpoints of 100 points.
const (
	infoBytes     = 60
	outlineBytes  = 150
	objectsBytes  = 150
	tableBytes    = 120
	graphBytes    = 160
	meshBytes     = 280
	renderBytes   = 250
	classifyBytes = 500
	byFilter      = -1
)

// subcommands returns the commands. To add one, add a line, and a file with its
// functions.
func subcommands() []subcommand {
	return []subcommand{
		{"segment", "superpoints of files and folders; start here", segmentUsage, segmentCommand, byFilter},
		{"map", "classes, objects, terrain and a report from raw tiles", mapUsage, mapCommand, objectsBytes},
		{"eval", "measure a model, or any id dimension, against true labels", evalUsage, evalCommand, byFilter},
		{"compare", "all methods on the same files: table, figures and a report", compareUsage, compareCommand, byFilter},
		{"info", "describe models, classifiers or files", infoUsage, infoCommand, infoBytes},
		{"render", "picture of a cloud: superpoints, embedding or any dimension", renderUsage, renderCommand, renderBytes},
		{"outline", "one polygon per superpoint, or a map of the view from above", outlineUsage, outlineCommand,
			outlineBytes},
		{"objects", "buildings and trees of classified superpoints, as polygons and points", objectsUsage, objectsCommand,
			objectsBytes},
		{"mesh", "planar superpoints as triangles: STL", meshUsage, meshCommand, meshBytes},
		{"table", "one row per superpoint: size, position, shape, class, means", tableUsage, tableCommand, tableBytes},
		{"graph", "adjacent superpoints: border length and differences", graphUsage, graphCommand, graphBytes},
		{"classify", "classes of a cloud from the labels of a few superpoints", classifyUsage, classifyCommand,
			classifyBytes},
		{"propose", "superpoints to label next", proposeUsage, proposeCommand, classifyBytes},
		{"survey plan", "plan the tiles of a survey of any size", surveyPlanUsage, surveyPlan, byFilter},
		{"survey run", "run all unfinished steps of a survey, or one step", surveyRunUsage(), surveyRun, byFilter},
	}
}

// Run runs one command: its name and its arguments.
func Run(host Host, args []string) error {
	if len(args) == 0 || slices.Contains([]string{"help", "-h", "--help"}, args[0]) {
		if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
			return Run(host, append(slices.Clone(args[1:]), "--help"))
		}
		return help(host.Stdout(), "")
	}
	if args[0] == "version" {
		_, err := fmt.Fprintln(host.Stdout(), "superpoint", filter.Version)
		return err
	}
	for _, c := range subcommands() {
		words := strings.Fields(c.name)
		if len(args) < len(words) || !slices.Equal(args[:len(words)], words) {
			continue
		}
		return c.run(host, args[len(words):])
	}
	return unknown(host, args)
}

// run runs a command; its errors have its name, and the remedies of commands.
func (c *subcommand) run(host Host, args []string) error {
	if err := c.execute(host, args); err != nil {
		return fmt.Errorf("%s: %w", c.name, commandError{err})
	}
	return nil
}

func (c *subcommand) execute(host Host, args []string) error {
	a := newArguments(c.name, nil)
	a.host = checked(host, c.bytes, func() bool {
		return a.stage["graph"] != nil && a.stage["graph"].value == filter.GraphGrid
	})
	a.files.Context = host.Context()
	run := c.define(a)
	names, err := cli.Parse(a.FlagSet, args)
	if text := cli.Help(a.FlagSet, c.usage, err); text != "" {
		_, err := io.WriteString(host.Stdout(), text)
		return err
	}
	if err != nil {
		return err
	}
	if model := a.stage["model"]; model != nil {
		a.files.Input(model.value)
	}
	for _, name := range a.reads {
		a.files.Input(a.Lookup(name).Value.String())
	}
	return run(names)
}

// Described is a command as the pages describe it.
type Described struct {
	Name, Line string
	Options    []*pflag.Flag // without those of the stage
}

// Commands returns all commands.
func Commands() (all []Described) {
	for _, c := range subcommands() {
		a, d := newArguments(c.name, nil), Described{Name: c.name, Line: c.line}
		c.define(a)
		a.VisitAll(func(f *pflag.Flag) {
			if a.stage[f.Name] == nil {
				d.Options = append(d.Options, f)
			}
		})
		all = append(all, d)
	}
	return all
}

// unknown prints the commands whose first word is args[0]; without any it is an error.
func unknown(host Host, args []string) error {
	var names, steps []string
	for _, c := range subcommands() {
		names = append(names, c.name)
		if strings.HasPrefix(c.name, args[0]+" ") {
			steps = append(steps, c.name)
		}
	}
	switch {
	case len(steps) == 0:
		names = append(names, trainName, "version")
		return fmt.Errorf("unknown command %q%s; the commands are %s", args[0], cli.DidYouMean(args[0], names),
			strings.Join(names, ", "))
	case len(args) > 1 && args[1] != "--help" && args[1] != "-h":
		name := strings.Join(args[:2], " ")
		return fmt.Errorf("unknown command %q%s; see pdal superpoint %s --help", name, cli.DidYouMean(name, steps), args[0])
	}
	return help(host.Stdout(), args[0]+" ")
}

// help prints the commands whose names begin with group.
func help(w io.Writer, group string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "superpoint %s\n\nusage: pdal superpoint %sCOMMAND [options] FILE…\n\n", filter.Version, group)
	for _, c := range subcommands() {
		if strings.HasPrefix(c.name, group) {
			fmt.Fprintf(&b, "  %-13s  %s\n", c.name, c.line)
		}
	}
	if group == "" {
		fmt.Fprintf(&b, "  %-13s  %s\n", trainName, "train a model on labelled files")
	}
	b.WriteString("\npdal superpoint COMMAND --help lists a command's options.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
