package filter

import (
	"time"

	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

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
