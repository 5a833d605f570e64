package filter

import (
	"runtime"
	"time"

	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// job is the segmentation of one view. Arrays are in the cloud's order and are
// released after their last use. Bytes per point, for knn 20, adjacency 10 and
// m = 4 (measured on aerial lidar, which has 6.3 edges per point):
//
//	host        X, Y, Z                        24, until the neighbours are found; 8 for each dimension read
//	cloud       XYZ, Order, tree               20.5, and 32 while it is built
//	lists       20 neighbours                  80, until the graph is built
//	attributes  float32 each                   4 each, until embedded
//	embedding   4 × float32                    16
//	placements  4 × float32, of models that have them  16
//	isolated    bool                           1, of models that read context
//	graph       Start, Head                    4 + 4 an edge = 29
//	values      [e, α·xyz], 7 × float32        28, in the solver
//	contrast    float32 an edge                25, in the solver
//	component   uint32                         4
//	id          uint32                         4
type job struct {
	*Filter
	*method.Result // nil until the partition is made

	run          Run
	view         *View
	workspace    *Workspace // shared arrays; nil for a view that is segmented once
	settings     settings
	cloud        *neighbor.Cloud
	lists        *neighbor.Lists
	pixel        float64 // side of a pixel of graph=grid in metres, else 0
	read         bool    // the model's dimensions have been read
	attributes   map[string][]float32
	dim          int       // columns of embedding
	embedding    []float32 // number of points × dim
	placed       []float32 // placements, see embed.PlacementWidth; nil for a model without
	isolated     []bool    // isolated points, of a model that reads context
	graph        *neighbor.Graph
	across       int             // points with edges across scan lines
	border       *neighbor.Graph // on which boundaries are measured; nil without a truth dimension
	sampleBorder []bool          // points at the sides of a sample's squares; nil for a whole view
	truth        *metrics.Counts // nil without a truth dimension
	surroundings *embed.Cells    // of the full cloud around a tile; nil for a full cloud
	origin       *[3]float64     // of the survey, in metres; nil for a full cloud
	points       int             // of the survey; 0 for a full cloud
	seconds      map[string]float64
}

// newJob returns the segmentation of a view, with the model and the settings.
func (f *Filter) newJob(run Run, view *View) (*job, error) {
	if err := f.selectModel(view.names()); err != nil {
		return nil, err
	}
	s, err := f.options.resolve(f.model)
	return &job{Filter: f, run: run, view: view, settings: s, seconds: map[string]float64{}}, err
}

// step runs one step, reports its progress and adds its seconds.
func (j *job) step(name string, body func(run parallel.Run) error) error {
	start := time.Now()
	run := j.run.parallel(name, j.options.Threads)
	run.Progress(0)
	if j.view.Len() >= memory.Large {
		runtime.GC() // frees the arrays of the step before
	}
	err := body(run)
	if err == nil {
		run.Progress(1)
	}
	j.seconds[name] += time.Since(start).Seconds()
	return err
}

const grain = 1 << 14 // points per block of a parallel loop

// embedder returns the model's embedder; nil without a model.
func (f *Filter) embedder() embed.Embedder {
	if f.model == nil {
		return nil
	}
	return f.model.Embedder
}

// columns returns the number of columns of the embedding; 0 without a model.
func (f *Filter) columns() int {
	if f.model == nil {
		return 0
	}
	return f.model.Embedder.Dim()
}
