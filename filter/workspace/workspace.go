// SPDX-License-Identifier: BSD-3-Clause

// Package workspace keeps what several segmentations of one view share, for the commands that compare
// options, models and methods on it.
package workspace

import (
	"fmt"
	"time"

	"superpoint/embed/classes"
	"superpoint/filter/cloud"
	"superpoint/filter/device"
	"superpoint/filter/land"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

// Workspace caches what several segmentations of one view share: neighbors, adjacency
// graphs and embeddings. Times in the metadata include their computation each time. It
// needs about 150 bytes per point and 16 more for each model. It is not safe for
// concurrent use.
type Workspace struct {
	View      *cloud.View
	Positions cloud.Positions // of the points of View
	knn       int
	threads   int
	*steps.Located
	Seconds    float64 // that finding neighbors took
	graphs     map[neighbor.GraphOptions]kept[steps.Connected]
	embeddings map[embeddingKey]kept[steps.Embeddings]
}

// kept is a result and the time that making it took.
type kept[T any] struct {
	result  *T
	seconds float64
}

// cached returns what compute returns, which is made once. seconds is the time that an earlier call needed.
func cached[K comparable, T any](results map[K]kept[T], key K, compute func() (*T, error)) (r *T,
	seconds float64, err error) {
	if old, ok := results[key]; ok {
		return old.result, old.seconds, nil
	}
	start := time.Now()
	if r, err = compute(); err == nil {
		results[key] = kept[T]{r, time.Since(start).Seconds()}
	}
	return r, 0, err
}

// New finds the knn nearest neighbors of the view's points. It fails
// for an empty view and for coordinates that are not finite.
func New(run steps.Run, view *cloud.View, knn, threads int, log message.Log) (*Workspace, error) {
	if view.Len() == 0 {
		return nil, fmt.Errorf("the input has no points; name another")
	}
	if log == nil {
		log = func(int, string) {}
	}
	knn = max(knn, 1)
	done, err := memory.Reserve("the view", view.Len(), steps.BytesPerPoint(new(option.Options), nil, nil,
		&option.Settings{KNN: knn}))
	if err != nil {
		return nil, err
	}
	defer done()
	c := steps.NewClock(run, threads, view.Len())
	positions, err := steps.Timed(c, steps.Neighbors, func() (cloud.Positions, error) {
		return view.Metres(run.Parallel(steps.Neighbors, threads).Quiet(), log.Warn)
	})
	if err != nil {
		return nil, err
	}
	at, err := steps.Do(c, steps.Neighbors, func(run parallel.Run) (*steps.Located, error) {
		return steps.LocateView(run, device.New(device.CPU, log), view, positions, knn, view.Len(), log)
	})
	if err != nil {
		return nil, err
	}
	return &Workspace{View: view, Positions: positions, knn: knn, threads: threads, Located: at,
		Seconds:    c.Seconds[steps.Neighbors],
		graphs:     map[neighbor.GraphOptions]kept[steps.Connected]{},
		embeddings: map[embeddingKey]kept[steps.Embeddings]{}}, nil
}

// Locate returns the positions and neighbors, which have to be at least knn.
func (w *Workspace) Locate(knn int) (*steps.Located, error) {
	if knn > w.knn {
		return nil, fmt.Errorf("option knn: %d is above the %d neighbors of the workspace", knn, w.knn)
	}
	own := *w.Located // of which a step may drop the lists
	return &own, nil
}

// Connect returns an adjacency graph, which is built once, and the time that this saved. Its edges may be
// removed.
func (w *Workspace) Connect(run parallel.Run, how neighbor.GraphOptions) (*steps.Connected, float64, error) {
	g, saved, err := w.graph(run, how)
	if err != nil {
		return nil, 0, err
	}
	return g.Clone(), saved, nil
}

// graph returns an adjacency graph, which is built once, and the time that this saved.
func (w *Workspace) graph(run parallel.Run, how neighbor.GraphOptions) (*steps.Connected, float64, error) {
	return cached(w.graphs, how, func() (*steps.Connected, error) {
		return steps.Connect(run, w.Located, how)
	})
}

// Embed returns the embedding of a model, which is computed once, and the time that this saved.
func (w *Workspace) Embed(m *models.Model, spacing float64, compute func() (*steps.Embeddings, error)) (
	*steps.Embeddings, float64, error) {
	key := embeddingKey{m.Name, m.Sum, m.Neighbors, spacing}
	return cached(w.embeddings, key, compute)
}

// embeddingKey has what an embedding depends on.
type embeddingKey struct {
	model, sum string
	neighbors  int
	spacing    float64
}

// MetricsKNN is the number of neighbors in the graph on which metrics are computed, as
// in the paper. It does not depend on the adjacency graph of the partition.
const MetricsKNN = 5

// Measure compares ids (0: left out) with true classes and objects (nil: the connected
// components of a class) on the graph of the adjacency nearest neighbors. All are in
// the order of the view. Labels of 0 and −1 are unlabelled.
func (w *Workspace) Measure(run steps.Run, adjacency int, id []uint32, class, object []float64) (
	metrics.Report, error) {
	p := run.Parallel(steps.Output, w.threads).Quiet()
	n := w.Cloud.Len()
	if len(id) != n {
		return metrics.Report{}, fmt.Errorf("%d ids for %d points", len(id), n)
	}
	graph, _, err := w.graph(p, neighbor.GraphOptions{Nearest: adjacency})
	if err != nil {
		return metrics.Report{}, err
	}
	component, count := w.dense(id)
	labels := &cloud.View{X: w.View.X, Dimensions: map[string][]float64{"class": class, "object": object}}
	truth, err := labels.Truth(p, w.Cloud.Order, "class", "object")
	if err != nil {
		return metrics.Report{}, err
	}
	for i := range component {
		if id[w.Cloud.Order[i]] == 0 {
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
	for i, from := range w.Cloud.Order {
		component[i] = arrays.Rank(values, id[from])
	}
	return component, len(values)
}

// Spacing returns the distance of neighbouring points in metres: the side of the square
// that a point occupies on a surface, from the median distance to the fourth neighbour.
func (w *Workspace) Spacing() float64 { return w.Cloud.Spacing(w.Lists) }

// Metres returns the coordinates of the view in metres from its center, in the order of
// the view.
func (w *Workspace) Metres() (x, y, z []float64) {
	n := w.Cloud.Len()
	x = make([]float64, n)
	y = make([]float64, n)
	z = make([]float64, n)
	for i, to := range w.Cloud.Order {
		p := w.Cloud.Position(uint32(i))
		x[to] = p.X
		y[to] = p.Y
		z[to] = p.Z
	}
	return x, y, z
}

// NearestGraph returns the graph of the k nearest neighbors, k at most the knn of the
// workspace, and the cloud whose order its vertices have.
func (w *Workspace) NearestGraph(run steps.Run, k int) (*neighbor.Graph, *neighbor.Cloud, error) {
	p := run.Parallel(steps.Graph, w.threads).Quiet()
	g, _, err := w.graph(p, neighbor.GraphOptions{Nearest: k})
	if err != nil {
		return nil, nil, err
	}
	return g.Graph, w.Cloud, nil
}

// ClassInput returns the superpoints of a workspace's view as the input of a classifier, and the id of each.
// id and embedding (number of points × dim) are in the order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints,
	[]uint32, error) {
	known := land.Known{ID: id, Dim: dim, Embedding: embedding}
	in, ids, err := known.Input(w.Cloud, w.Lists)
	if err != nil {
		return nil, nil, err
	}
	attributes, err := w.View.Gather(parallel.Run{}, w.Cloud.Order, w.View.ClassInputs())
	if err != nil {
		return nil, nil, err
	}
	s := &classes.Superpoints{Cloud: in.Cloud, Neighbors: in.Neighbors, Component: in.Component,
		Count: in.Count,
		Dim:   dim, Embedding: in.Embedding, Attributes: attributes, Noise: make([]bool, w.Cloud.Len())}
	withheld := w.View.Withheld()
	for i, from := range w.Cloud.Order {
		s.Noise[i] = withheld(from)
	}
	return s, ids, s.FindOutliers(parallel.Run{})
}

// Order returns the index in the view of each point of the workspace's cloud.
func (w *Workspace) Order() []uint32 { return w.Cloud.Order }

// Parallel returns a run for loops, with the threads of the workspace.
func (w *Workspace) Parallel(run steps.Run) parallel.Run {
	return run.Parallel(steps.Output, w.threads).Quiet()
}
