// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
)

// A pump is the host of commands. Calls that the host lacks have an answer without it, or an error.
var _ command.Host = (*pump)(nil)

// Log sends a message to the host.
func (p *pump) Log(level int, text string) {
	if p.host.log != nil {
		p.send(func() { p.host.log(level, text) })
	}
}

// report is a finished share of a step.
type report struct {
	step    string
	percent uint64
}

// Progress sends integer percentages to the host. If calls are waiting, those below 100 are dropped.
func (p *pump) Progress(step string, fraction float64) {
	if p.host.progress == nil || math.IsNaN(fraction) {
		return
	}
	percent := uint64(100 * min(max(fraction, 0), 1))
	now := report{step, percent}
	if p.reported.Swap(now) == now {
		return
	}
	call := func() { p.host.progress(step, float64(percent)/100) }
	if percent == 100 {
		p.send(call)
	} else {
		p.offer(call)
	}
}

// Read reads points of a file by the host.
func (p *pump) Read(path string, dimensions []string) (*command.Columns, error) {
	if p.host.read == nil {
		return nil, fmt.Errorf("%s: this host cannot read files", path)
	}
	if _, _, err := las.Points(path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var columns *command.Columns
	err := pdalprocess.Readable(path, func(readable string) (err error) {
		columns, err = ask(p, path, func() (*command.Columns, error) {
			return p.host.read(readable, dimensions)
		})
		return err
	})
	return columns, err
}

// errNoGDAL is the error of a host without GDAL.
var errNoGDAL = errors.New("this program has no GDAL")

// Convert converts a vector file by the host's GDAL.
func (p *pump) Convert(from, to string, arguments ...string) error {
	if p.host.convert == nil {
		return errNoGDAL
	}
	return p.request(to, func() error { return p.host.convert(from, to, arguments) })
}

// WriteRaster writes a raster by the host's GDAL.
func (p *pump) WriteRaster(path string, head command.Raster, values []float32) error {
	if p.host.writeRaster == nil {
		return errNoGDAL
	}
	return p.request(path, func() error { return p.host.writeRaster(path, head, values) })
}

// ReadRaster reads rows of a raster by the host's GDAL.
func (p *pump) ReadRaster(path string, first int, values []float32) (command.Raster, error) {
	if p.host.readRaster == nil {
		return command.Raster{}, errNoGDAL
	}
	return ask(p, path, func() (command.Raster, error) { return p.host.readRaster(path, first, values) })
}

// Reference describes a spatial reference by the host's PROJ.
func (p *pump) Reference(text string) (georef.Reference, error) {
	if p.host.describe == nil || text == "" {
		return georef.Reference{WKT: text}, nil
	}
	return ask(p, "spatial reference", func() (georef.Reference, error) {
		return p.host.describe(text), nil
	})
}

// Same compares two spatial references by the host's PROJ, if their texts leave it open.
func (p *pump) Same(a, b georef.Reference) (bool, error) {
	if p.host.same == nil || a.WKT == "" || b.WKT == "" {
		return a.Same(b), nil
	}
	if a.WKT == b.WKT || !a.SameHeights(b) {
		return a.WKT == b.WKT, nil
	}
	return ask(p, "spatial reference", func() (bool, error) { return p.host.same(a.WKT, b.WKT), nil })
}

// Stdout receives a command's result.
func (p *pump) Stdout() io.Writer { return p.out }

// Context ends with the call.
func (p *pump) Context() context.Context { return p.ctx }
