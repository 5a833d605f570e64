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
	"context"
	"runtime"

	"superpoint/embed/classes"
	"superpoint/filter/device"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/partition/base/parallel"
)

// Levels of log messages, numbered as in PDAL.
const (
	LogError   = message.Error
	LogWarning = message.Warning
	LogInfo    = message.Info
	LogDebug   = message.Debug
)

// Log receives messages for the user, from any goroutine.
type Log = message.Log

// Steps returns the names of the steps of a segmentation, in the order in which
// Run.Step reports them. Steps that a method does not have are not reported.
func Steps() []string {
	return []string{stepNeighbors, stepEmbedding, stepGraph, stepPartition, stepOutput}
}

const (
	stepNeighbors = "neighbors"
	stepEmbedding = "embedding"
	stepGraph     = "graph"
	stepPartition = "partition"
	stepOutput    = "output"
)

// Run has the context and the progress callback of a segmentation. The zero value
// cannot be cancelled and reports nothing. The number of threads is an option.
type Run struct {
	Context context.Context                     // cancels between blocks; nil means never
	Step    func(step string, fraction float64) // progress in [0, 1] of a step; may be called from any goroutine
}

// maxWorkers limits the option threads. More workers only need memory, and Go ends
// the process if the system refuses a thread.
var maxWorkers = max(8, 2*runtime.NumCPU())

// parallel returns the run of one step with the given number of threads.
func (r Run) parallel(step string, threads int) parallel.Run {
	run := parallel.Run{Context: r.Context, Threads: min(threads, maxWorkers)}
	if r.Step != nil {
		run.Report = func(fraction float64) { r.Step(step, fraction) }
	}
	return run
}

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

// Err returns the reason the run was cancelled, or nil.
func (r Run) Err() error { return parallel.Run{Context: r.Context}.Err() }

// Filter segments the views of one pipeline. It is not safe for concurrent use.
type Filter struct {
	options    *Options
	log        Log
	classifier *classes.Model // nil without classes
	land       *land.Settings // nil without classes
	model      *models.Model  // nil until chosen, and for methods without embeddings
	next       uint32         // id of the next view's first superpoint
	record     record         // what Metadata returns

	device *device.Device
}
