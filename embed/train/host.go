// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"context"
	"errors"
	"io"

	"superpoint/embed"
)

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64            // metres
	Dimensions map[string][]float64 // every dimension that was asked for and that the file has
	Available  []string             // names of all dimensions of the file
}

// Host has what training needs from the program that runs it; training itself reads no
// file format.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. A
	// dimension the file lacks is left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log prints a message to the user.
	Log(text string)
	// Progress reports the fraction of a step that is done, in [0, 1].
	Progress(step string, fraction float64)
	// Context is cancelled when the user interrupts.
	Context() context.Context
}

// Options are the inputs and outputs of one training run.
type Options struct {
	Inputs, Validation []string // files that the host reads
	Truth              string   // dimension with class codes
	Instances          string   // dimension with object numbers for all files, or ""
	Recipe             *Recipe
	Resume             io.Reader // checkpoint to continue from, or nil
	Seed               uint64
	Threads            int
	SkipBad            bool         // a file that cannot be used is named and left out, not fatal
	Base               *embed.Model // to start from, or nil
	Command            string       // for the card

	Model, Checkpoint, Table Output // model file; state and loss after every epoch: gob, CSV
}

// Output replaces an output by what body writes, if body returns no error.
type Output func(body func(w io.Writer) error) error

// ErrCheckpoint is the error for a checkpoint that cannot be continued from.
var ErrCheckpoint = errors.New("not a checkpoint of this recipe, seed and list of files")
