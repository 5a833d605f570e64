package command

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/pipelines/commands/superpointstats"
)

const graphUsage = `[options] FILE OUTPUT.csv|OUTPUT.parquet

Writes the superpoint adjacency graph, one row per pair of adjacent superpoints: a point
of one is among the nearest neighbours of a point of the other.

  a, b                   ids, a < b
  edges                  pairs of neighbouring points across the border
  distance               their mean distance, metres
  border                 length of the border, metres (assumes uniform density)
  height_difference      mean height of b minus that of a, metres
  centroid_distance      between the centroids, metres
  normal_angle           between the normals of the best planes, degrees in [0, 90]
  embedding_difference   distance of the mean embeddings (if the file has
                         Embedding0, …)

The file needs superpoints: run pdal superpoint segment first. Its ids are those of
pdal superpoint table.

  pdal superpoint graph segmented.laz edges.csv
  pdal superpoint graph --adjacency_knn 10 segmented.laz edges.parquet

The options:`

func graphCommand(a *arguments) func(names []string) error {
	s := newSuperpoints(a)
	var k int
	run := s.tableWriter(func(from string) ([]column, error) {
		if err := s.read(from, nil, embeddings()); err != nil {
			return nil, err
		}
		w, err := filter.NewWorkspace(s.stepRun(), s.columns.View(), k, s.threads, func(int, string) {})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		graph, cloud, err := w.NearestGraph(s.stepRun(), k)
		if err != nil {
			return nil, err
		}
		return s.adjacency(s.groups.Edges(cloud, graph))
	})
	cli.Int(a.FlagSet, &k, "adjacency_knn", 5, 1, 100, "neighbours of each point in the graph")
	return run
}

// adjacency returns the columns of the graph, one row per edge.
func (s *superpoints) adjacency(edges []superpointstats.Edge) ([]column, error) {
	columns := []column{
		{name: "a"}, {name: "b"}, {name: "edges"}, {name: "distance", digits: 4}, {name: "border", digits: 3},
		{name: "height_difference", digits: 3}, {name: "centroid_distance", digits: 3}, {name: "normal_angle", digits: 2},
	}
	means, err := s.embeddingMeans()
	if err != nil {
		return nil, err
	}
	if means != nil {
		columns = append(columns, column{name: "embedding_difference", digits: 5})
	}
	for i := range columns {
		columns[i].values = make([]float64, len(edges))
	}
	for row, e := range edges {
		a, b := &s.forms[e.A], &s.forms[e.B]
		values := []float64{
			float64(s.groups.ID[e.A]), float64(s.groups.ID[e.B]), float64(e.Links), e.Distance, e.Border,
			(b.Mean[2] - a.Mean[2]) * a.Scale[2], distance(a, b), angle(a, b), difference(means, e.A, e.B),
		}
		for i := range columns {
			columns[i].values[row] = values[i]
		}
	}
	return columns, nil
}

// embeddingMeans returns the means of the superpoints by embedding column; nil without
// an embedding.
func (s *superpoints) embeddingMeans() (means [][]float64, err error) {
	for _, name := range embeddings() {
		values := s.columns.Dimensions[name]
		if values == nil {
			break
		}
		mean, _, err := s.groups.Statistics(s.run("embedding"), values)
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
