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
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return nil, err
	}
	return &Workspace{
		View: view, knn: j.settings.knn, threads: threads, cloud: j.cloud, lists: j.lists, seconds: j.seconds[stepNeighbors],
		graphs: map[graphKey]*joined{}, embeddings: map[string]*embedding{},
	}, nil
}

// SegmentIn is Segment with the neighbours, graphs and embeddings of a
// workspace. It fails if the options need more neighbours than it has.
func (f *Filter) SegmentIn(run Run, w *Workspace) (*Segmentation, error) {
	return f.segment(run, w.View, w)
}

// Measure compares ids, in the order of the view and 0 for points to leave out,
// with true classes and objects (nil: the connected parts of a class) on the
// adjacency graph of the first adjacency neighbours. Labels of 0 and −1 are
// unlabelled.
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
	var truth metrics.Truth
	if truth.Class, err = j.labels(p, "truth", "class"); err != nil {
		return metrics.Report{}, err
	}
	unlabelled(truth.Class)
	if object != nil {
		if truth.Object, err = j.labels(p, "instances", "object"); err != nil {
			return metrics.Report{}, err
		}
		unlabelled(truth.Object)
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

// dense returns ids in the cloud's order, numbered from 0 by value.
func (w *Workspace) dense(id []uint32) (component []uint32, count int) {
	values := arrays.Values(id, nil)
	component = make([]uint32, len(id))
	for i, from := range w.cloud.Order {
		component[i] = arrays.Rank(values, id[from])
	}
	return component, len(values)
}

// Spacing returns the typical distance between neighbouring points in metres:
// the side of the square that a point has on a surface, from the median
// distance to the fourth neighbour.
func (w *Workspace) Spacing() float64 { return w.cloud.Spacing(w.lists) }

// Metres returns the coordinates of the view in metres from its middle, in the
// order of the view.
func (w *Workspace) Metres() (x, y, z []float64) {
	n := w.cloud.Len()
	x, y, z = make([]float64, n), make([]float64, n), make([]float64, n)
	for i, to := range w.cloud.Order {
		p := w.cloud.Position(uint32(i))
		x[to], y[to], z[to] = p.X, p.Y, p.Z
	}
	return x, y, z
}

// NearestGraph returns the graph that joins every point with its k nearest
// neighbours (as many as the workspace has found), and the cloud in whose order
// its vertices are.
func (w *Workspace) NearestGraph(run Run, k int) (*neighbor.Graph, *neighbor.Cloud, error) {
	p := run.parallel(stepGraph, w.threads).Quiet()
	g, _, err := w.graph(p, graphKey{adjacency: k})
	if err != nil {
		return nil, nil, err
	}
	return g.Graph, w.cloud, nil
}

// Workspace keeps what several segmentations of one view share: neighbours,
// adjacency graphs and embeddings. Comparing methods or sweeping an option
// computes them once; times in the metadata are as if each had computed its
// own. It holds about 150 bytes a point and 16 more for every
// model. It is not safe for concurrent use.
type Workspace struct {
	View       *View
	knn        int
	threads    int
	cloud      *neighbor.Cloud
	lists      *neighbor.Lists
	seconds    float64 // that finding neighbours took
	graphs     map[graphKey]*joined
	embeddings map[string]*embedding
}

type graphKey struct {
	adjacency int
	around    int     // neighbours that show where scan lines are; 0 = no edges across lines
	delaunay  float64 // longest Delaunay edge in metres; 0 = none
}

type embedding struct {
	dim     int
	values  []float32
	placed  []float32
	seconds float64
}

// graph returns a graph of the workspace, building it when it is new. The
// seconds are those that building it took before this call.
func (w *Workspace) graph(run parallel.Run, key graphKey) (g *joined, seconds float64, err error) {
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

// joined is an adjacency graph.
type joined struct {
	*neighbor.Graph
	across  int     // points joined across scan lines
	seconds float64 // that making it took, in a workspace
}

// adjacencyGraph makes the graph of a key.
func adjacencyGraph(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, key graphKey) (*joined, error) {
	how := neighbor.Joins{Nearest: key.adjacency, Around: key.around, Longest: key.delaunay}
	graph, across, err := neighbor.Join(cloud, lists, how, run)
	if err != nil {
		return nil, err
	}
	return &joined{Graph: graph, across: across}, nil
}
