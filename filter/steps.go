// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"superpoint/embed"
	"superpoint/filter/device"
	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
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

func missingFor(n method.Need, name string, available []string) error {
	return naming.Missing(name, "option "+n.Option+" needs it; leave the option out", available)
}

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

// metres returns the positions of a view: its coordinates themselves if these are in metres. warn receives
// assumptions about units.
func (v *View) metres(run parallel.Run, warn func(text string)) (positions, error) {
	x, y, z, err := v.Reference.Metres(run, v.X, v.Y, v.Z, warn)
	return positions{x, y, z}, err
}

// pick returns the positions of some points.
func (p positions) pick(points []int32) positions {
	return positions{arrays.Gather(p.x, points), arrays.Gather(p.y, points), arrays.Gather(p.z, points)}
}

// newCloud builds the cloud of a view. It fails if a few far points would round the positions of all others.
func newCloud(run parallel.Run, v *View, at positions, warn func(text string)) (
	_ *neighbor.Cloud, err error) {
	defer parallel.Catch(&err)
	cloud, err := neighbor.New(at.x, at.y, at.z, run.Quiet())
	if err != nil {
		return nil, err
	}
	return cloud, georef.CheckPrecision(cloud, [3][]float64{at.x, at.y, at.z},
		[3][]float64{v.X, v.Y, v.Z}, warn)
}

// located has the positions of the points of a view, and the nearest neighbors of each.
type located struct {
	cloud *neighbor.Cloud
	lists *neighbor.Lists // nil after the last step that reads them
}

// locate finds the nearest neighbors of each point: knn, or all others if the full cloud, of which the cloud
// may be a tile, has fewer points.
func locate(run parallel.Run, on *device.Device, cloud *neighbor.Cloud, knn,
	points int) (_ *located, err error) {
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

// embedPoints computes the embedding of points. attributes are the dimensions that the model needs, in the
// order of the cloud; corner is that of the survey whose tile the points are, else nil.
func embedPoints(run parallel.Run, on *device.Device, m *models.Model, at *located,
	attributes map[string][]float32,
	spacing float64, corner *[2]float64) (*embedded, error) {
	n := at.cloud.Len()
	e := &embedded{dim: m.Embedder.Dim(), isolated: make([]bool, n)}
	in := &embed.Input{Cloud: at.cloud, Neighbors: at.lists, Attributes: attributes, Isolated: e.isolated,
		Corner: corner}
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

// reportBug adds a remedy to an error that is a panic of a goroutine.
func reportBug(err error) error {
	var broken *parallel.PanicError
	if errors.As(err, &broken) {
		return fmt.Errorf("%w; this is a bug, please report it with the options and the file", err)
	}
	return err
}
