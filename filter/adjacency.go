package filter

import (
	"slices"

	"superpoint/filter/method"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// buildGraph builds the adjacency graph and, unless keepLists, drops the neighbour
// lists.
func (j *job) buildGraph(run parallel.Run, keepLists bool) error {
	defer func() {
		if !keepLists {
			j.lists = nil
		}
	}()
	if method.Named(j.options.Method).GMPP {
		spacing := j.spacing() // needs the neighbour lists
		if s := &j.settings; s.spacingWeight > 0 {
			s.SpatialWeight = s.spacingWeight / spacing
		}
	}
	if j.graph != nil { // graph=grid
		j.border = j.graph
		return nil
	}
	key := graphKey{adjacency: j.settings.adjacency, lineKNN: j.settings.lineKNN, linesShare: j.settings.linesShare}
	if s := &j.settings; s.delaunay {
		if s.maxEdge == 0 {
			s.maxEdge = neighbor.DelaunaySpacings * j.spacing()
		}
		key.delaunay = s.maxEdge
	}
	var built *builtGraph
	var err error
	if j.workspace != nil {
		built, j.seconds[stepGraph], err = j.workspace.graph(run, key)
	} else {
		built, err = adjacencyGraph(run, j.cloud, j.lists, key)
	}
	if err != nil {
		return err
	}
	j.graph, j.across = built.Graph, built.across
	if slices.Contains(j.isolated, true) {
		if j.graph, err = j.graph.Isolate(run.Quiet(), j.cloud, j.lists, key.adjacency, j.isolated); err != nil {
			return err
		}
	}
	if j.options.Truth == "" {
		return nil
	}
	j.border = built.Graph
	if want := (graphKey{adjacency: MetricsKNN}); key != want && j.lists.K >= MetricsKNN {
		if built, err = adjacencyGraph(run, j.cloud, j.lists, want); err == nil {
			j.border = built.Graph
		}
	}
	return err
}

// spacing returns the distance of neighbouring points in metres: the size of pixels,
// the option spacing, or the value measured at the first call.
func (j *job) spacing() float64 {
	if j.pixel > 0 {
		return j.pixel
	}
	if j.settings.spacing == 0 {
		j.settings.spacing = j.cloud.Spacing(j.lists)
	}
	return j.settings.spacing
}
