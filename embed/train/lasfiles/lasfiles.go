// Package lasfiles lets training read uncompressed LAS files without PDAL: for
// tests, and for development where no plugin is built.
package lasfiles

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"superpoint/embed/train"
	"superpoint/testdata/las"
)

// Host reads LAS files and prints to standard output and standard error.
type Host struct {
	Ctx context.Context
	Out io.Writer // results
	Err io.Writer // what happens, one line each
}

// New returns a host on the process's own streams.
func New(ctx context.Context) *Host { return &Host{ctx, os.Stdout, os.Stderr} }

// Read implements train.Host.
func (h *Host) Read(path string, dimensions []string) (*train.Columns, error) {
	p, err := las.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &train.Columns{X: p.X, Y: p.Y, Z: p.Z, Dimensions: map[string][]float64{}}
	add := func(name string, values []float64) {
		if values == nil {
			return
		}
		c.Available = append(c.Available, name)
		if slices.Contains(dimensions, name) {
			c.Dimensions[name] = values
		}
	}
	add("Intensity", float(p.Intensity))
	add("ReturnNumber", float(p.ReturnNumber))
	add("NumberOfReturns", float(p.NumberOfReturns))
	add("Classification", float(p.Classification))
	add("PointSourceId", float(p.PointSourceID))
	add("Red", float(p.Red))
	add("Green", float(p.Green))
	add("Blue", float(p.Blue))
	for name, values := range p.Extra {
		add(name, values)
	}
	slices.Sort(c.Available)
	return c, nil
}

func float[T uint8 | uint16](x []T) []float64 {
	if x == nil {
		return nil
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// Log implements train.Host.
func (h *Host) Log(text string) { fmt.Fprintln(h.Err, text) }

// Progress implements train.Host; a log needs none.
func (h *Host) Progress(string, float64) {}

// Stdout implements train.Host.
func (h *Host) Stdout() io.Writer { return h.Out }

// Context implements train.Host.
func (h *Host) Context() context.Context { return h.Ctx }
