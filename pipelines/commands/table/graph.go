// SPDX-License-Identifier: BSD-3-Clause

package table

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/superpointstats"
)

const graphUsage = `[options] FILE OUTPUT.csv

Writes the superpoint adjacency graph, one row per pair of adjacent superpoints: a point
of one is among the nearest neighbours of a point of the other.

  a, b                   ids, a < b
  edges                  pairs of neighbouring points across the border
  distance               their mean distance, metres
  border                 length of the border, metres (assumes uniform density)
  height_difference      mean height of b minus mean height of a, metres
  centroid_distance      between the centroids, metres
  normal_angle           between the normals of the best planes, degrees in [0, 90]
  embedding_difference   distance of the mean embeddings (if the file has
                         Embedding0, …)

The file needs superpoints: run pdal superpoint segment first. Its ids are the
ids of pdal superpoint table.

  pdal superpoint graph segmented.laz edges.csv
  pdal superpoint graph --adjacency_knn 10 segmented.laz edges.csv

The options:`

// Graph is the command graph.
func Graph() command.Command {
	return command.Command{Name: "graph", Line: "adjacent superpoints: border length and differences",
		Usage: graphUsage, Define: graphCommand, Bytes: 160}
}

func graphCommand(a *command.Arguments) func(names []string) error {
	s := NewSuperpoints(a)
	var k int
	run := s.TableWriter("edge", func(from string) ([]layers.Column, error) {
		if err := s.Read(from, nil, embeddings()); err != nil {
			return nil, err
		}
		run := steps.Run{Context: s.Host.Context(), Step: s.Host.Progress}
		w, err := workspace.New(run, s.Columns.View(), k, s.Threads, func(int, string) {})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		graph, cloud, err := w.NearestGraph(run, k)
		if err != nil {
			return nil, err
		}
		return s.adjacency(s.Groups.Edges(cloud, graph))
	})
	a.IntOption(&k, "adjacency_knn", 5, 1, 100, "neighbours of each point in the graph")
	return run
}

// adjacency returns the columns of the graph, one row per edge.
func (s *Superpoints) adjacency(edges []superpointstats.Edge) ([]layers.Column, error) {
	columns := []layers.Column{
		{Name: "a"}, {Name: "b"}, {Name: "edges"}, {Name: "distance", Digits: 4}, {Name: "border", Digits: 3},
		{Name: "height_difference", Digits: 3}, {Name: "centroid_distance", Digits: 3},
		{Name: "normal_angle", Digits: 2},
	}
	means, err := s.embeddingMeans()
	if err != nil {
		return nil, err
	}
	if means != nil {
		columns = append(columns, layers.Column{Name: "embedding_difference", Digits: 5})
	}
	for i := range columns {
		columns[i].Values = make([]float64, len(edges))
	}
	for row, e := range edges {
		a, b := &s.Forms[e.A], &s.Forms[e.B]
		values := []float64{
			float64(s.Groups.ID[e.A]), float64(s.Groups.ID[e.B]), float64(e.Links), e.Distance, e.Border,
			(b.Mean[2] - a.Mean[2]) * a.Scale[2], distance(a, b), angle(a, b), difference(means, e.A, e.B),
		}
		for i := range columns {
			columns[i].Values[row] = values[i]
		}
	}
	return columns, nil
}

// embeddingMeans returns the means of the superpoints by embedding column; nil without
// an embedding.
func (s *Superpoints) embeddingMeans() (means [][]float64, err error) {
	for _, name := range embeddings() {
		values := s.Columns.Dimensions[name]
		if values == nil {
			break
		}
		mean, _, err := s.Groups.Statistics(s.Run("embedding"), values)
		if err != nil {
			return nil, err
		}
		means = append(means, mean)
	}
	return means, nil
}

// distance returns the distance of two centroids in metres.
func distance(a, b *superpointstats.Form) float64 {
	var d [3]float64
	for axis := range d {
		d[axis] = (b.Mean[axis] - a.Mean[axis]) * (a.Scale[axis] + b.Scale[axis]) / 2
	}
	return floats.Norm(d[:], 2)
}

// angle returns the angle between two unoriented normals in degrees, in [0, 90].
func angle(a, b *superpointstats.Form) float64 {
	return math.Acos(min(math.Abs(floats.Dot(a.Normal[:], b.Normal[:])), 1)) * 180 / math.Pi
}

// difference returns the length of the difference of two mean embeddings.
func difference(means [][]float64, a, b int) float64 {
	square := 0.0
	for _, m := range means {
		square += (m[b] - m[a]) * (m[b] - m[a])
	}
	return math.Sqrt(square)
}
