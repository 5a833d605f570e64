// SPDX-License-Identifier: BSD-3-Clause

// Package metrics compares a partition of a cloud with its true objects, as in
// Landrieu and Boussaha 2019, appendix "Oversegmentation Metrics" (long version:
// doi:10.1109/CVPR.2019.00762).
//
// Oracle overall accuracy (OOA) counts points whose class is their segment's
// majority class. The undersegmentation error counts points outside their
// segment's majority object, over all points, as the paper writes it (after
// Levinshtein et al. 2009, doi:10.1109/TPAMI.2009.96).
//
// A boundary is a set of edges. E_true are the edges of the graph between two objects,
// E_pred the edges between two segments, and expand(S) all edges that share a vertex
// with an edge of S (a tolerance of one edge):
//
//	BR as printed      |E_pred ∩ expand(E_true)| / |E_true|   (can exceed 1)
//	BR as coded        |E_true ∩ expand(E_pred)| / |E_true|   (in [0, 1])
//	BP                 |E_pred ∩ expand(E_true)| / |E_pred|
//
// "As coded" is the formula that the authors' program implements. Here every
// unordered pair of neighbours counts once; the authors list mutual pairs twice.
//
// Labels below zero are ignored. A point of ignored class does not count in the OOA,
// and a point of ignored object does not count in the undersegmentation error. An edge
// with such an end is neither a true nor a predicted transition and does not expand a
// set: boundaries are computed on the graph without points of ignored object. Numbers
// of segments and of their connected components, and sizes, always include all points.
//
// All counts are integers, so results are the same for any number of threads.
package metrics

import (
	"fmt"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// block is the number of vertices of a task.
const block = 1 << 13

// Evaluate measures a partition, component[i] in [0, count) for every vertex of
// the graph, against the truth. It takes O(|V| + |E|) time and at most 40 bytes
// a vertex. It fails when the lengths differ, when a component is not below
// count, or when the run is cancelled. Components without points are allowed
// and are not counted as segments.
func Evaluate(run parallel.Run, g *neighbor.Graph, truth Truth, component []uint32,
	count int) (r Report, err error) {
	defer parallel.Catch(&err)
	if err := check(g, truth, component, count); err != nil {
		return Report{}, err
	}
	object := truth.Object
	if object == nil && truth.Class != nil {
		object = Objects(g, truth.Class)
	}
	groups := arrays.GroupBy(component, count)
	var c Counts
	c.Points = int64(len(component))
	c.Pure, c.Classified = majority(run, &groups, truth.Class)
	c.Overlap, c.InObject = majority(run, &groups, object)
	c.Objects = int64(distinct(object))
	transitions(run, g, object, component, &c)
	c.Pieces = int64(ConnectedComponents(g, component))
	for s := range groups.Len() {
		if len(groups.Of(s)) > 0 {
			c.Segments++
		}
	}
	return Report{Scores: c.Scores(), Counts: c}, nil
}

func check(g *neighbor.Graph, truth Truth, component []uint32, count int) error {
	n := g.Vertices()
	if len(component) != n {
		return fmt.Errorf("metrics: %d components for a graph of %d vertices; give one for each",
			len(component), n)
	}
	if truth.Class != nil && len(truth.Class) != n {
		return fmt.Errorf(
			"metrics: %d true classes for a graph of %d vertices; give one for each, negative to ignore",
			len(truth.Class), n)
	}
	if truth.Object != nil && len(truth.Object) != n {
		return fmt.Errorf(
			"metrics: %d true objects for a graph of %d vertices; give one for each, negative to ignore",
			len(truth.Object), n)
	}
	for i, s := range component {
		if int64(s) >= int64(count) {
			return fmt.Errorf("metrics: vertex %d is in component %d, but there are only %d", i, s, count)
		}
	}
	return nil
}
