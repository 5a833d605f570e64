// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"time"

	"superpoint/filter/device"
	"superpoint/filter/memory"
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
	View    *View
	knn     int
	threads int
	*located
	seconds float64 // that finding neighbors took
	results results
}

// results are what a workspace keeps; maps are nil for a view that is segmented once.
type results struct {
	graphs     map[neighbor.GraphOptions]kept[connected]
	embeddings map[embeddingKey]kept[embedded]
}

// kept is a result and the time that making it took.
type kept[T any] struct {
	result  *T
	seconds float64
}

// cached returns what compute returns; for a map that is not nil it is made once. seconds is the time that an
// earlier call needed.
func cached[K comparable, T any](results map[K]kept[T], key K, compute func() (*T, error)) (r *T,
	seconds float64,
	err error) {
	if old, ok := results[key]; ok {
		return old.result, old.seconds, nil
	}
	start := time.Now()
	if r, err = compute(); err == nil && results != nil {
		results[key] = kept[T]{r, time.Since(start).Seconds()}
	}
	return r, 0, err
}

// NewWorkspace finds the knn nearest neighbors of the view's points. It fails
// for an empty view and for coordinates that are not finite.
func NewWorkspace(run Run, view *View, knn, threads int, log Log) (*Workspace, error) {
	if view.Len() == 0 {
		return nil, fmt.Errorf("the input has no points; name another")
	}
	if log == nil {
		log = func(int, string) {}
	}
	knn = max(knn, 1)
	done, err := memory.Reserve("the view", view.Len(), bytesPerPoint(new(Options), nil, nil,
		&settings{knn: knn}))
	if err != nil {
		return nil, err
	}
	defer done()
	c := newClock(run, threads, view.Len())
	at, err := step(c, stepNeighbors, func(run parallel.Run) (*located, error) {
		positions, err := view.metres(run.Quiet(), log.Warn)
		if err != nil {
			return nil, err
		}
		cloud, err := newCloud(run, view, positions, log.Warn)
		if err != nil {
			return nil, err
		}
		warnOfPositions(run.Quiet(), view, cloud, log)
		return locate(run, device.New(device.CPU, log), cloud, knn, view.Len())
	})
	if err != nil {
		return nil, err
	}
	return &Workspace{View: view, knn: knn, threads: threads, located: at, seconds: c.seconds[stepNeighbors],
		results: newResults()}, nil
}

func newResults() results {
	return results{map[neighbor.GraphOptions]kept[connected]{}, map[embeddingKey]kept[embedded]{}}
}

// locate returns the positions and neighbors, which have to be at least knn.
func (w *Workspace) locate(knn int) (*located, error) {
	if knn > w.knn {
		return nil, fmt.Errorf("option knn: %d is above the %d neighbors of the workspace", knn, w.knn)
	}
	own := *w.located // of which a step may drop the lists
	return &own, nil
}

// connect returns an adjacency graph, which a workspace builds once, and the time that this saved.
func (r results) connect(run parallel.Run, at *located, how neighbor.GraphOptions) (*connected,
	float64, error) {
	return cached(r.graphs, how, func() (*connected, error) { return connect(run, at, how) })
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
func (w *Workspace) Measure(run Run, adjacency int, id []uint32, class, object []float64) (
	metrics.Report, error) {
	p := run.parallel(stepOutput, w.threads).Quiet()
	n := w.cloud.Len()
	if len(id) != n {
		return metrics.Report{}, fmt.Errorf("%d ids for %d points", len(id), n)
	}
	graph, _, err := w.results.connect(p, w.located, neighbor.GraphOptions{Nearest: adjacency})
	if err != nil {
		return metrics.Report{}, err
	}
	component, count := w.dense(id)
	labels := &View{X: w.View.X, Dimensions: map[string][]float64{"class": class, "object": object}}
	truth, err := labels.truth(p, w.cloud.Order, "class", "object")
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
	return metrics.Evaluate(p, graph.graph, truth, component, count)
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
	x = make([]float64, n)
	y = make([]float64, n)
	z = make([]float64, n)
	for i, to := range w.cloud.Order {
		p := w.cloud.Position(uint32(i))
		x[to] = p.X
		y[to] = p.Y
		z[to] = p.Z
	}
	return x, y, z
}

// NearestGraph returns the graph of the k nearest neighbors, k at most the knn of the
// workspace, and the cloud whose order its vertices have.
func (w *Workspace) NearestGraph(run Run, k int) (*neighbor.Graph, *neighbor.Cloud, error) {
	p := run.parallel(stepGraph, w.threads).Quiet()
	g, _, err := w.results.connect(p, w.located, neighbor.GraphOptions{Nearest: k})
	if err != nil {
		return nil, nil, err
	}
	return g.graph, w.cloud, nil
}
