// SPDX-License-Identifier: BSD-3-Clause

// Package info is the command info: what models and point clouds hold.
package info

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter"
	"superpoint/filter/device"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/layers"
)

const infoUsage = `[options] [FILE…]

Without files: the version, the built-in models and classifiers, or the card of --model
or --classifier (built-in or a file), or with --licences what the models learned from. With
files, folders or virtual point clouds (.vpc): the dimensions, unit and point spacing of each
file, and the model that auto chooses for it.`

// Command is the command info.
func Command() command.Command {
	return command.Command{Name: "info", Line: "describe models, classifiers or files",
		Usage: infoUsage, Define: infoCommand, Bytes: 60}
}

func infoCommand(a *command.Arguments) func(names []string) error {
	model := a.String("model", "", "print the card of this `model`: a built-in one or a file")
	classifier := a.String("classes", "", "print the card of this `classifier`: a built-in one or a file")
	licences := a.Bool("licences", false,
		"print licences: of the data of built-in models, and of linked modules")
	return func(names []string) error {
		var b strings.Builder
		if *licences {
			describeLicences(&b)
		}
		if *classifier != "" {
			card, err := models.ClassesCardText(*classifier)
			if err != nil {
				return err
			}
			b.WriteString(card)
		}
		cards := *classifier != "" || *licences
		if len(names) == 0 && (!cards || *model != "") {
			if err := describeModels(&b, *model); err != nil {
				return err
			}
		}
		names, err := a.Clouds(names)
		if err != nil {
			return err
		}
		err = layers.EachFile(parallel.Run{Context: a.Host.Context(), Threads: 1}, names, func(k int) error {
			return describeFile(a.Host, &b, names[k], *model)
		})
		_, failed := io.WriteString(a.Host.Stdout(), b.String())
		return cmp.Or(err, failed)
	}
}

// describeLicences has the licences of data only: packages carry a file with the licences of modules.
func describeLicences(b *strings.Builder) {
	fmt.Fprintf(b,
		"superpoint %s: BSD-3-Clause\n\n%s\nThe library is linked of Go and these modules, whose licences "+
			"are in the file LICENCES of wheels and builds, and copyright of other packages:\n",
		filter.Version, embed.Data)
	build, _ := debug.ReadBuildInfo()
	if build == nil {
		return
	}
	for _, module := range build.Deps {
		fmt.Fprintf(b, "  %s %s\n", module.Path, module.Version)
	}
}

func describeModels(b *strings.Builder, name string) error {
	if name != "" {
		text, err := models.CardText(name)
		if err != nil {
			return err
		}
		b.WriteString(text)
		return nil
	}
	fmt.Fprintf(b,
		"superpoint %s\n%s\n\nbuilt-in models (pdal superpoint info --model NAME prints the card)\n",
		filter.Version, device.Describe())
	t := tabwriter.NewWriter(b, 2, 8, 2, ' ', 0)
	for _, n := range embed.Builtins() {
		m, err := embed.Builtin(n)
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "  %s\t%s\treads %s\n", n, m.Card.Description, strings.Join(m.Card.Requires(), " "))
	}
	fmt.Fprintf(t, "  geometric\thand-crafted features, no learning (Geom-graph)\treads X Y Z\n")
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(b, "\nbuilt-in classes (pdal superpoint info --classifier NAME prints the card)\n")
	for _, n := range classes.Builtins() {
		m, err := classes.Builtin(n)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "  %s  %s\n", n, m.Card.Description)
	}
	return nil
}

func describeFile(host command.Host, b *strings.Builder, path, name string) error {
	columns, err := host.Read(path, nil)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(b, 2, 8, 2, ' ', 0)
	line := func(key string, format string, values ...any) {
		fmt.Fprintf(t, "%s\t"+format+"\n", append([]any{key}, values...)...)
	}
	line("file", "%s", path)
	line("points", "%d", len(columns.X))
	line("dimensions", "%s", strings.Join(columns.Available, " "))
	line("unit", "%s", command.Remedy(columns.Reference.Local(columns.Y, nil).Describe()))
	if _, _, err := columns.Reference.Unit(); err == nil && len(columns.X) > 0 {
		w, err := workspace.New(steps.Run{Context: host.Context(), Step: host.Progress},
			columns.View(), 4, 0,
			func(int, string) {})
		if err != nil {
			return err
		}
		s := w.Spacing()
		line("spacing", "%.3g m (%.3g points per square metre of surface)", s, 1/(s*s))
	}
	f, err := filter.New(&option.Options{Model: name}, func(int, string) {})
	if err != nil {
		return err
	}
	d, err := f.Describe(columns.Available)
	if err != nil {
		return err
	}
	line("model", "%s", d.Model)
	var outputs []string
	for _, o := range d.Outputs {
		outputs = append(outputs, o.Name)
	}
	line("writes", "%s", strings.Join(outputs, " "))
	return t.Flush()
}
