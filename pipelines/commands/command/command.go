// SPDX-License-Identifier: BSD-3-Clause

// Package command has what the commands of `pdal superpoint` share: their names, options and help, and the
// Host, which reads files. Each command is a package beside this one. Results are written to the standard
// output of the host or to files, messages to its log.
package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/sources"
)

// TrainName is the name of a command that only the library with training has.
const TrainName = "train"

// Command is one command.
type Command struct {
	Name   string // one or two words
	Line   string // summary, for the list of commands
	Usage  string // its arguments, an empty line, and the help
	Define Define
	// Bytes is the memory per point of a file, without its columns and without pdal: the peak, rounded up,
	// measured on 640,510 points of aerial lidar with superpoints of 100 points. ByFilter: the filter checks
	// it.
	Bytes int
}

// ByFilter says that the filter checks the memory.
const ByFilter = -1

// Define adds the options of a command and returns the function that runs it with the
// positional arguments.
type Define func(a *Arguments) (run func(names []string) error)

// Run runs a command; its errors have its name, and the remedies of commands.
func (c *Command) Run(host Host, args []string) error {
	if err := c.execute(host, args); err != nil {
		return fmt.Errorf("%s: %w", c.Name, Error{Err: err})
	}
	return nil
}

func (c *Command) execute(host Host, args []string) error {
	a := NewArguments(c.Name, nil)
	checked := &checkedHost{Host: host, bytes: c.Bytes, args: a}
	defer checked.logRepeats()
	a.Host = checked
	a.Files.Context = host.Context()
	run := c.Define(a)
	names, err := parse(a.FlagSet, args)
	if text := help(a.FlagSet, c.Usage, err); text != "" {
		_, err := io.WriteString(host.Stdout(), text)
		return err
	}
	if err != nil {
		return err
	}
	if model := a.Stage["model"]; model != nil {
		a.Files.Input(model.Value)
	}
	for _, name := range a.Reads {
		a.Files.Input(a.Lookup(name).Value.String())
	}
	if err := run(names); err != nil {
		return err
	}
	for _, path := range a.Files.Written() {
		info, err := os.Stat(path)
		if _, again := a.named.Load(path); again || err != nil {
			continue
		}
		a.Host.Log(message.Info, fmt.Sprintf("%s: %s", path, message.Count((info.Size()+1023)/1024,
			"kilobyte")))
	}
	return nil
}

// Host is the interface of the program that runs a command.
type Host = host.Host

// Columns are the points of one file.
type Columns = host.Columns

// References are options of all commands that replace the spatial references of files.
type References = host.References

// Raster is what a raster file says of itself.
type Raster = host.Raster

// Cells are a rectangle of cells of a raster.
type Cells = host.Cells

// checkedHost fails to read files that PDAL would not read as they are (sources.Inspect), pictures, and files
// for which the command has not enough memory. Points without finite coordinates are left out, with a
// warning.
type checkedHost struct {
	Host
	bytes  int // of memory per point
	args   *Arguments
	warned sync.Map // warnings that were given
	same   repeats
	steps  clock
}

// Read implements Host. A file that changed while it was read is read again; one that was read before must be
// the same.
func (h *checkedHost) Read(path string, dimensions []string) (c *Columns, err error) {
	read := func() error {
		c, err = h.read(path, dimensions)
		return err
	}
	if err = sources.CheckCloud(path); err == nil && atomicfile.IsTemporary(path) {
		err = read()
	} else if err == nil {
		err = h.args.Pinned.Read(path, read)
	}
	if err != nil {
		return nil, message.File(path, err)
	}
	if h.bytes > 0 {
		err = memory.Check(path, len(c.X), float64(h.bytes))
	}
	return c, err
}

func (h *checkedHost) read(path string, dimensions []string) (*Columns, error) {
	points, err := sources.Inspect(path)
	if err != nil {
		return nil, err
	}
	c, err := h.Host.Read(path, dimensions)
	if err == nil {
		c.Reference, _, err = h.args.References.Of(h, c.Reference)
	}
	if err != nil {
		return c, err
	}
	if err := sources.CheckCount(int64(len(c.X)), points); err != nil {
		return nil, err
	}
	if lost := c.Usable(); lost > 0 {
		h.Log(message.Warning, fmt.Sprintf("%s: %s without finite coordinates left out", path,
			message.Count(lost, "point")))
	}
	return c, nil
}

// Remedy replaces the words of pipelines in messages, such as options of readers, by words for commands.
func Remedy(text string) string {
	return strings.NewReplacer(georef.Override, "--override_srs", georef.Default, "--default_srs",
		"the view has", "the file has", "the view is", "the file is", "the view reaches", "the file reaches",
		"of the view", "of the file", "option "+classesOption+":",
		"option "+classifierOption+":").Replace(text)
}

// Error replaces the remedy for pipelines in an error by the remedy for commands.
type Error struct{ Err error }

func (e Error) Error() string { return Remedy(e.Err.Error()) }
func (e Error) Unwrap() error { return e.Err }

// Log implements Host. It gives a message once, not for each tile of a survey or step of a command, and a
// warning of many files with the first: the others are messages of level debug, and counted at the end.
func (h *checkedHost) Log(level int, text string) {
	text = Remedy(text)
	if level == message.Warning || level == message.Info {
		if _, again := h.warned.LoadOrStore(text, true); again {
			return
		}
		h.args.name(text)
	}
	if file, said := aboutFile(text); level == message.Warning && file != "" && !h.same.first(file, said) {
		level = message.Debug
	}
	if level == message.Info && h.args.quiet {
		return
	}
	h.Host.Log(level, text)
}

// logRepeats logs how many further files have warnings of the first ones.
func (h *checkedHost) logRepeats() {
	for _, text := range h.same.lines() {
		h.Host.Log(message.Warning, text)
	}
}

// Progress implements Host.
func (h *checkedHost) Progress(step string, fraction float64) {
	if !h.args.quiet {
		h.Host.Progress(step+h.steps.left(step, fraction), fraction)
	}
}
