// SPDX-License-Identifier: BSD-3-Clause

// Package command implements the commands of `pdal superpoint`: their names, options and
// help; packages survey, batch, compare and render do the computations. A Host reads
// files. Results are written to its standard output or to files, messages to its log.
package command

import (
	"fmt"
	"io"
	"os"

	"superpoint/filter"
	"superpoint/filter/message"
)

// TrainName is the name of a command that only the library with training has.
const TrainName = "train"

// Command is one command.
type Command struct {
	Name   string // one or two words
	Line   string // summary, for the list of commands
	Usage  string // its arguments, an empty line, and the help
	Define Define
	// Bytes is the memory per point of a file, without its columns and that of pdal: the peak, rounded up, measured
	// on 640,510 points of aerial lidar with superpoints of 100 points. ByFilter: the filter checks it.
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
	said := &checkedHost{Host: host, bytes: c.Bytes, args: a}
	a.Host = said
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
		if _, again := said.named.Load(path); again || err != nil {
			continue
		}
		a.Host.Log(filter.LogInfo, fmt.Sprintf("%s: %s", path, message.Count((info.Size()+1023)/1024, "kilobyte")))
	}
	return nil
}
