package filter

import (
	"superpoint/filter/method"
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
	if method.Named(j.options.Method).GMPP {
		spacing := j.spacing() // while there are neighbours to measure it by
		if s := &j.settings; s.spacingWeight > 0 {
			s.spatialWeight = s.spacingWeight / spacing
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

// spacing returns the distance of neighbouring points in metres: of pixels, as the
// option says, or measured once.
func (j *job) spacing() float64 {
	if j.pixel > 0 {
		return j.pixel
	}
	if j.settings.spacing == 0 {
		j.settings.spacing = j.cloud.Spacing(j.lists)
	}
	return j.settings.spacing
}
