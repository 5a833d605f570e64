// Package command holds the commands of `pdal superpoint`, which subcommands
// lists: what they are called, their options and their help. Packages survey,
// batch, compare and render do the work. A Host reads files; results go to its
// standard output or to a file, everything else to its log.
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

// trainName is the command that only the library with training has.
const trainName = "train"

// subcommand is one command.
type subcommand struct {
	name   string // a word, or two
	line   string // what it does, for the list of commands
	usage  string // its arguments, and below an empty line what it does
	define define
	bytes  int // that it takes for a point of a file beside its columns, or −1 if the filter looks after that
}

// define adds the options of a command and returns what runs it with the names that
// are no options, once the options are read.
type define func(a *arguments) (run func(names []string) error)

// Bytes a point, rounded up, of 640,510 points of aerial lidar with superpoints
// of 100: resident memory at the peak without what pdal and the columns take.
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

// subcommands lists the commands: to add one, add a line, and a file with what it
// names.
func subcommands() []subcommand {
	return []subcommand{
		{"segment", "superpoints of files and folders: the command to begin with", segmentUsage, segmentCommand, byFilter},
		{"map", "from raw tiles to classes, objects, terrain and a report in one folder", mapUsage, mapCommand, objectsBytes},
		{"eval", "measure a model, or any id dimension, against true labels", evalUsage, evalCommand, byFilter},
		{"compare", "all methods on the same files: table, figures and a report", compareUsage, compareCommand, byFilter},
		{"info", "what a model is, or what a file offers", infoUsage, infoCommand, infoBytes},
		{"render", "a picture of a cloud: superpoints, embedding or any dimension", renderUsage, renderCommand, renderBytes},
		{"outline", "one polygon a superpoint, or a map of what is seen from above", outlineUsage, outlineCommand,
			outlineBytes},
		{"objects", "buildings and trees of classified superpoints, as polygons and points", objectsUsage, objectsCommand,
			objectsBytes},
		{"mesh", "planar superpoints as triangles: STL", meshUsage, meshCommand, meshBytes},
		{"table", "one row a superpoint: size, place, form, class, mean values", tableUsage, tableCommand, tableBytes},
		{"graph", "superpoints that touch: border, and how they differ", graphUsage, graphCommand, graphBytes},
		{"classify", "classes of a cloud from the labels of a few superpoints", classifyUsage, classifyCommand,
			classifyBytes},
		{"propose", "the superpoints whose label helps most, to label next", proposeUsage, proposeCommand, classifyBytes},
		{"survey plan", "a survey of any size: plan its tiles", surveyPlanUsage, surveyPlan, byFilter},
		{"survey run", "do all steps that are not done yet, or one", surveyRunUsage(), surveyRun, byFilter},
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
		if err := c.execute(withRoom(host, c.bytes), args[len(words):]); err != nil {
			return fmt.Errorf("%s: %w", c.name, remedied{err})
		}
		return nil
	}
	return unknown(host, args)
}

func (c *subcommand) execute(host Host, args []string) error {
	a := newArguments(c.name, host)
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

// Described is what pages say of a command.
type Described struct {
	Name, Line string
	Usage      string        // its arguments, and below an empty line what it does
	Options    []*pflag.Flag // without those of the stage
}

// Commands describes every command.
func Commands() (all []Described) {
	for _, c := range subcommands() {
		a, d := newArguments(c.name, nil), Described{Name: c.name, Line: c.line, Usage: c.usage}
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

// unknown lists the commands that begin with the first word, or is an error.
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

// help lists the commands whose names begin so.
func help(w io.Writer, group string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "superpoint %s\n\nusage: pdal superpoint %sCOMMAND [options] FILE…\n\n", filter.Version, group)
	for _, c := range subcommands() {
		if strings.HasPrefix(c.name, group) {
			fmt.Fprintf(&b, "  %-13s  %s\n", c.name, c.line)
		}
	}
	if group == "" {
		fmt.Fprintf(&b, "  %-13s  %s\n", trainName, "labelled files → a model")
	}
	b.WriteString("\npdal superpoint COMMAND --help lists a command's options.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
