// Package command holds the commands of `pdal superpoint`: eval, compare,
// info and render. It knows no file format: a Host reads files.
package command

import (
	"context"
	"fmt"
	"io"

	"superpoint/filter"
)

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64
	Dimensions map[string][]float64 // every dimension that was asked for and that the file has
	Available  []string             // names of all dimensions of the file
	Reference  filter.Reference
}

// Host is what a command needs of the program that runs it.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. A
	// dimension the file lacks is left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log tells the user something; levels are those of package filter.
	Log(level int, text string)
	// Progress tells the fraction of a step that is done, in [0, 1].
	Progress(step string, fraction float64)
	// Stdout takes a command's result.
	Stdout() io.Writer
	// Context is cancelled when the user interrupts.
	Context() context.Context
}

// Run runs one command: args[0] is its name, the rest its arguments.
func Run(host Host, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name a command")
	}
	return fmt.Errorf("unknown command %q", args[0])
}
