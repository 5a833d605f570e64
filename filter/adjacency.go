package filter

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// buildGraph joins each point with its first neighbours and, if asked, by short
// Delaunay edges. The neighbour lists are dropped.
func (j *job) buildGraph(run parallel.Run) error {
	defer func() { j.lists = nil }()
	if j.lists.K == 0 { // one point
		j.graph = &neighbor.Graph{Start: make([]uint32, j.cloud.Len()+1)}
		return nil
	}
	var err error
	if j.graph, err = neighbor.Adjacency(j.lists, j.settings.adjacency, run); err != nil {
		return err
	}
	if !j.settings.delaunay {
		return nil
	}
	j.lists = nil
	return j.addDelaunay(run)
}

// addDelaunay unites the graph with the edges of the Delaunay triangulation in
// space that are shorter than max_edge, as the paper does for sparse scans.
func (j *job) addDelaunay(run parallel.Run) error {
	short, err := neighbor.Delaunay3D(j.cloud, j.settings.maxEdge, run)
	if err != nil {
		return err
	}
	j.graph, err = j.graph.Union(short)
	return err
}
