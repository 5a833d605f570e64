// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"

	"superpoint/embed"
	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// A view is segmented in steps, and what a step needs is its argument:
//
//	locate   coordinates → positions in metres, in the order of a tree; neighbor lists
//	embed    positions, lists, dimensions → embedding, scattering, isolated points
//	connect  positions, lists, isolated points → adjacency graph
//	solve    all of these → components
//	output   components → ids and the other dimensions
//
// A view (segment.go), the sample on which it is measured (measure.go), a workspace and a tile of a
// survey call the same steps. Arrays are in the order of the cloud and are released after the last
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

// clock runs the steps of one view, up to one that fails: it reports their progress and adds up their seconds.
type clock struct {
	run     Run
	threads int
	collect bool // collect the arrays of the step before
	seconds map[string]float64
	err     error // of the step that failed
}

func (f *Filter) clock(run Run, points int) *clock {
	return &clock{run: run, threads: f.options.Threads, collect: points >= memory.Large, seconds: map[string]float64{}}
}

func (c *clock) step(name string, body func(run parallel.Run) error) {
	if c.err != nil {
		return
	}
	start := time.Now()
	run := c.run.parallel(name, c.threads)
	run.Progress(0)
	if c.collect && name != stepNeighbors && name != stepOutput { // nothing large before one and after the other
		runtime.GC()
	}
	if c.err = reportBug(body(run)); c.err == nil {
		run.Progress(1)
	}
	c.seconds[name] += time.Since(start).Seconds()
}

// located has the positions of the points of a view.
type located struct {
	cloud   *neighbor.Cloud
	lists   *neighbor.Lists // nil after the last step that reads them
	results results         // of a workspace
}

// locate builds the cloud and finds the nearest neighbors of each point: knn, or all others if the
// full cloud, of which the view may be a tile, has fewer points.
func (f *Filter) locate(run parallel.Run, v *View, knn, points int) (_ *located, err error) {
	defer parallel.Catch(&err)
	x, y, z, err := v.Reference.Metres(run.Quiet(), v.X, v.Y, v.Z, f.log.Warn)
	if err != nil {
		return nil, err
	}
	cloud, err := neighbor.New(x, y, z, run.Quiet())
	if err != nil {
		return nil, err
	}
	if err := georef.CheckPrecision(cloud, v.X, v.Y, v.Z, f.log.Warn); err != nil {
		return nil, err
	}
	if !f.checkDegrees(v) { // where rounding makes duplicates
		f.checkDuplicates(run.Quiet(), cloud)
	}
	lists, err := f.device.Nearest(run, cloud, knn)
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

// embed computes the embedding of the points of a view, which is a tile if frame is not nil.
func (f *Filter) embed(run parallel.Run, v *View, at *located, spacing float64, frame *Frame) (*embedded, error) {
	attributes, err := v.gather(run.Quiet(), at.cloud.Order, f.model.Needs)
	if err != nil {
		return nil, err
	}
	f.release(v, false, f.model.Needs...)
	n := at.cloud.Len()
	e := &embedded{dim: f.columns(), isolated: make([]bool, n)}
	in := &embed.Input{Cloud: at.cloud, Neighbors: at.lists, Attributes: attributes, Isolated: e.isolated}
	if frame != nil {
		in.Corner = &frame.Corner
	}
	if f.model.Spaced() {
		in.Spacing = spacing
	}
	if f.model.Settings.Volume != nil {
		e.scattering = make([]float32, n)
		in.Scattering = e.scattering
	}
	e.values, err = f.device.Embed(run, f.model.Embedder, in)
	return e, err
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
	graph   *neighbor.Graph // nil after the last step that reads it
	edges   int             // of graph
	across  int             // points with edges across scan lines
	seconds float64         // that a workspace saved
}

// connect builds the adjacency graph. Isolated points keep no edges but those to other isolated points.
func (f *Filter) connect(run parallel.Run, at *located, isolated []bool, s *settings) (*connected, error) {
	built, seconds, err := at.adjacency(run, s.graph)
	if err != nil {
		return nil, err
	}
	c := &connected{graph: built.graph, across: built.across, seconds: seconds}
	if slices.Contains(isolated, true) {
		if at.results.graphs != nil { // built is used again
			c.graph = &neighbor.Graph{Start: slices.Clone(c.graph.Start), Head: slices.Clone(c.graph.Head)}
		}
		if err := c.graph.Isolate(run.Quiet(), at.cloud, at.lists, s.graph.Nearest, isolated); err != nil {
			return nil, err
		}
	}
	c.edges = c.graph.Edges()
	return c, nil
}

// points has all that a method reads of the points of a view.
type points struct {
	*located
	*embedded
	*connected
}

// points runs the steps before the partition. It completes the settings by what it measures.
func (f *Filter) points(c *clock, v *View, w *Workspace, s *settings) *points {
	by, p := method.Named(f.options.Method), &points{embedded: new(embedded)}
	c.step(stepNeighbors, func(run parallel.Run) (err error) {
		if err = f.measureSample(c.run, v, s); err != nil {
			return err
		}
		if p.located, err = f.locateIn(run, v, w, s); err != nil {
			return err
		}
		f.release(v, true, "X", "Y", "Z")
		s.complete(p.located)
		return nil
	})
	if w != nil {
		c.seconds[stepNeighbors] = w.seconds
	}
	if by.Embeds {
		c.step(stepEmbedding, func(run parallel.Run) (err error) {
			var saved float64
			p.embedded, saved, err = cached(p.results.embeddings, f.embeddingKey(s), func() (*embedded, error) {
				return f.embed(run, v, p.located, s.spacing, nil)
			})
			c.seconds[stepEmbedding] += saved
			return err
		})
	}
	c.step(stepGraph, func(run parallel.Run) (err error) {
		if p.connected, err = f.connect(run, p.located, p.isolated, s); err != nil {
			return err
		}
		c.seconds[stepGraph] += p.connected.seconds
		if !by.Lists && f.classifier == nil {
			p.lists = nil
		}
		return nil
	})
	return p
}

// locateIn locates the points of a view, or takes those of a workspace.
func (f *Filter) locateIn(run parallel.Run, v *View, w *Workspace, s *settings) (*located, error) {
	if w != nil {
		return w.locate(s.knn)
	}
	return f.locate(run, v, s.knn, v.Len())
}

// solve computes the components of points by the method. sides are the points at the sides of a
// sample's squares, nil for a full cloud.
func (f *Filter) solve(run parallel.Run, v *View, p *points, s *settings, sides []bool) (*method.Result, error) {
	by := method.Named(f.options.Method)
	in := &method.Input{
		Settings: s.Settings, Cloud: p.cloud, Lists: p.lists, Graph: p.graph, Spacing: s.spacing,
		Embedding: p.values, Dim: p.dim, Scattering: p.scattering, Isolated: p.isolated, Border: sides,
		Log: f.log,
	}
	if need := by.Reads(&in.Settings); need.Names != nil {
		for _, name := range need.Names {
			if v.Dimensions[name] == nil {
				return nil, missingFor(need, name, v.names())
			}
		}
		var err error
		if in.Attributes, err = v.gather(run.Quiet(), p.cloud.Order, need.Names); err != nil {
			return nil, err
		}
	}
	p.embedded = &embedded{
		dim:      p.dim,
		isolated: p.isolated,
	} // in has values and scattering, so that Solve can release them
	r, err := by.Solve(run, in)
	if err != nil && !by.GMPP {
		return nil, fmt.Errorf("method %s: %w", by.Name, err)
	}
	if err != nil {
		return nil, err
	}
	if p.values = r.Moved; p.values == nil {
		p.values = in.Embedding
	}
	return r, nil
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

// complete sets the settings that follow from the spacing of the points.
func (s *settings) complete(at *located) {
	if s.spacing == 0 {
		s.spacing = at.cloud.Spacing(at.lists)
	}
	if s.spacingWeight > 0 {
		s.SpatialWeight = s.spacingWeight / s.spacing
	}
	if s.delaunay {
		s.graph.Longest = cmp.Or(s.graph.Longest, neighbor.DelaunaySpacings*s.spacing)
	}
}
