// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"context"
	"runtime"

	"superpoint/filter/message"
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
	Context context.Context // cancels between blocks; nil means never
	// progress in [0, 1] of a step; may be called from any goroutine
	Step func(step string, fraction float64)
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

// Err returns the reason the run was cancelled, or nil.
func (r Run) Err() error { return parallel.Run{Context: r.Context}.Err() }
