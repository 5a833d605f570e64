// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"runtime"
	"slices"
	"time"

	"superpoint/embed"
	"superpoint/filter/device"
	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// A view is segmented in steps, and what a step needs is its argument:
//
//	metres   coordinates → positions in metres
//	measure  positions of a sample of a large view → spacing, λ, sizes
//	locate   positions → the cloud, in the order of a tree; neighbor lists
//	embed    positions, lists, dimensions → embedding, scattering, isolated points
//	connect  positions, lists, isolated points → adjacency graph
//	solve    all of these → components
//	output   components → ids and the other dimensions
//
// A view (segment.go), the sample on which it is measured (measure.go), a workspace and a tile of a
// survey call the same functions. Arrays are in the order of the cloud and are released after the last
// step that reads them. Bytes per point, for knn 20, adjacency 10 and m = 4 (measured on aerial lidar,
// which has 6.3 edges per point):
//
//	host        X, Y, Z                        24, until the points are located; 8 for each dimension read
//	cloud       XYZ, Order, tree               20.5, and 32 while it is built
//	lists       20 neighbors                   80, until the graph is built
//	attributes  float32 each                   4 each, until embedded
//	embedding   4 × float32                    16
//	scattering  float32, of models with volume  4
//	isolated    bool                           1
//	graph       Start, Head                    4 + 4 an edge = 29
//	values      [e, α·xyz], 7 × float32        28, in the solver; 4 for weights, of models that have them
//	contrast    float32 an edge                25, in the solver
//	component   uint32                         4
//	id          uint32                         4

// clock runs the steps of one view: it reports their progress and adds up their seconds.
type clock struct {
	run     Run
	threads int
	collect bool // collect the arrays of the step before
	seconds map[string]float64
}

func newClock(run Run, threads, points int) *clock {
	return &clock{run: run, threads: threads, collect: points >= memory.Large, seconds: map[string]float64{}}
}

// step runs a step and reports its progress.
func step[T any](c *clock, name string, body func(run parallel.Run) (T, error)) (T, error) {
	run := c.run.parallel(name, c.threads)
	run.Progress(0)
	result, err := timed(c, name, func() (T, error) {
		first, last := name == stepNeighbors, name == stepOutput
		if c.collect && !first && !last { // nothing large is released before the first step and in the last
			runtime.GC()
		}
		return body(run)
	})
	if err == nil {
		run.Progress(1)
	}
	return result, err
}

// timed adds the time of body to a step.
func timed[T any](c *clock, name string, body func() (T, error)) (T, error) {
	start := time.Now()
	result, err := body()
	c.seconds[name] += time.Since(start).Seconds()
	return result, reportBug(err)
}

// positions are the coordinates of the points of a view in metres, in its order.
type positions struct{ x, y, z []float64 }

// metres returns the positions of a view: its coordinates themselves if these are in metres. warn receives assumptions
// about units.
func (v *View) metres(run parallel.Run, warn func(text string)) (positions, error) {
	x, y, z, err := v.Reference.Metres(run, v.X, v.Y, v.Z, warn)
	return positions{x, y, z}, err
}

// pick returns the positions of some points.
func (p positions) pick(points []int32) positions {
	return positions{arrays.Gather(p.x, points), arrays.Gather(p.y, points), arrays.Gather(p.z, points)}
}

// newCloud builds the cloud of a view. It fails if a few far points would round the positions of all others.
func newCloud(run parallel.Run, v *View, at positions, warn func(text string)) (_ *neighbor.Cloud, err error) {
	defer parallel.Catch(&err)
	cloud, err := neighbor.New(at.x, at.y, at.z, run.Quiet())
	if err != nil {
		return nil, err
	}
	return cloud, georef.CheckPrecision(cloud, v.X, v.Y, v.Z, warn)
}

// located has the positions of the points of a view, and the nearest neighbors of each.
type located struct {
	cloud *neighbor.Cloud
	lists *neighbor.Lists // nil after the last step that reads them
}

// locate finds the nearest neighbors of each point: knn, or all others if the full cloud, of which the cloud may be a
// tile, has fewer points.
func locate(run parallel.Run, on *device.Device, cloud *neighbor.Cloud, knn, points int) (_ *located, err error) {
	defer parallel.Catch(&err)
	lists, err := on.Nearest(run, cloud, knn)
	if err != nil {
		return nil, err
	}
	lists, err = lists.Within(cloud, min(knn, points-1), run)
	return &located{cloud: cloud, lists: lists}, err
}

// embedded has the embedding of the points.
type embedded struct {
	dim        int
	values     []float32 // number of points × dim
	scattering []float32 // near_scattering; nil for a model without volume
	isolated   []bool    // isolated points; nil without a model
}

// embedPoints computes the embedding of points. attributes are the dimensions that the model needs, in the order of the
// cloud; corner is that of the survey whose tile the points are, else nil.
func embedPoints(run parallel.Run, on *device.Device, m *models.Model, at *located, attributes map[string][]float32,
	spacing float64, corner *[2]float64) (*embedded, error) {
	n := at.cloud.Len()
	e := &embedded{dim: m.Embedder.Dim(), isolated: make([]bool, n)}
	in := &embed.Input{Cloud: at.cloud, Neighbors: at.lists, Attributes: attributes, Isolated: e.isolated, Corner: corner}
	if m.Spaced() {
		in.Spacing = spacing
	}
	if m.Settings.Volume != nil {
		e.scattering = make([]float32, n)
		in.Scattering = e.scattering
	}
	var err error
	e.values, err = on.Embed(run, m.Embedder, in)
	return e, err
}

// embed computes the embedding of the points of a view. The dimensions that no later step reads are released.
func (f *Filter) embed(run parallel.Run, v *View, at *located, spacing float64, corner *[2]float64) (*embedded, error) {
	attributes, err := v.gather(run.Quiet(), at.cloud.Order, f.model.Needs)
	if err != nil {
		return nil, err
	}
	f.release(v, false, f.model.Needs...)
	return embedPoints(run, f.device, f.model, at, attributes, spacing, corner)
}

// release releases those dimensions of a view that no later step reads. embeds reports whether the
// embedding is still to be computed.
func (f *Filter) release(v *View, embeds bool, names ...string) {
	var later []string
	if embeds && f.model != nil {
		later = slices.Clone(f.model.Needs)
	}
	later = append(append(later, f.options.Vote), f.options.classInputs()...)
	v.release(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(later, name) }))
}

// connected has the adjacency graph of the points.
type connected struct {
	graph  *neighbor.Graph // nil after the last step that reads it
	edges  int             // of graph
	across int             // points with edges across scan lines
}

// connect builds the adjacency graph.
func connect(run parallel.Run, at *located, how neighbor.GraphOptions) (*connected, error) {
	graph, across, err := neighbor.NewGraph(at.cloud, at.lists, how, run)
	if err != nil {
		return nil, err
	}
	return &connected{graph: graph, edges: graph.Edges(), across: across}, nil
}

// clone returns a copy whose edges can be removed.
func (c *connected) clone() *connected {
	own := *c
	own.graph = &neighbor.Graph{Start: slices.Clone(c.graph.Start), Head: slices.Clone(c.graph.Head)}
	return &own
}

// isolate removes the edges of isolated points, except those to other isolated points.
func (c *connected) isolate(run parallel.Run, at *located, isolated []bool, nearest int) error {
	if !slices.Contains(isolated, true) {
		return nil
	}
	err := c.graph.Isolate(run.Quiet(), at.cloud, at.lists, nearest, isolated)
	c.edges = c.graph.Edges()
	return err
}

// points has all that a method reads of the points of a view.
type points struct {
	*located
	*embedded
	*connected
}

// points runs the steps before the partition. It returns their results, and the settings with what was measured.
func (f *Filter) points(c *clock, v *View, w *Workspace, s settings) (*points, settings, error) {
	at, s, err := f.locateView(c, v, w, s)
	if err != nil {
		return nil, s, err
	}
	var kept results
	if w != nil {
		kept = w.results
	}
	by := method.Named(f.options.Method)
	e := new(embedded) // empty for a method without a model
	if by.Embeds {
		e, err = step(c, stepEmbedding, func(run parallel.Run) (*embedded, error) {
			e, saved, err := cached(kept.embeddings, f.embeddingKey(s.spacing), func() (*embedded, error) {
				return f.embed(run, v, at, s.spacing, nil)
			})
			c.seconds[stepEmbedding] += saved
			return e, err
		})
		if err != nil {
			return nil, s, err
		}
	}
	g, err := step(c, stepGraph, func(run parallel.Run) (*connected, error) {
		g, saved, err := kept.connect(run, at, s.graph)
		if err != nil {
			return nil, err
		}
		c.seconds[stepGraph] += saved
		if w != nil {
			g = g.clone() // that of the workspace is used again
		}
		return g, g.isolate(run, at, e.isolated, s.graph.Nearest)
	})
	if err != nil {
		return nil, s, err
	}
	if !by.Lists && f.classifier == nil {
		at.lists = nil
	}
	return &points{at, e, g}, s, nil
}

// locateView measures a large view, and finds the neighbors of its points or takes those of its workspace.
func (f *Filter) locateView(c *clock, v *View, w *Workspace, s settings) (*located, settings, error) {
	quiet := c.run.parallel(stepNeighbors, c.threads).Quiet()
	var at positions
	var err error
	if sampled := f.isSampled(v); w == nil || sampled {
		at, err = timed(c, stepNeighbors, func() (positions, error) { return v.metres(quiet, f.log.Warn) })
		if err == nil && sampled {
			s, err = timed(c, stepNeighbors, func() (settings, error) { return f.measureSample(quiet, v, at, s) })
		}
	}
	if err != nil {
		return nil, s, err
	}
	l, err := step(c, stepNeighbors, func(run parallel.Run) (*located, error) {
		if w != nil {
			return w.locate(s.knn)
		}
		return f.locate(run, v, at, s.knn, v.Len())
	})
	if err != nil {
		return nil, s, err
	}
	if w != nil {
		c.seconds[stepNeighbors] = w.seconds
	}
	f.release(v, true, "X", "Y", "Z")
	return l, s.completed(l), nil
}

// locate builds the cloud of a view, or of a tile of a cloud of points points, and finds the neighbors of its points.
func (f *Filter) locate(run parallel.Run, v *View, at positions, knn, points int) (*located, error) {
	cloud, err := newCloud(run, v, at, f.log.Warn)
	if err != nil {
		return nil, err
	}
	warnOfPositions(run.Quiet(), v, cloud, f.log)
	return locate(run, f.device, cloud, knn, points)
}

// methodInput returns the input of a method.
func methodInput(p *points, s *settings, log Log) *method.Input {
	return &method.Input{
		Settings: s.Settings, Cloud: p.cloud, Lists: p.lists, Graph: p.graph, Spacing: s.spacing,
		Embedding: p.values, Dim: p.dim, Scattering: p.scattering, Isolated: p.isolated, Log: log,
	}
}

// prepare gathers the dimensions that a method reads, and prepares the computation of the components.
func prepare(run parallel.Run, by *method.Method, v *View, in *method.Input) (method.Solve, error) {
	if need := by.Reads(&in.Settings); need.Names != nil {
		for _, name := range need.Names {
			if v.Dimensions[name] == nil {
				return nil, missingFor(need, name, v.names())
			}
		}
		var err error
		if in.Attributes, err = v.gather(run.Quiet(), in.Cloud.Order, need.Names); err != nil {
			return nil, err
		}
	}
	return by.Prepare(run, in)
}

// solve computes the components of points.
func solve(run parallel.Run, by *method.Method, v *View, in *method.Input) (*method.Result, error) {
	prepared, err := prepare(run, by, v, in)
	if err != nil {
		return nil, err
	}
	return prepared(run)
}

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
