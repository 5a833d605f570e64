package filter

import (
	"time"

	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// job is the work on one view. Arrays are in the cloud's order and are dropped
// as soon as nothing needs them. Bytes a point, for knn 20, adjacency 10 and
// m = 4 (measured on aerial lidar, which has 6.3 edges a point):
//
//	host        X, Y, Z                        24, and 8 for each dimension read
//	cloud       XYZ, Order, tree               20.5, and 16 while it is built
//	lists       20 neighbours                  80, until the graph is built
//	attributes  float32 each                   4 each, until embedded
//	embedding   4 × float32                    16
//	placements  4 × float32, of models that have them  16
//	graph       Start, Head                    4 + 4 an edge = 29
//	values      [e, α·xyz], 7 × float32        28, in the solver
//	contrast    float32 an edge                25, in the solver
//	component   uint32                         4
//	id          uint32                         4
type job struct {
	*Filter
	*method.Result // nil until the partition is made

	run        Run
	view       *View
	workspace  *Workspace // shared arrays; nil for a view that is segmented once
	settings   settings
	cloud      *neighbor.Cloud
	lists      *neighbor.Lists
	pixel      float64 // side of a pixel of graph=grid in metres, else 0
	attributes map[string][]float32
	dim        int
	embedding  []float32 // number of points × dim
	placed     []float32 // placements, see embed.PlacementWidth; nil for a model without
	graph      *neighbor.Graph
	across     int             // points that the graph joins across scan lines
	border     *neighbor.Graph // that borders are measured on; nil without a truth dimension
	cutOff     []bool          // points of a sample beside what it leaves out; nil for a whole view
	truth      *metrics.Counts // nil without a truth dimension
	around     *embed.Cells    // of a survey around a tile; nil for a whole cloud
	origin     *[3]float64     // of that survey, in metres
	points     int             // of a survey; 0 for a whole cloud
	seconds    map[string]float64
	classes    classCounts
}

// step runs one named step and takes its time.
func (j *job) step(name string, body func(run parallel.Run) error) error {
	start := time.Now()
	run := j.run.parallel(name, j.options.Threads)
	run.Progress(0)
	err := memory.Lean(j.view.Len(), func() error { return body(run) })
	if err == nil {
		run.Progress(1)
	}
	j.seconds[name] += time.Since(start).Seconds()
	return err
}

const grain = 1 << 14 // points in a block of a light loop

// embedder is nil without a model.
func (f *Filter) embedder() embed.Embedder {
	if f.model == nil {
		return nil
	}
	return f.model.Embedder
}

// columns is the width of the embedding; 0 while there is no model, or none at all.
func (f *Filter) columns() int {
	if f.model == nil {
		return 0
	}
	return f.model.Embedder.Dim()
}
