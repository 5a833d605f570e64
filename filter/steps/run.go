// SPDX-License-Identifier: BSD-3-Clause

package steps

import (
	"context"
	"runtime"

	"superpoint/partition/base/parallel"
)

// Names returns the names of the steps of a segmentation, in the order in which
// Run.Step reports them. Steps that a method does not have are not reported.
func Names() []string {
	return []string{Neighbors, Embedding, Graph, Partition, Output}
}

// The names of the steps.
const (
	Neighbors = "neighbors"
	Embedding = "embedding"
	Graph     = "graph"
	Partition = "partition"
	Output    = "output"
)

// Run has the context and the progress callback of a segmentation. The zero value
// cannot be cancelled and reports nothing. The number of threads is an option.
type Run struct {
	Context context.Context // cancels between blocks; nil means never
	// progress in [0, 1] of a step; may be called from any goroutine
	Step func(step string, fraction float64)
}

// MaxWorkers limits the option threads. More workers only need memory, and Go ends
// the process if the system refuses a thread.
var MaxWorkers = max(8, 2*runtime.NumCPU())

// Parallel returns the run of one step with the given number of threads.
func (r Run) Parallel(step string, threads int) parallel.Run {
	run := parallel.Run{Context: r.Context, Threads: min(threads, MaxWorkers)}
	if r.Step != nil {
		run.Report = func(fraction float64) { r.Step(step, fraction) }
	}
	return run
}

// Err returns the reason the run was cancelled, or nil.
func (r Run) Err() error { return parallel.Run{Context: r.Context}.Err() }
