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
	key := graphKey{adjacency: j.settings.adjacency, around: j.settings.around}
	if s := &j.settings; s.delaunay {
		if s.maxEdge == 0 {
			s.maxEdge = edgeSpacings * j.spacing()
		}
		key.delaunay = s.maxEdge
	}
	var made *joined
	var err error
	if j.workspace != nil {
		made, j.seconds[stepGraph], err = j.workspace.graph(run, key)
	} else {
		made, err = adjacencyGraph(run, j.cloud, j.lists, key)
	}
	if err != nil {
		return err
	}
	j.graph, j.across = made.Graph, made.across
	if j.options.Truth == "" {
		return nil
	}
	j.border = j.graph
	if want := (graphKey{adjacency: MetricsKNN}); key != want && j.lists.K >= MetricsKNN {
		if made, err = adjacencyGraph(run, j.cloud, j.lists, want); err == nil {
			j.border = made.Graph
		}
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
