package filter

import (
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// buildGraph makes the graph that superpoints are cut from, and drops the
// neighbour lists unless the method goes on to use them.
func (j *job) buildGraph(run parallel.Run, keepLists bool) error {
	defer func() {
		if !keepLists {
			j.lists = nil
		}
	}()
	if s := &j.settings; s.spacingWeight > 0 {
		if j.pixel > 0 {
			s.spatialWeight = s.spacingWeight / j.pixel
		} else {
			s.spatialWeight = s.spacingWeight / j.spacing()
		}
	}
	if j.graph != nil { // of pixels
		j.border = j.graph
		return nil
	}
	key := graphKey{adjacency: j.settings.adjacency}
	if s := &j.settings; s.delaunay {
		if s.maxEdge == 0 {
			s.maxEdge = edgeSpacings * j.spacing()
		}
		key.delaunay = s.maxEdge
	}
	var err error
	if j.workspace != nil {
		j.graph, j.seconds[stepGraph], err = j.workspace.graph(run, key)
	} else {
		j.graph, err = adjacencyGraph(run, j.cloud, j.lists, key)
	}
	if err != nil || j.options.Truth == "" {
		return err
	}
	j.border = j.graph
	if want := (graphKey{adjacency: MetricsKNN}); key != want && j.lists.K >= MetricsKNN {
		j.border, err = adjacencyGraph(run, j.cloud, j.lists, want)
	}
	return err
}

// spacing returns the distance of neighbouring points in metres: as the option
// says, or measured once.
func (j *job) spacing() float64 {
	if j.settings.spacing == 0 {
		j.settings.spacing = j.cloud.Spacing(j.lists)
	}
	return j.settings.spacing
}

// adjacencyGraph joins each point with its first neighbours and, if asked, by
// the edges of the Delaunay triangulation in space that are short enough, as
// the paper does for sparse scans.
func adjacencyGraph(run parallel.Run, cloud *neighbor.Cloud, lists *neighbor.Lists, key graphKey) (*neighbor.Graph, error) {
	if lists.K == 0 { // one point
		return &neighbor.Graph{Start: make([]uint32, cloud.Len()+1)}, nil
	}
	graph, err := neighbor.Adjacency(lists, key.adjacency, run)
	if err != nil || key.delaunay == 0 {
		return graph, err
	}
	short, err := neighbor.Delaunay3D(cloud, key.delaunay, run)
	if err != nil {
		return nil, err
	}
	return graph.Union(short)
}
