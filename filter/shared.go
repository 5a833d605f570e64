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
	trust   []float32
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

// adjacencyGraph joins each point with its first neighbours, if asked across
// the gaps between scan lines, and if asked by the edges of the Delaunay
// triangulation in space that are short enough, as the paper does for sparse scans.
func adjacencyGraph(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, key graphKey) (*joined, error) {
	if lists.K == 0 { // one point
		return &joined{Graph: &neighbor.Graph{Start: make([]uint32, cloud.Len()+1)}}, nil
	}
	graph, err := neighbor.Adjacency(lists, key.adjacency, run)
	if err != nil {
		return nil, err
	}
	made := &joined{Graph: graph}
	if key.around > 0 {
		across, points, err := neighbor.AcrossLines(cloud, lists, key.adjacency, key.around, run)
		if err != nil {
			return nil, err
		}
		if err := made.add(across); err != nil {
			return nil, err
		}
		made.across = points
	}
	if key.delaunay > 0 {
		short, err := neighbor.Delaunay3D(cloud, key.delaunay, run)
		if err != nil {
			return nil, err
		}
		return made, made.add(short)
	}
	return made, nil
}

// add adds edges.
func (g *joined) add(more *neighbor.Graph) (err error) {
	if more.Edges() > 0 {
		g.Graph, err = g.Union(more)
	}
	return err
}
