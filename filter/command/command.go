// Package command holds the commands of `pdal superpoint`, which subcommands
// lists: what they are called, their options and their help. Packages survey,
// batch, compare and render do the work. A Host reads files; results go to its
// standard output or to a file, everything else to its log.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/memory"
)

// Host is what a command needs of the program that runs it.
type Host = host.Host

// Columns are the points of one file.
type Columns = host.Columns

// subcommand is one command and its line in the help.
type subcommand struct {
	name, line string
	run        func(host Host, args []string) error
	bytes      int // that it takes for a point of a file beside its columns, or −1 if the filter looks after that
}

// Bytes a point, rounded up, of 640,510 points of aerial lidar with superpoints
// of 100: resident memory at the peak without what pdal and the columns take.
const (
	infoBytes    = 60
	outlineBytes = 150
	tableBytes   = 120
	graphBytes   = 160
	meshBytes    = 280
	renderBytes  = 250
	byFilter     = -1
)

func subcommands() []subcommand {
	return []subcommand{
		{"segment", "superpoints of files and folders: the command to begin with", runSegment, byFilter},
		{"eval", "measure a model, or any id dimension, against true labels", runEval, byFilter},
		{"compare", "all methods on the same files: table, figures and a report", runCompare, byFilter},
		{"info", "what a model is, or what a file offers", runInfo, infoBytes},
		{"render", "a picture of a cloud: superpoints, embedding or any dimension", runRender, renderBytes},
		{"outline", "one polygon a superpoint, or a map of what is seen from above", runOutline, outlineBytes},
		{"mesh", "planar superpoints as triangles: STL", runMesh, meshBytes},
		{"table", "one row a superpoint: size, place, form, class, mean values", runTable, tableBytes},
		{"graph", "superpoints that touch: border, and how they differ", runGraph, graphBytes},
		{"tile", "a survey of any size: plan its tiles, and do one of them", runTile, byFilter},
		{"stitch", "join the tiles of a survey: ids that are unique in all of it", runStitch, byFilter},
	}
}

// roomyHost refuses files whose points leave the command no room.
type roomyHost struct {
	Host
	bytes int // a point
}

func (h roomyHost) Read(path string, dimensions []string) (*Columns, error) {
	c, err := h.Host.Read(path, dimensions)
	if err == nil && h.bytes > 0 {
		err = memory.Check(path, len(c.X), uint64(h.bytes)*uint64(len(c.X)))
	}
	return c, err
}

// withRoom returns the host with that check; a Converter stays one.
func withRoom(host Host, bytes int) Host {
	h := roomyHost{host, bytes}
	if c, ok := host.(Converter); ok {
		return struct {
			roomyHost
			Converter
		}{h, c}
	}
	return h
}

// Run runs one command: args[0] is its name, the rest its arguments.
func Run(host Host, args []string) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			return Run(host, []string{args[1], "-help"})
		}
		return help(host.Stdout())
	case "version", "-version", "--version":
		_, err := fmt.Fprintln(host.Stdout(), "superpoint", filter.Version)
		return err
	}
	for _, c := range subcommands() {
		if c.name != args[0] {
			continue
		}
		err := c.run(withRoom(host, c.bytes), args[1:])
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		return nil
	}
	var names []string
	for _, c := range subcommands() {
		names = append(names, c.name)
	}
	return fmt.Errorf("unknown command %q; the commands are %s, train", args[0], strings.Join(names, ", "))
}

func help(w io.Writer) error {
	var b strings.Builder
	b.WriteString("usage: pdal superpoint COMMAND [options] FILE…\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(&b, "  %-9s %s\n", c.name, c.line)
	}
	fmt.Fprintf(&b, "  %-9s %s\n\npdal superpoint COMMAND --help lists a command's options.\n", "train", "labelled files → a model")
	_, err := io.WriteString(w, b.String())
	return err
}
