// SPDX-License-Identifier: BSD-3-Clause

// Package host has the interface of the program that runs commands: it reads files, receives
// results and messages, and can be interrupted.
package host

import (
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/naming"
)

// Columns are the points of one file.
type Columns struct {
	X, Y, Z    []float64
	Dimensions map[string][]float64 // requested dimensions that the file has
	Available  []string             // names of all dimensions of the file
	Reference  georef.Reference
}

// Usable removes the points without finite coordinates and returns their number.
func (c *Columns) Usable() (removed int) {
	v := c.View()
	usable := v.Usable()
	if usable == nil {
		return 0
	}
	removed = v.Len() - len(usable)
	*c = *c.Part(usable)
	return removed
}

// Embedding returns the embedding of the points, number of points × dim, row major. rows is empty and
// found is 0 unless all its dimensions are there.
func (c *Columns) Embedding(dim int) (rows []float32, found int) {
	rows = make([]float32, len(c.X)*dim)
	for k, name := range naming.Embedding(dim) {
		values := c.Dimensions[name]
		if values == nil {
			return nil, 0
		}
		for i, v := range values {
			rows[i*dim+k] = float32(v)
		}
	}
	return rows, dim
}

// Part returns the points with the given indices, ascending; c itself if they are all.
func (c *Columns) Part(points []int32) *Columns {
	if len(points) == len(c.X) {
		return c
	}
	v := c.View().Part(points)
	return &Columns{X: v.X, Y: v.Y, Z: v.Z, Dimensions: v.Dimensions, Available: c.Available,
		Reference: c.Reference}
}

// View returns the points as input of the filter.
func (c *Columns) View() *cloud.View {
	return &cloud.View{X: c.X, Y: c.Y, Z: c.Z, Dimensions: c.Dimensions, Reference: c.Reference}
}

// Host is the program that runs a command.
type Host interface {
	// Read reads X, Y, Z and the named dimensions of a point cloud file. Missing
	// dimensions are left out.
	Read(path string, dimensions []string) (*Columns, error)
	// Log prints a message to the user; package filter defines the levels.
	Log(level int, text string)
	// Progress reports the finished fraction of a step, in [0, 1].
	Progress(step string, fraction float64)
	// Stdout receives the result of a command.
	Stdout() io.Writer
	// Context is cancelled when the user interrupts.
	Context() context.Context
	// Reference describes a spatial reference in any notation that the program knows.
	Reference(text string) (georef.Reference, error)
	// Same reports whether two spatial references are the same, in whatever notation.
	Same(a, b georef.Reference) (bool, error)
	// Convert writes a GeoJSON file in another format by GDAL, with the arguments of
	// ogr2ogr. If from is "", it only checks that GDAL can write such a file.
	Convert(from, to string, arguments ...string) error
	// WriteRaster writes a cloud-optimised GeoTIFF by GDAL.
	WriteRaster(path string, head Raster, values []float32) error
	// ReadRaster reads by GDAL the header of a raster file and, into values, rows from first on; no rows
	// if values is empty. Cells without a value are NaN.
	ReadRaster(path string, first int, values []float32) (Raster, error)
}

// Raster is the header of a raster file with one band.
type Raster struct {
	Columns     int
	Rows        int // from the north
	West        float64
	North       float64
	Width       float64 // of a cell
	Height      float64
	NoData      float64 // the value of cells without one; NaN in a file that states none
	Reference   string  // in any notation; "": there is none
	Unit        string  // of values
	Description string  // of the band
	Layout      string  // of a file that is read: "COG" if it is cloud-optimised
	Overviews   int     // number, of a file that is read
	// Held are rectangles of a raster that is written, X from the west and Y from the north. Cells in none of
	// them have no value.
	Held []Cells
}

// Cells are a rectangle of cells of a raster.
type Cells struct {
	image.Rectangle
	First  int // index of the value of the first cell
	Stride int // between the values of the first cells of two rows
}

// Left returns how long the rest of a job takes at its speed so far, as in ", 12 min left". done
// and all are amounts of work in any unit. It returns "" before any work is done, and after all.
func Left(elapsed time.Duration, done, all int64) string {
	if done <= 0 || done >= all {
		return ""
	}
	left := time.Duration(float64(elapsed) * (float64(all)/float64(done) - 1))
	switch {
	case left < 90*time.Second:
		return fmt.Sprintf(", %.0f s left", math.Ceil(left.Seconds()))
	case left < 90*time.Minute:
		return fmt.Sprintf(", %.0f min left", left.Minutes())
	}
	return fmt.Sprintf(", %.1f h left", left.Hours())
}
