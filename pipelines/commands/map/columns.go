// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"math"
	"os"

	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/segment"
	"superpoint/pipelines/files/las"
)

// columnsHost is a host that reads the columns of results that were made in this run, in place of the
// results.
type columnsHost struct {
	command.Host
	args    *command.Arguments
	columns *segment.Columns
	bytes   int // of memory per point
}

// Read implements Host. Columns are read once, and removed.
func (h columnsHost) Read(path string, dimensions []string) (c *command.Columns, err error) {
	columns := h.columns.Of(path)
	if columns == "" {
		return h.Host.Read(path, dimensions)
	}
	defer os.Remove(columns)
	err = h.args.Pinned.Read(path, func() (err error) {
		c, err = h.read(path, columns, dimensions)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return h.Host.Read(path, dimensions)
	}
	return c, memory.Check(path, len(c.X), float64(h.bytes))
}

// read returns what Host.Read would return for a result; nil if its columns do not have all of that, or are
// not the columns of its points.
func (h columnsHost) read(path, columns string, dimensions []string) (*command.Columns, error) {
	result, err := las.Read(path)
	if err != nil {
		return nil, err
	}
	l, err := las.Read(columns)
	if err != nil || l.Count == 0 || l.Count != result.Count || !result.HasOnlyWKT() {
		return nil, err
	}
	at, values, err := l.Columns(dimensions)
	if err != nil {
		return nil, err
	}
	if !areOf(result, at) {
		return nil, nil
	}
	c := &command.Columns{X: at[0], Y: at[1], Z: at[2], Dimensions: map[string][]float64{}}
	for k, name := range dimensions {
		if values[k] == nil {
			return nil, nil
		}
		c.Dimensions[name] = values[k]
	}
	stated := georef.Reference{}
	if wkt := result.WKT(); wkt != "" {
		if stated, err = h.Reference(wkt); err != nil {
			return nil, err
		}
	}
	c.Reference, _, err = h.args.References.Of(h, stated)
	return c, err
}

// areOf reports whether coordinates have the bounds in the header of a file, which PDAL computed when it
// wrote its points.
func areOf(l *las.File, at [3][]float64) bool {
	least, most := l.Bounds()
	for axis, values := range at {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
		step := math.Abs(l.Scale[axis]) / 2
		if !(math.Abs(low-least[axis]) <= step && math.Abs(high-most[axis]) <= step) {
			return false
		}
	}
	return true
}
