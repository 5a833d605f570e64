package filter

import (
	"fmt"
	"time"

	"superpoint/filter/device"
	"superpoint/partition/arrays"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// NewWorkspace finds the knn nearest neighbours of the view's points. It fails
// for an empty view and for coordinates that are not finite.
func NewWorkspace(run Run, view *View, knn, threads int, log Log) (*Workspace, error) {
	if view.Len() == 0 {
		return nil, fmt.Errorf("the view has no points")
	}
	if log == nil {
		log = func(int, string) {}
	}
	f := &Filter{options: &Options{Threads: threads}, log: log, device: device.New(device.CPU, log)}
	j := &job{Filter: f, run: run, view: view, seconds: map[string]float64{}}
	j.settings.knn = max(knn, 1)
	done, err := j.reserve()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return nil, err
	}
	return &Workspace{
		View: view, knn: j.settings.knn, threads: threads, cloud: j.cloud, lists: j.lists, seconds: j.seconds[stepNeighbors],
		graphs: map[graphKey]*builtGraph{}, embeddings: map[string]*embedding{},
	}, nil
}

// SegmentIn is like Segment, with the neighbours, graphs and embeddings of a
// workspace. It fails if the options need more neighbours than it has.
func (f *Filter) SegmentIn(run Run, w *Workspace) (*Segmentation, error) {
	return f.segment(run, w.View, w)
}

// Measure compares ids (0: left out) with true classes and objects (nil: the connected
// components of a class) on the graph of the adjacency nearest neighbours. All are in
// the order of the view. Labels of 0 and −1 are unlabelled.
func (w *Workspace) Measure(run Run, adjacency int, id []uint32, class, object []float64) (metrics.Report, error) {
	p := run.parallel(stepOutput, w.threads).Quiet()
	n := w.cloud.Len()
	if len(id) != n {
		return metrics.Report{}, fmt.Errorf("%d ids for %d points", len(id), n)
	}
	graph, _, err := w.graph(p, graphKey{adjacency: adjacency})
	if err != nil {
		return metrics.Report{}, err
	}
	component, count := w.dense(id)
	j := &job{view: &View{X: w.View.X, Dimensions: map[string][]float64{"class": class, "object": object}}, cloud: w.cloud}
	objects := "object"
	if object == nil {
		objects = ""
	}
	truth, err := j.labelsOfTruth(p, "class", objects)
	if err != nil {
		return metrics.Report{}, err
	}
	for i := range component {
		if id[w.cloud.Order[i]] == 0 {
			truth.Class[i] = -1
			if truth.Object != nil {
				truth.Object[i] = -1
			}
		}
	}
	return metrics.Evaluate(p, graph.Graph, truth, component, count)
}

// dense returns the ranks of ids, from 0, in the cloud's order.
func (w *Workspace) dense(id []uint32) (component []uint32, count int) {
	values := arrays.Values(id, nil)
	component = make([]uint32, len(id))
	for i, from := range w.cloud.Order {
		component[i] = arrays.Rank(values, id[from])
	}
	return component, len(values)
}

// Spacing returns the distance of neighbouring points in metres: the side of the square
// that a point occupies on a surface, from the median distance to the fourth neighbour.
func (w *Workspace) Spacing() float64 { return w.cloud.Spacing(w.lists) }

// Metres returns the coordinates of the view in metres from its center, in the order of
// the view.
func (w *Workspace) Metres() (x, y, z []float64) {
	n := w.cloud.Len()
	x, y, z = make([]float64, n), make([]float64, n), make([]float64, n)
	for i, to := range w.cloud.Order {
		p := w.cloud.Position(uint32(i))
		x[to], y[to], z[to] = p.X, p.Y, p.Z
	}
	return x, y, z
}

// NearestGraph returns the graph of the k nearest neighbours, k at most the knn of the
// workspace, and the cloud whose order its vertices have.
func (w *Workspace) NearestGraph(run Run, k int) (*neighbor.Graph, *neighbor.Cloud, error) {
	p := run.parallel(stepGraph, w.threads).Quiet()
	g, _, err := w.graph(p, graphKey{adjacency: k})
	if err != nil {
		return nil, nil, err
	}
	return g.Graph, w.cloud, nil
}

// Workspace caches what several segmentations of one view share: neighbours, adjacency
// graphs and embeddings. Times in the metadata include their computation each time. It
// needs about 150 bytes per point and 16 more for each model. It is not safe for
// concurrent use.
type Workspace struct {
	View       *View
	knn        int
	threads    int
	cloud      *neighbor.Cloud
	lists      *neighbor.Lists
	seconds    float64 // that finding neighbours took
	graphs     map[graphKey]*builtGraph
	embeddings map[string]*embedding
}

type graphKey struct {
	adjacency  int
	lineKNN    int     // neighbours from which scan lines are found; 0 = no edges across lines
	linesShare float64 // see neighbor.GraphOptions.Across
	delaunay   float64 // longest Delaunay edge in metres; 0 = none
}

type embedding struct {
	dim      int
	values   []float32
	placed   []float32
	isolated []bool
	seconds  float64
}

// graph returns a graph of the workspace, and builds it at the first call. seconds is
// the time that an earlier call needed to build it.
func (w *Workspace) graph(run parallel.Run, key graphKey) (g *builtGraph, seconds float64, err error) {
	if old := w.graphs[key]; old != nil {
		return old, old.seconds, nil
	}
	start := time.Now()
	if g, err = adjacencyGraph(run, w.cloud, w.lists, key); err != nil {
		return nil, 0, err
	}
	g.seconds = time.Since(start).Seconds()
	w.graphs[key] = g
	return g, 0, nil
}

// builtGraph is an adjacency graph.
type builtGraph struct {
	*neighbor.Graph
	across  int     // points builtGraph across scan lines
	seconds float64 // that making it took, in a workspace
}

// adjacencyGraph builds the graph of a key.
func adjacencyGraph(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, key graphKey) (*builtGraph, error) {
	how := neighbor.GraphOptions{Nearest: key.adjacency, Around: key.lineKNN, Across: key.linesShare,
		Longest: key.delaunay}
	graph, across, err := neighbor.NewGraph(cloud, lists, how, run)
	if err != nil {
		return nil, err
	}
	return &builtGraph{Graph: graph, across: across}, nil
}
