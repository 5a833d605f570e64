// Package host says what commands need of the program that runs them: it reads
// files, takes results and messages, and can be interrupted.
package host

import (
	"context"
	"io"

	"superpoint/filter"
	"superpoint/filter/georef"
)

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64
	Dimensions map[string][]float64 // every dimension that was asked for and that the file has
	Available  []string             // names of all dimensions of the file
	Reference  georef.Reference
}

// View returns the points as the filter takes them.
func (c *Columns) View() *filter.View {
	return &filter.View{X: c.X, Y: c.Y, Z: c.Z, Dimensions: c.Dimensions, Reference: c.Reference}
}

// Host is what a command needs of the program that runs it.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. A
	// dimension the file lacks is left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log prints a message to the user; levels are those of package filter.
	Log(level int, text string)
	// Progress reports the fraction of a step that is done, in [0, 1].
	Progress(step string, fraction float64)
	// Stdout takes a command's result.
	Stdout() io.Writer
	// Context is cancelled when the user interrupts.
	Context() context.Context
}
