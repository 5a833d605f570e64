// SPDX-License-Identifier: BSD-3-Clause

// Package commands is the list of the commands of `pdal superpoint`, and runs them. Each has a package with
// its options, help and work; package command has what they share.
package commands

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"superpoint/filter"
	"superpoint/filter/naming"
	"superpoint/pipelines/commands/classify"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/commands/info"
	mapcmd "superpoint/pipelines/commands/map"
	"superpoint/pipelines/commands/mesh"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/outline"
	"superpoint/pipelines/commands/render"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/commands/survey"
	"superpoint/pipelines/commands/table"
)

// list returns the commands in the order of help. To add one, add its package and a line.
func list() []command.Command {
	return []command.Command{
		segment.Command(),
		mapcmd.Command(),
		compare.Eval(),
		compare.Command(),
		info.Command(),
		render.Command(),
		outline.Command(),
		objects.Command(),
		mesh.Command(),
		table.Command(),
		table.Graph(),
		classify.Command(),
		classify.Propose(),
		survey.PlanCommand(),
		survey.RunCommand(),
	}
}

// Run runs one command: its name and its arguments.
func Run(host command.Host, args []string) error {
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
	for _, c := range list() {
		words := strings.Fields(c.Name)
		if len(args) < len(words) || !slices.Equal(args[:len(words)], words) {
			continue
		}
		return c.Run(host, args[len(words):])
	}
	return unknown(host, args)
}

// Described is a command as the pages describe it.
type Described struct {
	Name, Line string
	Options    []*pflag.Flag // without options of the stage
}

// Commands returns all commands.
func Commands() (all []Described) {
	for _, c := range list() {
		a, d := command.NewArguments(c.Name, nil), Described{Name: c.Name, Line: c.Line}
		c.Define(a)
		a.VisitAll(func(f *pflag.Flag) {
			if a.Stage[f.Name] == nil && f.Name != command.Quiet {
				d.Options = append(d.Options, f)
			}
		})
		all = append(all, d)
	}
	return all
}

// unknown prints the commands whose first word is args[0]; without any it is an error.
func unknown(host command.Host, args []string) error {
	var names, steps []string
	for _, c := range list() {
		names = append(names, c.Name)
		if strings.HasPrefix(c.Name, args[0]+" ") {
			steps = append(steps, c.Name)
		}
	}
	switch {
	case len(steps) == 0:
		names = append(names, command.TrainName, "version")
		return fmt.Errorf("unknown command %q%s; the commands are %s", args[0],
			naming.DidYouMean(args[0], names),
			strings.Join(names, ", "))
	case len(args) > 1 && args[1] != "--help" && args[1] != "-h":
		name := strings.Join(args[:2], " ")
		return fmt.Errorf("unknown command %q%s; see pdal superpoint %s --help", name,
			naming.DidYouMean(name, steps),
			args[0])
	}
	return help(host.Stdout(), args[0]+" ")
}

// help prints the commands whose names begin with group.
func help(w io.Writer, group string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "superpoint %s\n\nusage: pdal superpoint %sCOMMAND [options] FILE…\n\n",
		filter.Version, group)
	for _, c := range list() {
		if strings.HasPrefix(c.Name, group) {
			fmt.Fprintf(&b, "  %-13s  %s\n", c.Name, c.Line)
		}
	}
	if group == "" {
		fmt.Fprintf(&b, "  %-13s  %s\n", command.TrainName, "train a model on labelled files")
	}
	b.WriteString("\npdal superpoint COMMAND --help lists a command's options.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
