// SPDX-License-Identifier: BSD-3-Clause

// Package filter computes superpoints of point clouds: the neighbour search, the
// embedding and the partition of Landrieu and Boussaha 2019 ("Point cloud
// oversegmentation with graph-structured deep metric learning",
// doi:10.1109/CVPR.2019.00762), and the methods that the paper compares with.
//
// Coordinates are in the units of the host and are converted to metres (feet,
// degrees, see package georef). Ids start at 1, are dense, and continue from view to
// view; 0 means that a point was not processed. The same input and options give the
// same ids for any number of threads.
package filter

import (
	"superpoint/embed/classes"
	"superpoint/filter/device"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/filter/option"
)

//go:generate go run ../pipelines/tables

// Dimension describes one dimension of a point.
type Dimension struct {
	Name string // as PDAL spells it
	Type string // PDAL's name of the type: "uint8", "uint16", "uint32", "int32", "float", "double"
	Help string // one line for the user
}

// Description lists the dimensions that a filter reads and writes.
type Description struct {
	Required []Dimension // the view must have them; X, Y and Z are not listed
	Optional []Dimension // read if the view has them
	Outputs  []Dimension // written, in the order of Segmentation.Output
	Model    string      // chosen model; "" when the method needs none
}

// Filter segments the views of one pipeline. It is not safe for concurrent use.
type Filter struct {
	options    *option.Options
	log        message.Log
	classifier *classes.Model // nil without classes
	land       *land.Settings // nil without classes
	model      *models.Model  // nil until chosen, and for methods without embeddings
	next       uint32         // id of the next view's first superpoint
	record     record         // what Metadata returns

	device *device.Device
}

// Embedding identifies the embedding that the filter computes. It is empty without a learned model, and
// before the model is loaded.
func (f *Filter) Embedding() classes.Embedding { return f.model.Embedding() }

// Reach returns the distance in metres, along x and y, within which the embedding of a point reads other
// points; 0 if it reads neighbors only.
func (f *Filter) Reach(spacing float64) float64 { return f.model.Reach(spacing) }
