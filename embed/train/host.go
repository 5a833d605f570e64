package train

import (
	"context"
	"io"
)

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64            // metres
	Dimensions map[string][]float64 // every dimension that was asked for and that the file has
	Available  []string             // names of all dimensions of the file
}

// Host is what training needs of the program that runs it; training itself
// knows no file format.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. A
	// dimension the file lacks is left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log tells the user something.
	Log(text string)
	// Progress tells the fraction of a step that is done, in [0, 1].
	Progress(step string, fraction float64)
	// Stdout takes a command's result.
	Stdout() io.Writer
	// Context is cancelled when the user interrupts.
	Context() context.Context
}
